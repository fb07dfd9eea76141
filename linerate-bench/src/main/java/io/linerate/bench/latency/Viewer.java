package io.linerate.bench.latency;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;

/** Whoever has the page of a program open: reads its state each second, as a browser does. */
final class Viewer implements AutoCloseable {
  private final int port;
  private volatile boolean isOver;
  private volatile boolean hasSeen;

  private Viewer(int port) {
    this.port = port;
  }

  /** One for a program that is yet to be started with {@link #address} for its page. */
  static Viewer create() throws IOException {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Viewer(any.getLocalPort());
    }
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Opens the page. */
  void start() {
    Thread.ofPlatform().daemon().name("viewer").start(this::view);
  }

  private void view() {
    while (!isOver) {
      try (InputStream live =
          URI.create("http://" + address() + "/api/live").toURL().openStream()) {
        byte[] part = new byte[1 << 13];
        while (!isOver && live.read(part) >= 0) {
          hasSeen = true;
        }
      } catch (IOException e) {
        isOver = true; // It has ended.
      }
    }
  }

  boolean hasSeen() {
    return hasSeen;
  }

  /** Whether it has not seen the page yet and still tries. */
  boolean isWaiting() {
    return !hasSeen && !isOver;
  }

  /**
   * @throws IllegalStateException if the program has shown nothing
   */
  void requireSeen() {
    if (!hasSeen) {
      throw new IllegalStateException("program shows no page: address=" + address());
    }
  }

  @Override
  public void close() {
    isOver = true;
  }
}
