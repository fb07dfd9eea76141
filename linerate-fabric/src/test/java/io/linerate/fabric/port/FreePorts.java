package io.linerate.fabric.port;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of TCP that nobody has. */
final class FreePorts {
  private FreePorts() {}

  /** One whose next is free, too. */
  static int pair() {
    for (int tries = 0; tries < 100; tries++) {
      try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          ServerSocket _ =
              new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
        return first.getLocalPort();
      } catch (IOException | IllegalArgumentException e) {
        // Another pair.
      }
    }
    throw new AssertionError("no two free ports in a row");
  }
}
