package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import io.linerate.driver.linux.NetInterface;
import java.lang.System.Logger.Level;

/**
 * Makes an interface receive frames for other addresses too, for as long as a packet(7) socket is
 * open: a process that is killed leaves nothing behind.
 */
final class Promiscuity implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Promiscuity.class.getName());

  private final SystemCalls calls = new SystemCalls();
  private final int descriptor;

  Promiscuity(NetInterface networkInterface) {
    // Protocol 0: the socket itself receives nothing.
    descriptor = calls.socket(SystemCalls.AF_PACKET, SystemCalls.SOCK_RAW, 0);
    int result = descriptor < 0 ? descriptor : networkInterface.promiscuous(calls, descriptor);
    if (result < 0) {
      LOG.log(
          Level.WARNING,
          "interface receives only what is for its own address: interface={0}, error={1}",
          networkInterface.name(),
          Errno.text(result));
    }
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      int _ = calls.close(descriptor);
    }
  }
}
