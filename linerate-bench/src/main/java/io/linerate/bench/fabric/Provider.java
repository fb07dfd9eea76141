package io.linerate.bench.fabric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Optional;

/** The providers of libfabric that need no hardware, by the names that libfabric gives them. */
enum Provider {
  SHM("shm"),
  TCP("tcp"),
  TCP_RXM("tcp;ofi_rxm"),
  UDP_RXD("udp;ofi_rxd");

  private final String title;

  Provider(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** As addresses of Linerate have it. */
  String linerateName() {
    return title.replace(";ofi_", "+");
  }

  /** By either name. */
  static Optional<Provider> of(String name) {
    return Arrays.stream(values())
        .filter(one -> one.title.equals(name) || one.linerateName().equals(name))
        .findFirst();
  }

  /** Without RMA, and hundreds of times slower than the others where messages are long. */
  boolean isForMessagesOnly() {
    return this == UDP_RXD;
  }

  /** An address that nobody listens at. */
  static String freeAddress() {
    return "127.0.0.1:" + freePort();
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port: address=127.0.0.1", e);
    }
  }
}
