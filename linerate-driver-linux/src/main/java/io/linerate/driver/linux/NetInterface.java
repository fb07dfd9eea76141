package io.linerate.driver.linux;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.NearestWord;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the kernel says of a network interface, at one moment.
 *
 * @param index its number in this network namespace
 * @param mtuBytes the longest packet without its Ethernet header
 * @param flags as netdevice(7) has them
 * @param hardwareType ARPHRD_ of linux/if_arp.h
 * @param rxQueues receive queues in use now
 * @param txQueues transmit queues in use now
 * @param maxQueues queues that it could have, of each kind
 * @param driver its driver, such as {@code veth}; "" if it does not say
 */
public record NetInterface(
    String name,
    int index,
    int mtuBytes,
    int flags,
    int hardwareType,
    int rxQueues,
    int txQueues,
    int maxQueues,
    String driver) {
  /** Bytes of a name, with the 0 at its end: IFNAMSIZ. */
  public static final int NAME_BYTES = 16;

  public static final int ETHERNET = 1;
  public static final int LOOPBACK = 772;

  private static final int IFF_UP = 1;
  private static final int IFF_RUNNING = 0x40;
  private static final int PACKET_ADD_MEMBERSHIP = 1;
  private static final int PACKET_MR_PROMISC = 1;

  /**
   * Asks the kernel.
   *
   * @throws PortException if there is no such interface, or it may not be asked
   */
  public static NetInterface read(String name) {
    try (InterfaceRequest request = InterfaceRequest.open(name)) {
      if (!request.exists()) {
        throw new PortException(missing(name));
      }
      int index = request.index();
      Channels channels = request.channels();
      return new NetInterface(
          name,
          index,
          request.mtuBytes(),
          request.flags(),
          request.hardwareType(),
          channels.rx(),
          channels.tx(),
          channels.max(),
          request.driver());
    }
  }

  /**
   * Queues of a device.
   *
   * @param max that it could have, of each kind
   */
  record Channels(int rx, int tx, int max) {}

  private static String missing(String name) {
    List<String> names = names();
    String hint =
        NearestWord.to(name, names)
            .map(near -> "did you mean " + near + "? there are ")
            .orElse("there are ");
    return "no such interface: interface=%s; %s%s"
        .formatted(name, hint, names.isEmpty() ? "none" : String.join(", ", names));
  }

  /**
   * The interface that an address names.
   *
   * @throws ConfigException if it names none
   */
  public static String nameIn(AddressOptions options) {
    String scheme = options.address().scheme();
    return options.name(
        name -> !name.isEmpty() && !name.contains("="),
        "no interface in the address",
        "write %s:INTERFACE, such as %s:eth0".formatted(scheme, scheme));
  }

  /** The interfaces of this network namespace. */
  public static List<String> names() {
    // Not /sys/class/net: that shows the namespace in which /sys was mounted.
    try {
      return Files.readAllLines(Path.of("/proc/self/net/dev"), StandardCharsets.UTF_8).stream()
          .filter(line -> line.contains(":"))
          .map(line -> line.substring(0, line.indexOf(':')).strip())
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Whether somebody switched it on. */
  public boolean isUp() {
    return (flags & IFF_UP) != 0;
  }

  /** Whether it has a carrier: a cable, or a peer that is up. */
  public boolean isRunning() {
    return (flags & IFF_RUNNING) != 0;
  }

  /**
   * Whether it is up and has a carrier now, under whatever name: 1 or 0; negative if it was
   * deleted, or is in another namespace.
   */
  int linkNow() {
    try (InterfaceRequest request = InterfaceRequest.open(name)) {
      return request.link(index);
    }
  }

  /**
   * Lets it receive frames for other addresses too, for as long as a socket of packet(7) is open.
   *
   * <pre>
   *   struct packet_mreq (16): 0 interface | 4 type u16 | 6 length u16 | 8 address
   * </pre>
   *
   * @return 0 or {@code -errno}
   */
  public int promiscuous(SystemCalls calls, int socket) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request =
          arena.allocateFrom(ValueLayout.JAVA_INT, index, PACKET_MR_PROMISC, 0, 0);
      return calls.setsockopt(
          socket, SystemCalls.SOL_PACKET, PACKET_ADD_MEMBERSHIP, request.address(), 16);
    }
  }
}
