package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import io.linerate.driver.linux.NetInterface;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * One AF_XDP socket, bound to one queue of an interface, with its four rings; linux/if_xdp.h and
 * Documentation/networking/af_xdp.rst of the kernel.
 */
final class XdpSocket implements AutoCloseable {
  /** Bytes of an entry of the receive and transmit rings: address, length and options. */
  static final int FRAME_SHIFT = 4;

  /** Bytes of an entry of the fill and completion rings: address. */
  static final int ADDRESS_SHIFT = 3;

  /** The frame goes on in the next entry: XDP_PKT_CONTD. */
  static final int CONTINUED = 1;

  static final int BIND_COPY = 1 << 1;
  static final int BIND_ZERO_COPY = 1 << 2;
  static final int BIND_NEED_WAKEUP = 1 << 3;
  static final int BIND_SEGMENTS = 1 << 4;
  private static final int BIND_SHARED = 1;

  private static final int AF_XDP = 44;
  private static final int SOL_XDP = 283;
  private static final int MMAP_OFFSETS = 1;
  private static final int RX_RING = 2;
  private static final int TX_RING = 3;
  private static final int UMEM_REG = 4;
  private static final int FILL_RING = 5;
  private static final int COMPLETION_RING = 6;
  private static final int STATISTICS = 7;
  private static final int OPTIONS = 8;
  private static final int MAX_TX_BUDGET = 9;
  private static final long RX_OFFSET = 0;
  private static final long TX_OFFSET = 0x8000_0000L;
  private static final long FILL_OFFSET = 0x1_0000_0000L;
  private static final long COMPLETION_OFFSET = 0x1_8000_0000L;

  private static final int SO_BUSY_POLL = 46;
  private static final int SO_PREFER_BUSY_POLL = 69;
  private static final int SO_BUSY_POLL_BUDGET = 70;
  private static final int BUSY_POLL_BUDGET = 64;

  private final SystemCalls calls = new SystemCalls();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment scratch = arena.allocate(128, 8);
  private final List<RingMap> maps = new ArrayList<>();
  private final NetInterface networkInterface;
  private final int queue;
  private final int entries;
  private final int queueEntries;
  private final int descriptor;
  private boolean hasSegments;

  private XdpSocket(NetInterface networkInterface, int queue, int entries, int queueEntries) {
    this.networkInterface = networkInterface;
    this.queue = queue;
    this.entries = entries;
    this.queueEntries = queueEntries;
    descriptor = calls.socket(AF_XDP, SystemCalls.SOCK_RAW, 0);
    if (descriptor < 0) {
      arena.close();
      throw failed(
          "cannot make an AF_XDP socket",
          descriptor,
          descriptor == -Errno.EAFNOSUPPORT
              ? "use a kernel with CONFIG_XDP_SOCKETS, or packet:" + networkInterface.name()
              : "run as root or with CAP_NET_RAW");
    }
  }

  /**
   * Makes a socket with rings. It is bound by {@link #bind} or {@link #bindShared}.
   *
   * @param entries of the receive and transmit ring, a power of two
   * @param queueEntries of the completion ring, a power of two; the fill ring has twice as many. 0:
   *     it is bound to the queue of another, and uses the rings of that
   */
  static XdpSocket open(NetInterface networkInterface, int queue, int entries, int queueEntries) {
    XdpSocket socket = new XdpSocket(networkInterface, queue, entries, queueEntries);
    try {
      if (queueEntries > 0) {
        socket.ring(FILL_RING, 2 * queueEntries);
        socket.ring(COMPLETION_RING, queueEntries);
      }
      socket.ring(RX_RING, entries);
      socket.ring(TX_RING, entries);
      return socket;
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private void ring(int option, int size) {
    require(
        "ring cannot be made",
        calls.setsockopt(descriptor, SOL_XDP, option, size),
        "set fewer descriptors");
  }

  int descriptor() {
    return descriptor;
  }

  /** Number of the queue on the device. */
  int queue() {
    return queue;
  }

  /** Slots of the receive and of the transmit ring. */
  int entries() {
    return entries;
  }

  /** Whether a frame may take several slots, once it is bound. */
  boolean hasSegments() {
    return hasSegments;
  }

  /** Registers the packet memory: struct xdp_umem_reg. */
  void register(Umem umem) {
    scratch.fill((byte) 0);
    scratch.set(ValueLayout.JAVA_LONG, 0, umem.base());
    scratch.set(ValueLayout.JAVA_LONG, 8, umem.sizeBytes());
    scratch.set(ValueLayout.JAVA_INT, 16, umem.chunkBytes());
    scratch.set(ValueLayout.JAVA_INT, 20, Mbuf.HEADER_BYTES);
    require(
        "packet memory of %d MiB cannot be registered".formatted(umem.sizeBytes() >> 20),
        calls.setsockopt(descriptor, SOL_XDP, UMEM_REG, scratch.address(), 32),
        "raise the limit of locked memory (ulimit -l), give CAP_IPC_LOCK, or set fewer buffers");
  }

  /**
   * Binds to the queue, with memory that was registered.
   *
   * @return 0 or {@code -errno}; after an error the socket is of no more use
   */
  int bind(int flags) {
    hasSegments = (flags & BIND_SEGMENTS) != 0;
    return bind(flags, 0);
  }

  /** Binds to the queue, with the memory and the ways of another socket. */
  int bindShared(XdpSocket other) {
    hasSegments = other.hasSegments;
    return bind(BIND_SHARED, other.descriptor);
  }

  /** struct sockaddr_xdp. */
  private int bind(int flags, int other) {
    scratch.fill((byte) 0);
    scratch.set(ValueLayout.JAVA_SHORT, 0, (short) AF_XDP);
    scratch.set(ValueLayout.JAVA_SHORT, 2, (short) flags);
    scratch.set(ValueLayout.JAVA_INT, 4, networkInterface.index());
    scratch.set(ValueLayout.JAVA_INT, 8, queue);
    scratch.set(ValueLayout.JAVA_INT, 12, other);
    return calls.bind(descriptor, scratch.address(), 16);
  }

  ProducerRing fillRing() {
    return new ProducerRing(map(FILL_OFFSET, 2, 2 * queueEntries, ADDRESS_SHIFT), ADDRESS_SHIFT);
  }

  ConsumerRing completionRing() {
    return new ConsumerRing(map(COMPLETION_OFFSET, 3, queueEntries, ADDRESS_SHIFT), ADDRESS_SHIFT);
  }

  ConsumerRing rxRing() {
    return new ConsumerRing(map(RX_OFFSET, 0, entries, FRAME_SHIFT), FRAME_SHIFT);
  }

  ProducerRing txRing() {
    return new ProducerRing(map(TX_OFFSET, 1, entries, FRAME_SHIFT), FRAME_SHIFT);
  }

  /**
   * Maps a ring.
   *
   * @param index its place in struct xdp_mmap_offsets: producer, consumer, entries, flags
   */
  private RingMap map(long fileOffset, int index, int size, int slotShift) {
    require(
        "rings cannot be mapped",
        calls.getsockopt(descriptor, SOL_XDP, MMAP_OFFSETS, scratch),
        "use Linux 5.11 or newer");
    long offsets = scratch.address() + 32L * index;
    long entriesOffset = NativeMemory.u64(offsets + 16);
    long bytes = entriesOffset + ((long) size << slotShift);
    long address =
        calls.mmap(
            bytes,
            SystemCalls.PROT_READ_WRITE,
            SystemCalls.MAP_SHARED | SystemCalls.MAP_POPULATE,
            descriptor,
            fileOffset);
    require("ring cannot be mapped", address, "free memory");
    RingMap map =
        new RingMap(
            address,
            bytes,
            size,
            address + NativeMemory.u64(offsets),
            address + NativeMemory.u64(offsets + 8),
            address + NativeMemory.u64(offsets + 24),
            address + entriesOffset);
    maps.add(map);
    return map;
  }

  /** Lets system calls on this socket drive the device, instead of its interrupts. */
  void busyPoll(int us) {
    String remedy = "leave busypoll= out, or use Linux 5.11 or newer";
    String what = "busy polling is not possible";
    require(
        what, calls.setsockopt(descriptor, SystemCalls.SOL_SOCKET, SO_PREFER_BUSY_POLL, 1), remedy);
    require(what, calls.setsockopt(descriptor, SystemCalls.SOL_SOCKET, SO_BUSY_POLL, us), remedy);
    require(
        what,
        calls.setsockopt(descriptor, SystemCalls.SOL_SOCKET, SO_BUSY_POLL_BUDGET, BUSY_POLL_BUDGET),
        remedy);
  }

  /**
   * Lets one system call send the whole ring, where it would be 32 frames: since Linux 6.17.
   * Without, it takes more calls.
   */
  void raiseTxBudget() {
    int _ = calls.setsockopt(descriptor, SOL_XDP, MAX_TX_BUDGET, Math.max(32, entries));
  }

  /** Whether the device reads and writes the packet memory itself. */
  boolean isZeroCopy() {
    MemorySegment options = scratch.asSlice(0, Integer.BYTES);
    return calls.getsockopt(descriptor, SOL_XDP, OPTIONS, options) >= 0
        && options.get(ValueLayout.JAVA_INT, 0) != 0;
  }

  /** The kernel's counts. */
  SocketStatistics statistics() {
    try (Arena own = Arena.ofConfined()) {
      MemorySegment counts = own.allocate(48, 8);
      int _ = new SystemCalls().getsockopt(descriptor, SOL_XDP, STATISTICS, counts);
      return new SocketStatistics(
          counts.get(ValueLayout.JAVA_LONG, 0),
          counts.get(ValueLayout.JAVA_LONG, 8),
          counts.get(ValueLayout.JAVA_LONG, 16),
          counts.get(ValueLayout.JAVA_LONG, 24),
          queueEntries == 0 ? 0 : counts.get(ValueLayout.JAVA_LONG, 32), // Of the first, then.
          counts.get(ValueLayout.JAVA_LONG, 40));
    }
  }

  private void require(String what, long result, String remedy) {
    if (result < 0) {
      throw failed(what, result, remedy);
    }
  }

  PortException failed(String what, long result, String remedy) {
    return new PortException(
        "%s: interface=%s, queue=%d, error=%s; %s"
            .formatted(what, networkInterface.name(), queue, Errno.text(result), remedy));
  }

  @Override
  public void close() {
    for (RingMap map : maps) {
      int _ = calls.munmap(map.address(), map.mappedBytes());
    }
    maps.clear();
    int _ = calls.close(descriptor);
    arena.close();
  }
}
