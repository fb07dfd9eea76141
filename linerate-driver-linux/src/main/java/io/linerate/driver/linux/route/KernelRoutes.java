package io.linerate.driver.linux.route;

import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells the routes of the kernel's main table, those that are there and those that come and go, by
 * rtnetlink(7): so that a routing daemon, which writes them there, drives a router. In a thread of
 * its own. What it misses when the kernel has more news than it can keep, it asks for anew.
 *
 * <pre>
 *   nlmsghdr:  0 length | 4 type | 6 flags | 8 sequence | 12 port
 *   rtmsg:     16 family | 17 bits | 18 source bits | 19 TOS | 20 table | 21 protocol | 22 scope |
 *              23 type | 24 flags
 *   rtattr:    0 length | 2 type | 4 value, to a multiple of 4
 *   rtnexthop: 0 length | 2 flags | 3 weight - 1 | 4 interface | 8 attributes
 * </pre>
 */
public final class KernelRoutes implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(KernelRoutes.class.getName());

  private static final int AF_NETLINK = 16;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int SO_RCVBUF = 8;
  private static final int SO_RCVTIMEO = 20;

  /** RTNLGRP_IPV4_ROUTE and RTNLGRP_IPV6_ROUTE, as bits. */
  private static final int GROUPS = (1 << 6) | (1 << 10);

  private static final int RTM_NEWROUTE = 24;
  private static final int RTM_DELROUTE = 25;
  private static final int RTM_GETROUTE = 26;
  private static final int NLMSG_ERROR = 2;
  private static final int NLMSG_DONE = 3;
  private static final int REQUEST_DUMP = 0x301;

  private static final int RTA_DST = 1;
  private static final int RTA_OIF = 4;
  private static final int RTA_GATEWAY = 5;
  private static final int RTA_PRIORITY = 6;
  private static final int RTA_MULTIPATH = 9;
  private static final int RTA_TABLE = 15;
  private static final int TYPE_BITS = 0x3FFF;

  private static final int MAIN_TABLE = 254;
  private static final int RTPROT_KERNEL = 2;
  private static final int RTM_F_CLONED = 0x200;

  private static final int HEADER_BYTES = 16;
  private static final int ROUTE_BYTES = 12;
  private static final int ATTRIBUTE_BYTES = 4;
  private static final int HOP_BYTES = 8;
  private static final int BUFFER_BYTES = 1 << 18;
  private static final int SOCKET_BUFFER_BYTES = 1 << 22;
  private static final int TIMEOUT_US = 100_000;

  private static final int EAGAIN = 11;
  private static final int EINTR = 4;
  private static final int ENOBUFS = 105;

  private final SystemCalls calls = new SystemCalls();
  private final Consumer<KernelRoute> listener;
  private final int socket;
  private final Thread thread;
  private volatile boolean isClosed;

  /** Of the version that is asked for; what is asked next waits for its end. */
  private final List<Integer> toAsk = new ArrayList<>();

  /**
   * @param listener is told of each route, in a thread of this; what it throws is logged
   * @throws PortException if the kernel does not tell
   */
  public KernelRoutes(Consumer<KernelRoute> listener) {
    this.listener = listener;
    socket = calls.socket(AF_NETLINK, SystemCalls.SOCK_RAW, 0);
    if (socket < 0) {
      throw new PortException("cannot ask for routes: errno=" + -socket);
    }
    int status = prepare();
    if (status < 0) {
      int _ = calls.close(socket);
      throw new PortException("cannot ask for routes: errno=" + -status);
    }
    thread = Thread.ofPlatform().daemon().name("kernel-routes").start(this::run);
  }

  private int prepare() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(16, 8);
      time.asByteBuffer().order(ByteOrder.nativeOrder()).putLong(0, 0).putLong(8, TIMEOUT_US);
      int status =
          calls.setsockopt(
              socket, SystemCalls.SOL_SOCKET, SO_RCVTIMEO, time.address(), (int) time.byteSize());
      int _ = calls.setsockopt(socket, SystemCalls.SOL_SOCKET, SO_RCVBUF, SOCKET_BUFFER_BYTES);
      MemorySegment address = arena.allocate(12, 4);
      address
          .asByteBuffer()
          .order(ByteOrder.nativeOrder())
          .putShort(0, (short) AF_NETLINK)
          .putInt(8, GROUPS);
      return status < 0 ? status : calls.bind(socket, address.address(), (int) address.byteSize());
    }
  }

  private void run() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BUFFER_BYTES, 8);
      ByteBuffer bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder());
      askAll(memory);
      while (!isClosed) {
        long count = calls.read(socket, memory.address(), BUFFER_BYTES);
        if (count >= 0) {
          messages(bytes, (int) count, memory);
        } else if (count == -ENOBUFS) {
          LOG.log(Level.INFO, "kernel had too many news of routes; they are read anew");
          askAll(memory);
        } else if (count != -EAGAIN && count != -EINTR) {
          LOG.log(
              Level.ERROR, "kernel tells no routes any more: errno={0}", String.valueOf(-count));
          return;
        }
      }
    }
  }

  private void askAll(MemorySegment memory) {
    toAsk.clear();
    toAsk.add(AF_INET6);
    ask(AF_INET, memory);
  }

  private void ask(int family, MemorySegment memory) {
    memory.asSlice(0, HEADER_BYTES + ROUTE_BYTES).fill((byte) 0);
    memory
        .asByteBuffer()
        .order(ByteOrder.nativeOrder())
        .putInt(0, HEADER_BYTES + ROUTE_BYTES)
        .putShort(4, (short) RTM_GETROUTE)
        .putShort(6, (short) REQUEST_DUMP)
        .put(HEADER_BYTES, (byte) family);
    long sent = calls.write(socket, memory.address(), HEADER_BYTES + ROUTE_BYTES);
    if (sent < 0) {
      LOG.log(Level.ERROR, "cannot ask for routes: errno={0}", String.valueOf(-sent));
    }
  }

  private void messages(ByteBuffer bytes, int count, MemorySegment memory) {
    boolean isDone = false;
    int at = 0;
    while (at + HEADER_BYTES <= count) {
      int length = bytes.getInt(at);
      if (length < HEADER_BYTES || at + length > count) {
        break;
      }
      int type = bytes.getShort(at + 4) & 0xFFFF;
      switch (type) {
        case RTM_NEWROUTE, RTM_DELROUTE -> {
          if (length >= HEADER_BYTES + ROUTE_BYTES) {
            tell(bytes, at, at + length, type == RTM_DELROUTE);
          }
        }
        case NLMSG_DONE -> isDone = true;
        case NLMSG_ERROR -> {
          int error = bytes.getInt(at + HEADER_BYTES);
          LOG.log(Level.ERROR, "kernel tells no routes: errno={0}", String.valueOf(-error));
        }
        default -> {}
      }
      at += (length + 3) & -4;
    }
    if (isDone && !toAsk.isEmpty()) {
      ask(toAsk.removeFirst(), memory);
    }
  }

  private void tell(ByteBuffer bytes, int at, int end, boolean isGone) {
    int family = bytes.get(at + 16);
    int table = bytes.get(at + 20) & 0xFF;
    int flags = bytes.getInt(at + 24);
    int first = at + HEADER_BYTES + ROUTE_BYTES;
    int tableAt = find(bytes, first, end, RTA_TABLE);
    boolean isMain = (tableAt < 0 ? table : bytes.getInt(tableAt)) == MAIN_TABLE;
    if (!isMain || (flags & RTM_F_CLONED) != 0 || (family != AF_INET && family != AF_INET6)) {
      return;
    }
    int version = family == AF_INET ? 4 : 6;
    int size = version == 4 ? 4 : 16;
    int destinationAt = find(bytes, first, end, RTA_DST);
    int metricAt = find(bytes, first, end, RTA_PRIORITY);
    KernelRoute route =
        new KernelRoute(
            isGone,
            version,
            destinationAt < 0 ? zeros(size) : read(bytes, destinationAt, size),
            bytes.get(at + 17) & 0xFF,
            kind(bytes.get(at + 23)),
            metricAt < 0 ? 0 : Integer.toUnsignedLong(bytes.getInt(metricAt)),
            bytes.get(at + 21) == RTPROT_KERNEL,
            hops(bytes, first, end, size));
    try {
      listener.accept(route);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "route of the kernel is not used: " + e.getMessage());
    }
  }

  private static KernelRoute.Kind kind(int type) {
    return switch (type) {
      case 1 -> KernelRoute.Kind.UNICAST;
      case 2 -> KernelRoute.Kind.LOCAL;
      case 6 -> KernelRoute.Kind.BLACKHOLE;
      case 7 -> KernelRoute.Kind.UNREACHABLE;
      case 8 -> KernelRoute.Kind.PROHIBIT;
      default -> KernelRoute.Kind.OTHER;
    };
  }

  private static List<KernelRoute.Hop> hops(ByteBuffer bytes, int first, int end, int size) {
    List<KernelRoute.Hop> hops = new ArrayList<>();
    int outAt = find(bytes, first, end, RTA_OIF);
    if (outAt >= 0) {
      hops.add(hop(bytes, first, end, size, bytes.getInt(outAt), 1));
    }
    int severalAt = find(bytes, first, end, RTA_MULTIPATH);
    if (severalAt >= 0) {
      int at = severalAt;
      int last =
          severalAt - ATTRIBUTE_BYTES + (bytes.getShort(severalAt - ATTRIBUTE_BYTES) & 0xFFFF);
      while (at + HOP_BYTES <= last) {
        int length = bytes.getShort(at) & 0xFFFF;
        if (length < HOP_BYTES || at + length > last) {
          break;
        }
        int weight = 1 + (bytes.get(at + 3) & 0xFF);
        hops.add(hop(bytes, at + HOP_BYTES, at + length, size, bytes.getInt(at + 4), weight));
        at += (length + 3) & -4;
      }
    }
    return hops;
  }

  private static KernelRoute.Hop hop(
      ByteBuffer bytes, int first, int end, int size, int interfaceIndex, int weight) {
    int gatewayAt = find(bytes, first, end, RTA_GATEWAY);
    return new KernelRoute.Hop(
        gatewayAt < 0 ? List.of() : read(bytes, gatewayAt, size), interfaceIndex, weight);
  }

  private static List<Byte> read(ByteBuffer bytes, int at, int size) {
    List<Byte> read = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      read.add(bytes.get(at + i));
    }
    return read;
  }

  private static List<Byte> zeros(int size) {
    return Collections.nCopies(size, (byte) 0);
  }

  /** Where the value of an attribute begins; -1 if it is not there. */
  private static int find(ByteBuffer bytes, int first, int end, int type) {
    int at = first;
    while (at + ATTRIBUTE_BYTES <= end) {
      int length = bytes.getShort(at) & 0xFFFF;
      if (length < ATTRIBUTE_BYTES || at + length > end) {
        return -1;
      }
      if ((bytes.getShort(at + 2) & TYPE_BITS) == type) {
        return at + ATTRIBUTE_BYTES;
      }
      at += (length + 3) & -4;
    }
    return -1;
  }

  /** Ends; nothing is told any more afterwards. */
  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join(1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    int _ = calls.close(socket);
  }
}
