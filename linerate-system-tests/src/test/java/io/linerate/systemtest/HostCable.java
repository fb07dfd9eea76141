package io.linerate.systemtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;

/**
 * The cable between a {@link NetworkCard} and this process: a UDP datagram of the loopback
 * interface for each frame.
 */
final class HostCable implements AutoCloseable {
  private static final int MOST_BYTES = 65_536;
  private static final int TIMEOUT_MS = 120_000;

  private final DatagramSocket socket;
  private final InetSocketAddress machine;

  HostCable() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try {
      socket = new DatagramSocket(0, loopback);
      socket.setSoTimeout(TIMEOUT_MS);
      try (DatagramSocket free = new DatagramSocket(0, loopback)) {
        machine = new InetSocketAddress(loopback, free.getLocalPort());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The other end. */
  String backend() {
    return "socket,udp=127.0.0.1:%d,localaddr=127.0.0.1:%d"
        .formatted(socket.getLocalPort(), machine.getPort());
  }

  void send(byte[] frame) {
    try {
      socket.send(new DatagramPacket(frame, frame.length, machine));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next frame that the card has sent; waits for it. */
  byte[] receive() {
    DatagramPacket packet = new DatagramPacket(new byte[MOST_BYTES], MOST_BYTES);
    try {
      socket.receive(packet);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("no frame came: timeoutMs=" + TIMEOUT_MS, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Arrays.copyOf(packet.getData(), packet.getLength());
  }

  @Override
  public void close() {
    socket.close();
  }
}
