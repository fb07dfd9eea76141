package io.linerate.bench.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;

/**
 * A translator as one writes it with sockets: for each client a socket outside, by which what the
 * client sends leaves, and by which its answers come back. Datagrams of UDP to one server.
 * Arguments: port to listen at, server, its port.
 */
public final class SocketRelay {
  private static final int MOST_BYTES = 65_536;

  private final DatagramChannel inside;
  private final Selector selector;
  private final InetSocketAddress server;
  private final Map<SocketAddress, DatagramChannel> outside = new HashMap<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(MOST_BYTES);

  private SocketRelay(int port, InetSocketAddress server) throws IOException {
    this.server = server;
    selector = Selector.open();
    inside = DatagramChannel.open();
    inside.bind(new InetSocketAddress(port)).configureBlocking(false);
    inside.register(selector, SelectionKey.OP_READ);
  }

  public static void main(String[] arguments) throws IOException {
    new SocketRelay(
            Integer.parseInt(arguments[0]),
            new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2])))
        .run();
  }

  private void run() throws IOException {
    while (selector.isOpen()) {
      selector.select(this::move);
    }
  }

  private void move(SelectionKey key) {
    try {
      if (key.attachment() instanceof SocketAddress client) {
        moveIn((DatagramChannel) key.channel(), client);
      } else {
        moveOut();
      }
    } catch (IOException e) {
      // A datagram is lost, as others are.
      System.err.println("relay: " + e);
    }
  }

  private void moveOut() throws IOException {
    for (SocketAddress client = receive(); client != null; client = receive()) {
      DatagramChannel channel = outside.get(client);
      if (channel == null) {
        channel = DatagramChannel.open().connect(server);
        channel.configureBlocking(false).register(selector, SelectionKey.OP_READ, client);
        outside.put(client, channel);
      }
      int _ = channel.write(buffer.flip());
    }
  }

  private SocketAddress receive() throws IOException {
    return inside.receive(buffer.clear());
  }

  private void moveIn(DatagramChannel channel, SocketAddress client) throws IOException {
    while (channel.read(buffer.clear()) > 0) {
      int _ = inside.send(buffer.flip(), client);
    }
  }
}
