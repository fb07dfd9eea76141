package io.linerate.bench.fabric.link;

import io.linerate.bench.port.OrderTaker;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program under measurement, or its peer: messages there and back one at a time, or in one
 * direction within a window. Arguments: kind of link (nio, nio-poll, ucx), role (ping, pong,
 * source, sink), address, bytes of a message, messages of a window; or {@code ucx} alone, which
 * says why there is no UCX.
 *
 * <p>A sink says after each quarter of the window that it has taken it; a source counts no others.
 */
public final class MessageProgram {
  private static final int PARTS = 4;

  private final AtomicLong done = new AtomicLong();
  private final String[] arguments;
  private final int bytes;
  private final int window;

  private MessageProgram(String[] arguments) {
    this.arguments = arguments;
    bytes = Integer.parseInt(arguments[3]);
    window = Integer.parseInt(arguments[4]);
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 1) {
      UcxLink.require();
      return;
    }
    MessageProgram program = new MessageProgram(arguments);
    switch (arguments[1]) {
      case "pong", "sink" -> program.serve();
      default -> program.ask();
    }
  }

  /** Says ready when clients may come; ends with the client, or with the harness. */
  private void serve() throws IOException {
    OrderTaker.endWithInput();
    try (Link link = accept()) {
      if (arguments[1].equals("pong")) {
        pong(link);
      } else {
        sink(link);
      }
    } catch (EOFException e) {
      return; // The client has ended.
    }
  }

  private void ask() throws IOException {
    Link link = connect();
    new OrderTaker(done::get, () -> 0).start();
    Thread.ofPlatform().name("worker-0").start(() -> run(link));
  }

  private Link accept() throws IOException {
    Runnable ready = () -> System.out.println("ready");
    String kind = arguments[0];
    return kind.equals("ucx")
        ? UcxLink.accept(arguments[2], bytes, window, ready)
        : SocketLink.accept(arguments[2], kind.endsWith("-poll"), bytes, window, ready);
  }

  private Link connect() throws IOException {
    String kind = arguments[0];
    return kind.equals("ucx")
        ? UcxLink.connect(arguments[2], bytes, window)
        : SocketLink.connect(arguments[2], kind.endsWith("-poll"), bytes, window);
  }

  private void run(Link link) {
    try {
      if (arguments[1].equals("ping")) {
        ping(link);
      } else {
        source(link);
      }
    } catch (IOException e) {
      System.err.println("bench: peer is lost: error=" + e.getMessage());
      System.exit(1);
    }
  }

  private void ping(Link link) throws IOException {
    for (long messages = 2; ; messages += 2) {
      link.send();
      link.receive();
      done.setRelease(messages);
    }
  }

  private static void pong(Link link) throws IOException {
    while (true) {
      link.receive();
      link.send();
    }
  }

  private void source(Link link) throws IOException {
    int part = Math.max(1, window / PARTS);
    long taken = 0;
    for (long sent = 0; ; ) {
      for (int i = 0; i < part; i++) {
        link.send();
      }
      sent += part;
      if (sent - taken + part > window) {
        link.receiveCredit();
        taken += part;
        done.setRelease(taken);
      }
    }
  }

  private void sink(Link link) throws IOException {
    int part = Math.max(1, window / PARTS);
    while (true) {
      for (int i = 0; i < part; i++) {
        link.receive();
      }
      link.sendCredit();
    }
  }
}
