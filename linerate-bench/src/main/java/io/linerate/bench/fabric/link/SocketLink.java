package io.linerate.bench.fabric.link;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A {@link SocketChannel}, by TCP without delay or in the Unix domain; blocking, or not blocking
 * and polled.
 */
final class SocketLink implements Link {
  private static final int CREDIT_BYTES = 8;

  private final SocketChannel channel;
  private final ByteBuffer[] out;
  private final ByteBuffer[] in;
  private final ByteBuffer credit = ByteBuffer.allocateDirect(CREDIT_BYTES);
  private int nextOut;
  private int nextIn;

  private SocketLink(SocketChannel channel, boolean isPolled, int bytes, int window)
      throws IOException {
    this.channel = channel;
    if (channel.getLocalAddress() instanceof InetSocketAddress) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    channel.configureBlocking(!isPolled);
    out = buffers(bytes, window);
    in = buffers(bytes, window);
  }

  private static ByteBuffer[] buffers(int bytes, int count) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = ByteBuffer.allocateDirect(bytes);
    }
    return buffers;
  }

  /** "host:port", or the path of a socket. */
  private static SocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    return colon < 0
        ? UnixDomainSocketAddress.of(text)
        : new InetSocketAddress(
            text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  /** Waits for a client, after the server is ready. */
  static SocketLink accept(
      String address, boolean isPolled, int bytes, int window, Runnable whenReady)
      throws IOException {
    SocketAddress at = address(address);
    boolean isUnix = at instanceof UnixDomainSocketAddress;
    try (ServerSocketChannel server =
        isUnix
            ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            : ServerSocketChannel.open()) {
      server.bind(at);
      whenReady.run();
      return new SocketLink(server.accept(), isPolled, bytes, window);
    } finally {
      if (isUnix) {
        Files.deleteIfExists(Path.of(address));
      }
    }
  }

  static SocketLink connect(String address, boolean isPolled, int bytes, int window)
      throws IOException {
    return new SocketLink(SocketChannel.open(address(address)), isPolled, bytes, window);
  }

  @Override
  public void send() throws IOException {
    write(out[nextOut]);
    nextOut = nextOut + 1 == out.length ? 0 : nextOut + 1;
  }

  @Override
  public void receive() throws IOException {
    read(in[nextIn]);
    nextIn = nextIn + 1 == in.length ? 0 : nextIn + 1;
  }

  @Override
  public void sendCredit() throws IOException {
    write(credit);
  }

  @Override
  public void receiveCredit() throws IOException {
    read(credit);
  }

  private void write(ByteBuffer buffer) throws IOException {
    buffer.clear();
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private void read(ByteBuffer buffer) throws IOException {
    buffer.clear();
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer);
      if (read < 0) {
        throw new EOFException("peer has ended");
      }
      if (read == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
