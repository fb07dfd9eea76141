package io.linerate.driver.pcap.libpcap;

import io.linerate.core.driver.NativeMemory;
import io.linerate.core.port.PortException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * A device that libpcap can open: an interface, all of them ({@code any}), or none of the network
 * at all, such as {@code usbmon1}.
 *
 * @param name as it stands in an address
 * @param description for people; "" if it has none
 * @param flags PCAP_IF_ of pcap/pcap.h
 */
public record CaptureDevice(String name, String description, int flags) {
  private static final int LOOPBACK = 1;
  private static final int UP = 2;
  private static final int RUNNING = 4;
  private static final int LINK_STATUS = 0x30; // PCAP_IF_CONNECTION_STATUS
  private static final int NOT_APPLICABLE = 0x30;

  // struct pcap_if.
  private static final int NAME_OFFSET = 8;
  private static final int DESCRIPTION_OFFSET = 16;
  private static final int FLAGS_OFFSET = 32;

  /** Those that there are now, which may be more than one may open; none if libpcap is missing. */
  public static List<CaptureDevice> all() {
    List<CaptureDevice> devices = new ArrayList<>();
    if (!LibpcapLibrary.LOADED.isLoaded()) {
      return devices;
    }
    try (Arena arena = Arena.ofConfined()) {
      long list = arena.allocate(8, 8).address();
      if (Libpcap.findAllDevs(list, arena.allocate(Libpcap.ERRBUF_BYTES).address()) == 0) {
        for (long at = NativeMemory.u64(list); at != 0; at = NativeMemory.u64(at)) {
          devices.add(read(at));
        }
        Libpcap.freeAllDevs(NativeMemory.u64(list));
      }
    }
    return devices;
  }

  /**
   * <pre>
   *   0 next | 8 name | 16 description | 24 addresses | 32 flags u32
   * </pre>
   */
  private static CaptureDevice read(long device) {
    long description = NativeMemory.u64(device + DESCRIPTION_OFFSET);
    return new CaptureDevice(
        Libpcap.text(NativeMemory.u64(device + NAME_OFFSET)),
        description == 0 ? "" : Libpcap.text(description),
        NativeMemory.u32(device + FLAGS_OFFSET));
  }

  /** The version of the library, or "" if it is not installed. */
  public static String libraryVersion() {
    return LibpcapLibrary.LOADED.isLoaded() ? Libpcap.libVersion() : "";
  }

  public boolean isLoopback() {
    return (flags & LOOPBACK) != 0;
  }

  /** Whether {@link #isUp} says anything: not of a log of the kernel, or a bus. */
  public boolean hasLink() {
    return isUp() || (flags & LINK_STATUS) != NOT_APPLICABLE;
  }

  public boolean isUp() {
    return (flags & UP) != 0;
  }

  /** Whether it is up and has a carrier. */
  public boolean isRunning() {
    return (flags & RUNNING) != 0;
  }

  /** What a port's {@code tstamp=} may be; none if there is nothing to choose. */
  public List<String> timestampTypes() {
    return ask(false);
  }

  /**
   * What a port's {@code linktype=} may be, or always is; none if it cannot be opened, or not by
   * this user.
   */
  public List<String> linkTypes() {
    return ask(true);
  }

  private List<String> ask(boolean forLinkTypes) {
    try (Arena arena = Arena.ofConfined()) {
      long pcap = Libpcap.create(name, arena.allocate(Libpcap.ERRBUF_BYTES).address());
      if (pcap == 0) {
        return List.of();
      }
      try {
        if (!forLinkTypes) {
          return Libpcap.tstampTypes(pcap);
        }
        return Libpcap.activate(pcap) < 0 ? List.of() : Libpcap.linkTypes(pcap);
      } finally {
        Libpcap.close(pcap);
      }
    } catch (PortException e) { // The library is too old for this.
      return List.of();
    }
  }
}
