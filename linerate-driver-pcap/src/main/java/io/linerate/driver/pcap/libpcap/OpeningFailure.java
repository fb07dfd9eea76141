package io.linerate.driver.pcap.libpcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.NearestWord;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.PortException;
import java.util.List;

/** Why a device cannot be opened, in sentences that say what to do. */
final class OpeningFailure {
  private OpeningFailure() {}

  /**
   * @param status of {@code pcap_activate}
   * @param text libpcap's own; "" if it has none
   */
  static PortException of(int status, String device, String text) {
    return new PortException(
        switch (status) {
          case Libpcap.ERROR_NO_SUCH_DEVICE -> missing(device);
          case Libpcap.ERROR_IFACE_NOT_UP ->
              "interface is down: interface=%s; run: sudo ip link set dev %s up"
                  .formatted(device, device);
          case Libpcap.ERROR_PERM_DENIED ->
              "no permission to use the interface: interface=%s, missing capability=CAP_NET_RAW, libpcap says=%s; run as root, or: sudo setpriv --reuid=$USER --init-groups --inh-caps=+net_raw --ambient-caps=+net_raw COMMAND"
                  .formatted(device, text);
          case Libpcap.ERROR_PROMISC_PERM_DENIED ->
              "no permission for promiscuous mode: interface=%s, libpcap says=%s; run as root, or write promisc=off"
                  .formatted(device, text);
          default ->
              "cannot use the interface: interface=%s, libpcap says=%s; see what linerate doctor says of it"
                  .formatted(device, text.isEmpty() ? Libpcap.statusText(status) : text);
        });
  }

  private static String missing(String device) {
    List<String> names = CaptureDevice.all().stream().map(CaptureDevice::name).toList();
    String hint =
        NearestWord.to(device, names)
            .map(near -> "did you mean " + near + "? there are ")
            .orElse("there are ");
    return "no such interface: interface=%s; %s%s"
        .formatted(device, hint, names.isEmpty() ? "none" : String.join(", ", names));
  }

  static ConfigException ofTimestampType(String device, String type, List<String> possible) {
    return new ConfigException(
        "interface has no such time stamps: interface=%s, tstamp=%s; %s"
            .formatted(
                device,
                type,
                possible.isEmpty()
                    ? "leave tstamp= out: there is nothing to choose"
                    : "possible are " + String.join(", ", possible)));
  }

  static PortException ofPrecision(String device) {
    return new PortException(
        "interface has no times in ns: interface=%s; write precision=micro".formatted(device));
  }

  static PortException ofDirection(String device, String text) {
    return new PortException(
        "interface cannot tell directions: interface=%s, libpcap says=%s; leave direction= out"
            .formatted(device, text));
  }

  /** The interface does not give such packets. */
  static ConfigException ofLinkType(String device, LinkType wanted, List<String> there) {
    return new ConfigException(
        "interface has no such link type: interface=%s, linktype=%s; choose one of %s"
            .formatted(device, wanted.name(), String.join(", ", there)));
  }
}
