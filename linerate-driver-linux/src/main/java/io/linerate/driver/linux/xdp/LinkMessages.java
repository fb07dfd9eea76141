package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.NativeMemory;
import io.linerate.core.driver.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/**
 * Which XDP programs an interface has, asked through rtnetlink(7); and how to take one off that was
 * attached the same way, as {@code ip link set dev IFACE xdp off} does.
 *
 * <pre>
 *   nlmsghdr:  0 length | 4 type | 6 flags | 8 sequence | 12 port
 *   ifinfomsg: 16 family | 18 type | 20 index | 24 flags | 28 change
 *   rtattr:    0 length | 2 type | 4 value, to a multiple of 4
 * </pre>
 */
record LinkMessages(SystemCalls calls) {
  private static final int AF_NETLINK = 16;
  private static final int RTM_NEWLINK = 16;
  private static final int RTM_GETLINK = 18;
  private static final int RTM_SETLINK = 19;
  private static final int NLM_F_REQUEST = 1;
  private static final int NLM_F_ACK = 4;
  private static final int NLMSG_ERROR = 2;
  private static final int IFLA_XDP = 43;
  private static final int IFLA_XDP_FD = 1;
  private static final int IFLA_XDP_FLAGS = 3;
  private static final int NO_PROGRAM = -1;
  private static final int NESTED = 0x8000;
  private static final int TYPE_BITS = 0x3FFF;

  private static final int HEADER_BYTES = 32;
  private static final int ATTRIBUTE_BYTES = 4;
  private static final int ANSWER_BYTES = 1 << 16;

  /** Ids of the programs that are attached, by mode; empty when the kernel does not say. */
  Map<XdpMode, Integer> programs(int interfaceIndex) {
    Map<XdpMode, Integer> programs = new EnumMap<>(XdpMode.class);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(ANSWER_BYTES, 8);
      header(message.address(), HEADER_BYTES, RTM_GETLINK, 0, interfaceIndex);
      long bytes = exchange(message, HEADER_BYTES);
      if (bytes >= HEADER_BYTES && NativeMemory.u16(message.address() + 4) == RTM_NEWLINK) {
        long end = message.address() + bytes;
        long xdp = find(message.address() + HEADER_BYTES, end, IFLA_XDP);
        for (XdpMode mode : XdpMode.values()) {
          addProgram(programs, mode, xdp);
        }
      }
    }
    return programs;
  }

  private static void addProgram(Map<XdpMode, Integer> programs, XdpMode mode, long xdp) {
    if (xdp != 0) {
      long end = xdp + NativeMemory.u16(xdp);
      long attribute = find(xdp + ATTRIBUTE_BYTES, end, mode.programIdAttribute());
      if (attribute != 0 && NativeMemory.u32(attribute + ATTRIBUTE_BYTES) != 0) {
        programs.put(mode, NativeMemory.u32(attribute + ATTRIBUTE_BYTES));
      }
    }
  }

  /** Takes the program off that is attached in this mode without a link; 0 or {@code -errno}. */
  int detach(int interfaceIndex, XdpMode mode) {
    return attach(interfaceIndex, mode, NO_PROGRAM);
  }

  /** Puts a program in the place of the one that is attached without a link, or of none. */
  int attach(int interfaceIndex, XdpMode mode, int program) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(ANSWER_BYTES, 8);
      long at = message.address();
      int bytes = HEADER_BYTES + 3 * ATTRIBUTE_BYTES + 2 * Integer.BYTES;
      header(at, bytes, RTM_SETLINK, NLM_F_ACK, interfaceIndex);
      at += HEADER_BYTES;
      attribute(at, IFLA_XDP | NESTED, bytes - HEADER_BYTES);
      at += ATTRIBUTE_BYTES;
      attribute(at, IFLA_XDP_FD, ATTRIBUTE_BYTES + Integer.BYTES);
      NativeMemory.u32(at + ATTRIBUTE_BYTES, program);
      at += ATTRIBUTE_BYTES + Integer.BYTES;
      attribute(at, IFLA_XDP_FLAGS, ATTRIBUTE_BYTES + Integer.BYTES);
      NativeMemory.u32(at + ATTRIBUTE_BYTES, mode.attachFlag());
      long answered = exchange(message, bytes);
      if (answered < 0) {
        return (int) answered;
      }
      return NativeMemory.u16(message.address() + 4) == NLMSG_ERROR
          ? NativeMemory.u32(message.address() + 16)
          : 0;
    }
  }

  private long exchange(MemorySegment message, int bytes) {
    int socket = calls.socket(AF_NETLINK, SystemCalls.SOCK_RAW, 0);
    if (socket < 0) {
      return socket;
    }
    try {
      long sent = calls.write(socket, message.address(), bytes);
      return sent < 0 ? sent : calls.read(socket, message.address(), message.byteSize());
    } finally {
      int _ = calls.close(socket);
    }
  }

  private static void header(long at, int bytes, int type, int flags, int interfaceIndex) {
    NativeMemory.u32(at, bytes);
    NativeMemory.u16(at + 4, type);
    NativeMemory.u16(at + 6, flags | NLM_F_REQUEST);
    NativeMemory.u32(at + 8, 1);
    NativeMemory.u32(at + 20, interfaceIndex);
  }

  private static void attribute(long at, int type, int bytes) {
    NativeMemory.u16(at, bytes);
    NativeMemory.u16(at + 2, type);
  }

  /** Address of the first attribute of a type, or 0. */
  private static long find(long from, long end, int type) {
    long at = from;
    while (at + ATTRIBUTE_BYTES <= end) {
      int bytes = NativeMemory.u16(at);
      if (bytes < ATTRIBUTE_BYTES || at + bytes > end) {
        return 0;
      }
      if ((NativeMemory.u16(at + 2) & TYPE_BITS) == type) {
        return at;
      }
      at += (bytes + 3) & -4;
    }
    return 0;
  }
}
