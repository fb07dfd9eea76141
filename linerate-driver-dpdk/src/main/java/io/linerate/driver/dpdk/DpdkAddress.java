package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Device arguments as DPDK understands them, and what they say about the device.
 *
 * @param device name of the device: a PCI address with its domain, or that of a virtual device
 * @param driver name of a virtual device without its number, such as {@code net_null}; "" for a PCI
 *     device, whose driver DPDK finds
 * @param devargs the device and its arguments
 * @param rss how its packets are to be spread over its queues
 * @param offloads what the device is to do in place of the program
 */
record DpdkAddress(
    String device, String driver, String devargs, RssRequest rss, OffloadRequest offloads) {
  private static final Pattern PCI =
      Pattern.compile("(?:pci:)?([0-9a-fA-F]{1,8}:)?([0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7])");
  private static final Pattern VIRTUAL = Pattern.compile("(?:vdev:)?(([a-z][a-z0-9_]*?)[0-9]*)");

  /**
   * Drivers whose arguments make the receive queues: packets come to each of them, wanted or not.
   */
  private static final List<String> FIXED_RX_QUEUES =
      List.of("net_pcap", "net_af_packet", "net_af_xdp");

  static DpdkAddress parse(PortAddress address) {
    List<String> parts = new ArrayList<>(List.of(address.rest().strip().split(",", -1)));
    RssRequest rss = RssRequest.of(address, parts.stream().filter(RssRequest::isOurs).toList());
    parts.removeIf(RssRequest::isOurs);
    OffloadRequest offloads =
        OffloadRequest.of(address, parts.stream().filter(OffloadRequest::isOurs).toList());
    parts.removeIf(OffloadRequest::isOurs);
    String name = parts.isEmpty() ? "" : parts.getFirst();
    String pci = pciAddress(name);
    if (!pci.isEmpty()) {
      parts.set(0, pci);
      return new DpdkAddress(pci, "", String.join(",", parts), rss, offloads);
    }
    Matcher virtual = VIRTUAL.matcher(name);
    if (!virtual.matches()) {
      throw new ConfigException(
          "not a DPDK device: device="
              + name
              + ", address="
              + address
              + "; write a PCI address such as dpdk:0000:03:00.0, or a virtual device such as"
              + " dpdk:net_null0,size=64");
    }
    parts.set(0, virtual.group(1));
    return new DpdkAddress(
        virtual.group(1), virtual.group(2), String.join(",", parts), rss, offloads);
  }

  /** A PCI address as Linux writes it, or "" if {@code name} is none. */
  private static String pciAddress(String name) {
    Matcher pci = PCI.matcher(name);
    if (!pci.matches()) {
      return "";
    }
    String domain = pci.group(1);
    long number = domain == null ? 0 : Long.parseLong(domain.substring(0, domain.length() - 1), 16);
    return "%04x:%s".formatted(number, pci.group(2).toLowerCase(Locale.ROOT));
  }

  boolean isVirtual() {
    return !driver.isEmpty();
  }

  /** Whether it is an end of shared memory between two processes. */
  boolean isMemif() {
    return driver.equals("net_memif");
  }

  /** Whether it receives from an interface of the kernel by what the kernel gives any program. */
  boolean isInterface() {
    return driver.equals("net_af_packet")
        || driver.equals("net_af_xdp")
        || (driver.equals("net_pcap") && !(text("iface") + text("rx_iface")).isEmpty());
  }

  boolean hasFixedRxQueues() {
    return FIXED_RX_QUEUES.contains(driver);
  }

  /**
   * @throws ConfigException if the device stands there
   */
  void requireNotIn(List<String> block) {
    for (String entry : block) {
      String blocked = pciAddress(entry);
      if (device.equals(blocked.isEmpty() ? entry : blocked)) {
        throw new ConfigException(
            "device is blocked: device="
                + device
                + ", block="
                + block
                + "; take it off the list or the port out of the configuration");
      }
    }
  }

  /** The number that an argument has, or {@code otherwise}. */
  int number(String key, int otherwise) {
    String value = text(key);
    return value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : otherwise;
  }

  /** What an argument has, or "". */
  String text(String key) {
    Matcher argument = Pattern.compile("," + key + "=([^,]*)").matcher(devargs);
    return argument.find() ? argument.group(1) : "";
  }
}
