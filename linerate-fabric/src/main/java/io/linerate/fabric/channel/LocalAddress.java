package io.linerate.fabric.channel;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Which address of this host a peer can answer to. */
final class LocalAddress {
  private LocalAddress() {}

  /**
   * An address for an endpoint that sends to {@code remote}: of the interface that the route leads
   * to, with a port that UDP has just had; of shm a name that nobody else has.
   */
  static FabricAddress towards(FabricAddress remote) {
    if (remote.port() < 0) {
      return new FabricAddress(
          remote.provider(),
          "%.32s-%d-%x".formatted(remote.host(), ProcessHandle.current().pid(), System.nanoTime()),
          -1);
    }
    if (!remote.provider().contains("+")) {
      return remote; // A connection: the peer's address tells the device.
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      // Sends nothing: the kernel chooses the route.
      socket.connect(
          new InetSocketAddress(InetAddress.getByName(remote.host()), Math.max(1, remote.port())));
      return new FabricAddress(
          remote.provider(), socket.getLocalAddress().getHostAddress(), socket.getLocalPort());
    } catch (IOException | UncheckedIOException e) {
      throw new FabricException(
          "no way to a peer: address=%s, reason=%s; see the routes with 'ip route get'"
              .formatted(remote, e.getMessage()));
    }
  }
}
