package io.linerate.driver.pcap.libpcap;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.PortException;
import io.linerate.driver.linux.NetInterface;
import io.linerate.driver.pcap.libpcap.LibpcapAddress.Direction;
import io.linerate.driver.pcap.libpcap.LibpcapAddress.Precision;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An open {@code pcap_t}, which is of one thread at a time: whoever calls a method holds this one's
 * lock.
 */
final class LibpcapHandle implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LibpcapHandle.class.getName());

  private static final String INTERFACE = "interface=";

  /** Of a socket that only sends: the kernel's least. */
  private static final int SENDER_BUFFER_BYTES = 1 << 16;

  private static final int SENDER_SNAP_LENGTH_BYTES = 64;

  /** Of linux/if_packet.h, since Linux 4.20. */
  private static final int PACKET_IGNORE_OUTGOING = 23;

  private final String source;
  private final long pcap;
  private final BpfProgram filter;
  private final boolean isFile;
  private final LinkType linkType;

  /** Whether the kernel lists it among the interfaces of the network. */
  private final boolean isInterface;

  private boolean isOpen = true;

  /** Where {@link #next} leaves the addresses of a packet's header and bytes. */
  private final MemorySegment results = Arena.ofAuto().allocate(16, 8);

  /** Whether the filter of the engine stands in the kernel, in place of the address's own. */
  private final boolean isFilteredForEngine;

  private LibpcapHandle(
      long pcap, String source, boolean isFile, String filter, long[] engineFilter) {
    this.pcap = pcap;
    this.source = source;
    this.isFile = isFile;
    isInterface = NetInterface.names().stream().anyMatch(it -> source.equals(INTERFACE + it));
    try {
      linkType = DataLink.of(Libpcap.datalink(pcap));
      isFilteredForEngine =
          engineFilter.length > 0 && filter.isEmpty() && linkType.equals(LinkType.ETHERNET);
      this.filter =
          isFilteredForEngine
              ? BpfProgram.of(engineFilter)
              : BpfProgram.compile(pcap, source, filter);
    } catch (RuntimeException e) {
      Libpcap.close(pcap);
      throw e;
    }
  }

  /**
   * Opens a device, from which nothing comes before {@link #acceptFiltered}.
   *
   * @param engineFilter of {@code ReceiveFilter.kernelProgram}, for which there is only room if the
   *     address has no filter
   * @throws PortException if that is not possible
   */
  static LibpcapHandle receiver(LibpcapAddress address, boolean promiscuous, long[] engineFilter) {
    long pcap = create(address.device());
    try {
      Libpcap.setSnaplen(pcap, address.snapLengthBytes());
      Libpcap.setPromisc(pcap, promiscuous);
      Libpcap.setImmediateMode(pcap, address.immediate());
      Libpcap.setTimeout(pcap, address.timeoutMs());
      Libpcap.setBufferSize(pcap, address.bufferMiB() << 20);
      setTimes(pcap, address);
      activate(pcap, address.device());
      setLinkType(pcap, address.device(), address.linkType());
      setDirection(pcap, address);
    } catch (RuntimeException e) {
      Libpcap.close(pcap);
      throw e;
    }
    return live(pcap, address.device(), address.filter(), engineFilter);
  }

  /**
   * Opens a device to send through.
   *
   * @throws PortException if that is not possible
   */
  static LibpcapHandle sender(String device, @Nullable LinkType linkType) {
    long pcap = create(device);
    try {
      Libpcap.setSnaplen(pcap, SENDER_SNAP_LENGTH_BYTES);
      Libpcap.setBufferSize(pcap, SENDER_BUFFER_BYTES);
      activate(pcap, device);
      setLinkType(pcap, device, linkType);
    } catch (RuntimeException e) {
      Libpcap.close(pcap);
      throw e;
    }
    return live(pcap, device, "", new long[0]);
  }

  private static LibpcapHandle live(long pcap, String device, String filter, long[] engineFilter) {
    LibpcapHandle handle = new LibpcapHandle(pcap, INTERFACE + device, false, filter, engineFilter);
    try (Arena arena = Arena.ofConfined()) {
      BpfProgram.REJECT_ALL.set(pcap, handle.source);
      MemorySegment text = arena.allocate(Libpcap.ERRBUF_BYTES);
      if (Libpcap.setNonBlock(pcap, true, text.address()) < 0) {
        throw handle.failure("cannot use the interface", text.getString(0), "name another");
      }
      return handle;
    } catch (RuntimeException e) {
      handle.close();
      throw e;
    }
  }

  /**
   * Opens a capture file.
   *
   * @throws PortException if it is none, or cannot be read
   */
  static LibpcapHandle reader(Path file, int precision, String filter) {
    String source = "file=" + file;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(Libpcap.ERRBUF_BYTES);
      long pcap = Libpcap.openOffline(file.toString(), precision, text.address());
      if (pcap == 0) {
        throw new PortException(
            "cannot read the capture file: %s, libpcap says=%s; name a pcap or pcapng file"
                .formatted(source, text.getString(0)));
      }
      LibpcapHandle handle = new LibpcapHandle(pcap, source, true, filter, new long[0]);
      handle.acceptFiltered();
      return handle;
    }
  }

  private static long create(String device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(Libpcap.ERRBUF_BYTES);
      long pcap = Libpcap.create(device, text.address());
      if (pcap == 0) {
        throw OpeningFailure.of(Libpcap.ERROR, device, text.getString(0));
      }
      return pcap;
    }
  }

  private static void activate(long pcap, String device) {
    int status = Libpcap.activate(pcap);
    String text = status == 0 ? "" : Libpcap.error(pcap);
    if (status < 0) {
      throw OpeningFailure.of(status, device, text);
    }
    if (status > 0) {
      LOG.log(
          Level.WARNING,
          "interface is not used quite as asked for: interface={0}, libpcap says={1} ({2}); see the options of the address",
          device,
          Libpcap.statusText(status),
          text);
    }
  }

  private static void setTimes(long pcap, LibpcapAddress address) {
    String type = address.timestampType();
    if (!type.isEmpty()) {
      int value = Libpcap.tstampTypeValue(type);
      if (value < 0 || Libpcap.setTstampType(pcap, value) != 0) {
        throw OpeningFailure.ofTimestampType(address.device(), type, Libpcap.tstampTypes(pcap));
      }
    }
    Precision wanted = address.precision();
    int precision = wanted == Precision.MICRO ? Libpcap.PRECISION_MICRO : Libpcap.PRECISION_NANO;
    if (Libpcap.setTstampPrecision(pcap, precision) != 0 && wanted != null) {
      throw OpeningFailure.ofPrecision(address.device());
    }
  }

  private static void setLinkType(long pcap, String device, @Nullable LinkType wanted) {
    if (wanted != null && Libpcap.setDatalink(pcap, DataLink.datalink(wanted)) != 0) {
      throw OpeningFailure.ofLinkType(device, wanted, Libpcap.linkTypes(pcap));
    }
  }

  private static void setDirection(long pcap, LibpcapAddress address) {
    Direction wanted = address.direction();
    Direction direction = wanted == null ? Direction.IN : wanted;
    if (Libpcap.setDirection(pcap, direction.number) != 0 && wanted != null) {
      throw OpeningFailure.ofDirection(address.device(), Libpcap.error(pcap));
    }
    if (direction == Direction.IN) {
      // Libpcap looks at each packet itself; where the kernel does, none takes room in its buffer.
      int descriptor = Libpcap.selectableDescriptor(pcap);
      int _ =
          new SystemCalls()
              .setsockopt(descriptor, SystemCalls.SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
    }
  }

  /** What its packets begin with. */
  LinkType linkType() {
    return linkType;
  }

  /** Whether packets that the engine's filter would reject stay in the kernel. */
  boolean isFilteredForEngine() {
    return isFilteredForEngine;
  }

  String source() {
    return source;
  }

  /** Lets packets come, those that the address's filter takes. */
  synchronized void acceptFiltered() {
    if (isOpen) {
      filter.set(pcap, source);
    }
  }

  /** How many ns the unit of a packet's time has. */
  int nsPerTick() {
    return Libpcap.tstampPrecision(pcap) == Libpcap.PRECISION_NANO ? 1 : 1_000;
  }

  /** A descriptor that poll(2) finds readable when packets come, or -1. */
  int descriptor() {
    return isFile ? -1 : Libpcap.selectableDescriptor(pcap);
  }

  /**
   * Looks for the next packet, which stays where it is until the next call.
   *
   * @return whether there is one
   * @throws PortException if the device has failed, or the file is damaged
   */
  boolean next() {
    int status = Libpcap.nextEx(pcap, results.address(), results.address() + 8);
    if (status == Libpcap.ERROR) {
      throw failed();
    }
    return status == 1;
  }

  /** Whether the file has ended, when there is no next packet. */
  boolean isFile() {
    return isFile;
  }

  /** The header of the packet, a {@code struct pcap_pkthdr}. */
  long header() {
    return NativeMemory.u64(results.address());
  }

  /** Its bytes. */
  long data() {
    return NativeMemory.u64(results.address() + 8);
  }

  private PortException failed() {
    String text = Libpcap.error(pcap);
    return isFile
        ? failure(
            "capture file cannot be read on",
            text,
            "the packets before were read; pcap:rx=PATH reads more kinds of files")
        : lost(text);
  }

  /** Why nothing goes through the interface any more. */
  private PortException lost(String text) {
    return isInterface && !NetInterface.names().contains(source.substring(INTERFACE.length()))
        ? failure("interface is gone", text, "make it again and start again, or set reopen=on")
        : failure("interface has failed", text, "see that it is up, or set reopen=on");
  }

  private PortException failure(String what, String text, String remedy) {
    return new PortException("%s: %s, libpcap says=%s; %s".formatted(what, source, text, remedy));
  }

  /** The device cannot be sent through any more. */
  PortException gone(int error) {
    return lost(Errno.text(error));
  }

  /** {@code -errno} if the packet did not leave. */
  int send(long bytes, int count) {
    return Libpcap.inject(pcap, bytes, count);
  }

  /**
   * Reads what libpcap has counted: packets received, and lost by its buffer and by the interface.
   *
   * <pre>
   *   struct pcap_stat: 0 received u32 | 4 dropped u32 | 8 dropped by the interface u32
   * </pre>
   *
   * @return whether it could tell
   */
  boolean readStatistics(MemorySegment statistics) {
    return isOpen && !isFile && Libpcap.stats(pcap, statistics.address()) == 0;
  }

  boolean isOpen() {
    return isOpen;
  }

  @Override
  public synchronized void close() {
    if (isOpen) {
      isOpen = false;
      filter.close();
      Libpcap.close(pcap);
    }
  }
}
