package io.linerate.bench.fabric.exchange;

import io.linerate.bench.port.OrderTaker;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Waiting;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A program under measurement, or its peer. Arguments: variant (raw, pin, pin+alloc, copy,
 * copy+alloc), role (those of the C program), {@code listen} or the client's own address, address
 * of the server, bytes of a message, messages of a window, how it waits (spin, yield or sleep), and
 * how many bytes are sent and taken before more are, 0 for messages without an end.
 */
public final class ExchangeProgram {
  private static final String LISTEN = "listen";

  private final AtomicLong done = new AtomicLong();
  private final String variant;
  private final String role;
  private final String own;
  private final FabricAddress server;
  private final int bytes;
  private final int window;
  private final Waiting waiting;
  private final @Nullable Volume volume;
  private final OrderTaker orders;

  private ExchangeProgram(String... arguments) {
    variant = arguments[0];
    role = arguments[1];
    own = arguments[2];
    server = FabricAddress.parse(arguments[3]);
    bytes = Integer.parseInt(arguments[4]);
    window = Integer.parseInt(arguments[5]);
    waiting = Waiting.named(arguments[6]);
    long volumeBytes = Long.parseLong(arguments[7]);
    volume = volumeBytes == 0 ? null : new Volume(volumeBytes / bytes, Stream.part(window));
    orders =
        volume == null
            ? new OrderTaker(done::get, () -> 0)
            : new OrderTaker(done::get, () -> 0, volume);
  }

  public static void main(String[] arguments) {
    ExchangeProgram program = new ExchangeProgram(arguments);
    if (program.own.equals(LISTEN)) {
      OrderTaker.endWithInput();
      program.run();
    } else {
      Thread.ofPlatform().name("worker-0").start(program::run);
    }
  }

  private void run() {
    try {
      run(open());
    } catch (FabricException e) {
      System.err.println("bench: peer is lost: error=" + e.getMessage());
      System.exit(1);
    }
  }

  private End open() {
    return own.equals(LISTEN)
        ? End.listen(server, waiting)
        : End.connect(server, FabricAddress.parse(own), waiting, orders::start);
  }

  private void run(End end) {
    switch (role) {
      case "target" -> RemoteMemory.serve(end, bytes, window);
      case "write", "read" -> RemoteMemory.run(end, bytes, window, role.equals("write"), done);
      case "ping" -> new PingPong(meet(end, 1, window), done).ping();
      case "pong" -> new PingPong(meet(end, 1, window), done).pong();
      default ->
          new Stream(meet(end, window, Stream.receives(window)), window, done, volume)
              .run(!role.equals("sink"));
    }
  }

  /** Posts memory for as many messages before the peer may send; as many may be under way to it. */
  private Traffic meet(End end, int sends, int receives) {
    Traffic traffic =
        variant.equals("raw")
            ? new RawTraffic(end, bytes, sends, receives)
            : new HeapTraffic(
                end, bytes, receives, variant.startsWith("pin"), variant.endsWith("+alloc"));
    end.meet((byte) 0);
    return traffic;
  }
}
