package io.linerate.driver.linux.packet;

import static io.linerate.core.driver.SystemCalls.SOL_PACKET;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import io.linerate.driver.linux.NetInterface;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;

/** A socket of packet(7), bound to one interface. Numbers are of linux/if_packet.h. */
record PacketSocket(NetInterface netInterface, SystemCalls calls, int descriptor)
    implements AutoCloseable {
  /** In place of a group's number: there is none yet. */
  static final int NO_GROUP = -1;

  /** All protocols, in network order. */
  private static final int ETH_P_ALL = 0x0300;

  private static final int PACKET_RX_RING = 5;
  private static final int PACKET_STATISTICS = 6;
  private static final int PACKET_VERSION = 10;
  private static final int PACKET_RESERVE = 12;
  private static final int PACKET_VNET_HDR = 15;
  private static final int PACKET_FANOUT = 18;
  private static final int PACKET_QDISC_BYPASS = 20;
  private static final int PACKET_FANOUT_DATA = 22;
  private static final int PACKET_IGNORE_OUTGOING = 23;
  private static final int PACKET_FANOUT_FLAG_UNIQUEID = 0x2000;

  /** Older kernels do not know it, and do not mind. */
  private static final int PACKET_FANOUT_FLAG_IGNORE_OUTGOING = 0x4000;

  private static final int TPACKET_V3 = 2;

  private static final int SO_ERROR = 4;
  private static final int SO_SNDBUF = 7;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int SO_DETACH_FILTER = 27;
  private static final int SO_SNDBUFFORCE = 32;

  // Of classic BPF, in linux/filter.h: return k; load a word; skip instructions unless equal to k.
  private static final int BPF_RET_K = 0x06;
  private static final int BPF_LD_W_ABS = 0x20;
  private static final int BPF_JEQ_K = 0x15;

  /** Where that load finds the type of a packet, and the type of one that is sent. */
  private static final int SKF_AD_PKTTYPE = -0x1000 + 4;

  private static final int PACKET_OUTGOING = 4;
  private static final int ONE_IF_NOT = 1 << 8;

  private static final int SEND_BUFFER_BYTES = 8 << 20;

  /**
   * A socket that neither sends nor receives yet.
   *
   * @throws PortException if that is not allowed
   */
  static PacketSocket open(NetInterface netInterface, SystemCalls calls) {
    // SOCK_NONBLOCK is the same bit.
    int type = SystemCalls.SOCK_RAW | SystemCalls.O_NONBLOCK;
    int descriptor = calls.socket(SystemCalls.AF_PACKET, type, 0);
    if (descriptor == -Errno.EPERM || descriptor == -Errno.EACCES) {
      throw new PortException(
          "no permission to use the interface: interface=%s, missing capability=CAP_NET_RAW; run as root, or: sudo setpriv --reuid=$USER --init-groups --inh-caps=+net_raw --ambient-caps=+net_raw COMMAND"
              .formatted(netInterface.name()));
    }
    PacketSocket socket = new PacketSocket(netInterface, calls, descriptor);
    boolean isUnknown = descriptor == -Errno.EAFNOSUPPORT;
    socket.require(
        "socket", descriptor, isUnknown ? "use a kernel with CONFIG_PACKET" : "check ulimit -n");
    return socket;
  }

  /** Makes it one that receives into a ring. */
  void receiveRing(int blockBytes, int blocks, int frameBytes, int retireMs, int reserveBytes) {
    set(PACKET_VERSION, TPACKET_V3, "PACKET_VERSION");
    set(PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
    set(PACKET_RESERVE, reserveBytes, "PACKET_RESERVE");
    set(PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
    try (Arena arena = Arena.ofConfined()) {
      // struct tpacket_req3
      int frames = blockBytes / frameBytes * blocks;
      MemorySegment request =
          arena.allocateFrom(
              ValueLayout.JAVA_INT, blockBytes, blocks, frameBytes, frames, retireMs, 0, 0);
      int result =
          calls.setsockopt(descriptor, SOL_PACKET, PACKET_RX_RING, request.address(), 7 * 4);
      require("PACKET_RX_RING", result, "use a smaller ring: rx=N");
    }
  }

  /** Everything that comes is refused, and not counted as lost, until {@link #accept}. */
  void refuseAll() {
    filter(instruction(BPF_RET_K, 0, 0));
  }

  /**
   * From now on receives what a program lets pass.
   *
   * @param instructions none: everything
   */
  void accept(long... instructions) {
    if (instructions.length > 0) {
      filter(instructions);
    } else {
      acceptAll();
    }
  }

  private void acceptAll() {
    require(
        "SO_DETACH_FILTER",
        calls.setsockopt(descriptor, SystemCalls.SOL_SOCKET, SO_DETACH_FILTER, 0),
        "this is a bug");
  }

  /**
   * As {@link #accept}, but for what this machine sends: a fanout group gets that whatever its
   * sockets say, and on older kernels also whatever it says itself.
   */
  void acceptIncoming(long... instructions) {
    LongStream rest =
        instructions.length > 0
            ? LongStream.of(instructions)
            : LongStream.of(instruction(BPF_RET_K, 0, -1));
    filter(
        LongStream.concat(
                LongStream.of(
                    instruction(BPF_LD_W_ABS, 0, SKF_AD_PKTTYPE),
                    instruction(BPF_JEQ_K, ONE_IF_NOT, PACKET_OUTGOING),
                    instruction(BPF_RET_K, 0, 0)),
                rest)
            .toArray());
  }

  /** One of struct sock_filter, as a number in host order. */
  private static long instruction(int code, int jumps, int k) {
    return code | (long) jumps << 16 | (long) k << 32;
  }

  private void filter(long... instructions) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment program = arena.allocateFrom(ValueLayout.JAVA_LONG, instructions);
      // struct sock_fprog
      MemorySegment filter = arena.allocate(16, 8);
      filter.set(ValueLayout.JAVA_SHORT, 0, (short) instructions.length);
      filter.set(ValueLayout.JAVA_LONG, 8, program.address());
      int result =
          calls.setsockopt(
              descriptor, SystemCalls.SOL_SOCKET, SO_ATTACH_FILTER, filter.address(), 16);
      require("SO_ATTACH_FILTER", result, "this is a bug");
    }
  }

  /** Binds it so that it receives everything. */
  void bindToReceive() {
    bind(ETH_P_ALL);
  }

  /** Binds it so that it only sends. */
  void bindToSend(boolean bypass) {
    if (bypass) {
      set(PACKET_QDISC_BYPASS, 1, "PACKET_QDISC_BYPASS");
    }
    set(PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
    int level = SystemCalls.SOL_SOCKET;
    // The limit of every user is 208 KiB, of one with CAP_NET_ADMIN none.
    if (calls.setsockopt(descriptor, level, SO_SNDBUFFORCE, SEND_BUFFER_BYTES) < 0) {
      int _ = calls.setsockopt(descriptor, level, SO_SNDBUF, SEND_BUFFER_BYTES);
    }
    bind(0);
  }

  private void bind(int protocol) {
    try (Arena arena = Arena.ofConfined()) {
      // struct sockaddr_ll
      MemorySegment address = arena.allocate(20, 8);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) SystemCalls.AF_PACKET);
      address.set(ValueLayout.JAVA_SHORT, 2, (short) protocol);
      address.set(ValueLayout.JAVA_INT, 4, netInterface.index());
      require("bind", calls.bind(descriptor, address.address(), 20), "see that it stays (ip link)");
    }
  }

  /** Makes the interface receive frames for other MAC addresses, as long as this is open. */
  void promiscuous() {
    int result = netInterface.promiscuous(calls, descriptor);
    require("PACKET_ADD_MEMBERSHIP", result, "use promisc=off");
  }

  /**
   * Founds a group of sockets among which packets are shared out, or joins one.
   *
   * @param group number of the group, from 0, or {@link #NO_GROUP} to found one
   * @return the number of the group
   */
  int fanout(Fanout fanout, int group) {
    // The kernel numbers the groups from 0.
    int wanted = group == NO_GROUP ? PACKET_FANOUT_FLAG_UNIQUEID << 16 : group;
    int type = fanout.type | PACKET_FANOUT_FLAG_IGNORE_OUTGOING;
    set(PACKET_FANOUT, wanted | type << 16, "PACKET_FANOUT");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
      int result = calls.getsockopt(descriptor, SOL_PACKET, PACKET_FANOUT, value);
      require("PACKET_FANOUT", result, "use queues=1");
      return value.get(ValueLayout.JAVA_INT, 0) & 0xFFFF;
    }
  }

  /** Has the group of this socket share out packets by a program, in place of the one before. */
  void fanoutProgram(int program) {
    set(PACKET_FANOUT_DATA, program, "PACKET_FANOUT_DATA");
  }

  /**
   * Adds what the kernel has counted since the last call: packets lost for want of room in the
   * ring, and how often it found the next block still in use.
   */
  void addLosses(SystemCalls ownCalls, long[] lossesAndFreezes) {
    try (Arena arena = Arena.ofConfined()) {
      // struct tpacket_stats_v3: packets, drops, freezes. Reading resets it.
      MemorySegment counts = arena.allocate(12, 8);
      if (ownCalls.getsockopt(descriptor, SOL_PACKET, PACKET_STATISTICS, counts) >= 0) {
        lossesAndFreezes[0] += Integer.toUnsignedLong(counts.get(ValueLayout.JAVA_INT, 4));
        lossesAndFreezes[1] += Integer.toUnsignedLong(counts.get(ValueLayout.JAVA_INT, 8));
      }
    }
  }

  /**
   * Whether the interface was deleted. That it is down is no reason to give up: it may come up
   * again.
   */
  boolean isGone() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
      int _ = calls.getsockopt(descriptor, SystemCalls.SOL_SOCKET, SO_ERROR, value);
      return value.get(ValueLayout.JAVA_INT, 0) != 0
          && calls.ifNameToIndex(netInterface.name()) != netInterface.index();
    }
  }

  PortException gone() {
    return new PortException(
        "interface is gone: interface=%s, index=%d; make it again and start again, or set reopen=on"
            .formatted(netInterface.name(), netInterface.index()));
  }

  private void set(int option, int value, String name) {
    require(
        name,
        calls.setsockopt(descriptor, SOL_PACKET, option, value),
        "use a newer kernel, 4.20 at least");
  }

  private void require(String call, int result, String remedy) {
    if (result < 0) {
      throw new PortException(
          "cannot use the interface: interface=%s, %s=%s; %s"
              .formatted(netInterface.name(), call, Errno.text(result), remedy));
    }
  }

  @Override
  public void close() {
    int _ = calls.close(descriptor);
  }
}
