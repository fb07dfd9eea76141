package io.linerate.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of TCP at the loopback address that nobody has. */
public final class FreePorts {
  private static final int TRIES = 100;

  private FreePorts() {}

  /** The first of so many in a row. */
  public static int inARow(int ports) {
    for (int tries = 0; tries < TRIES; tries++) {
      List<ServerSocket> taken = new ArrayList<>();
      try {
        int first = take(taken, 0);
        for (int i = 1; i < ports; i++) {
          int _ = take(taken, first + i);
        }
        return first;
      } catch (IOException | IllegalArgumentException e) {
        // Others.
      } finally {
        taken.forEach(FreePorts::close);
      }
    }
    throw new AssertionError("no free ports in a row: ports=%d; close some".formatted(ports));
  }

  private static int take(List<ServerSocket> taken, int port) throws IOException {
    ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    taken.add(socket);
    return socket.getLocalPort();
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
