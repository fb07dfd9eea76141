package io.linerate.fabric;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** Asks by a connection of TCP, which is closed at once, whether anybody is there. */
final class SocketProbe {
  private static final int TIMEOUT_MS = 200;

  private SocketProbe() {}

  /**
   * Whether the host says that nobody listens, or cannot be reached; a host that says nothing may
   * only be slow.
   *
   * @param address of a peer: HOST:PORT, with whatever before it that ends with a colon
   */
  static boolean isRefused(String address) {
    int port = address.lastIndexOf(':');
    if (port < 0) {
      return false; // An address of another kind of network.
    }
    String rest = address.substring(0, port);
    String host =
        rest.endsWith("]")
            ? rest.substring(rest.lastIndexOf('['))
            : rest.substring(rest.lastIndexOf(':') + 1);
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(host, Integer.parseInt(address.substring(port + 1))), TIMEOUT_MS);
      return false;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
