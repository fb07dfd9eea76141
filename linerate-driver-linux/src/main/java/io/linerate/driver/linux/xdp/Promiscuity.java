package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import io.linerate.driver.linux.NetInterface;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Makes an interface receive frames for other addresses too, for as long as a packet(7) socket is
 * open: a process that is killed leaves nothing behind.
 */
final class Promiscuity implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Promiscuity.class.getName());
  private static final int AF_PACKET = 17;
  private static final int SOL_PACKET = 263;
  private static final int ADD_MEMBERSHIP = 1;
  private static final int PROMISCUOUS = 1;

  private final SystemCalls calls = new SystemCalls();
  private final int descriptor;

  private Promiscuity(NetInterface networkInterface) {
    // Protocol 0: the socket itself receives nothing.
    descriptor = calls.socket(AF_PACKET, SystemCalls.SOCK_RAW, 0);
    int result = descriptor < 0 ? descriptor : join(networkInterface);
    if (result < 0) {
      LOG.log(
          Level.WARNING,
          "interface receives only what is for its own address: interface={0}, error={1}",
          networkInterface.name(),
          Errno.text(result));
    }
  }

  static Promiscuity of(NetInterface networkInterface) {
    return new Promiscuity(networkInterface);
  }

  /** struct packet_mreq: 0 interface | 4 type | 6 length | 8 address. */
  private int join(NetInterface networkInterface) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment membership = arena.allocate(16, 8);
      membership.set(ValueLayout.JAVA_INT, 0, networkInterface.index());
      membership.set(ValueLayout.JAVA_SHORT, 4, (short) PROMISCUOUS);
      return calls.setsockopt(descriptor, SOL_PACKET, ADD_MEMBERSHIP, membership.address(), 16);
    }
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      int _ = calls.close(descriptor);
    }
  }
}
