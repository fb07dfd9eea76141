package io.linerate.bench.latency;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import java.io.IOException;
import java.util.List;

/**
 * The twin of forwarder.c: adds one to a byte of each packet, as ixy's forwarder does, and sends
 * what it received at once. Arguments: CPU, address of the port to receive from, and of the one to
 * send to.
 */
public final class Forwarder {
  /** Last byte of the source address. */
  private static final int TOUCHED_BYTE = 11;

  private Forwarder() {}

  public static void main(String[] arguments) throws IOException {
    EngineConfig config =
        EngineConfig.DEFAULT
            .withProgramName("forwarder")
            .withCpus(List.of(Integer.parseInt(arguments[0])))
            .withIdle(Idle.BUSY_SPIN)
            .withTxRetryUs(0);
    try (Engine engine = new Engine(config)) {
      Output output = engine.worker().output(engine.port("out", arguments[2]));
      engine.worker().input(engine.port("in", arguments[1]), burst -> forward(burst, output));
      engine.start();
      System.out.println("ready");
      awaitEndOfInput();
      engine.stop();
      engine.awaitEnd(Long.MAX_VALUE);
      PacketCounts counts = engine.summary().packets();
      System.out.println(counts.received() + " " + counts.sent());
    }
  }

  private static void forward(Burst burst, Output output) {
    for (Packet packet : burst) {
      packet.u8(TOUCHED_BYTE, packet.u8(TOUCHED_BYTE) + 1 & 0xFF);
    }
    output.sendAll(burst);
    output.flush();
  }

  @SuppressWarnings("EmptyBlockTag")
  private static void awaitEndOfInput() throws IOException {
    int next = System.in.read();
    while (next >= 0) {
      next = System.in.read();
    }
  }
}
