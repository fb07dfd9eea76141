package io.linerate.track.flow;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;

/** How messages get to a collector. */
public interface IpfixTransport extends AutoCloseable {
  /** For how long a connection is waited for. */
  int CONNECT_TIMEOUT_MS = 5_000;

  /**
   * Sends a message, from position to limit.
   *
   * @throws IOException it did not go out
   */
  void send(ByteBuffer message) throws IOException;

  /** Whether messages that were sent arrive: RFC 7011, section 10. */
  boolean isReliable();

  @Override
  default void close() throws IOException {}

  /** A datagram for each message. That nobody takes it is told at times, when the next one goes. */
  static IpfixTransport udp(InetSocketAddress collector) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.connect(collector);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    return new IpfixTransport() {
      @Override
      public void send(ByteBuffer message) throws IOException {
        channel.write(message);
      }

      @Override
      public boolean isReliable() {
        return false;
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  /** A connection. A collector that does not keep up makes the sender wait. */
  static IpfixTransport tcp(InetSocketAddress collector) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(collector, CONNECT_TIMEOUT_MS);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    return new IpfixTransport() {
      @Override
      public void send(ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
          channel.write(message);
        }
      }

      @Override
      public boolean isReliable() {
        return true;
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
