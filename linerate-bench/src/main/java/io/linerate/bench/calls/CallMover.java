package io.linerate.bench.calls;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Forwards, and answers each line of standard input with the packets that it has sent, the system
 * calls that it took and the time in ns, until its input ends. Arguments: CPU, address to receive
 * from, address to send to.
 */
public final class CallMover {
  private static final List<String> CALLS = List.of("tx_system_calls", "tx_calls");

  private CallMover() {}

  public static void main(String[] arguments) {
    EngineConfig config =
        EngineConfig.DEFAULT
            .withProgramName("calls")
            .withCpus(List.of(Integer.parseInt(arguments[0])))
            .withIdle(Idle.BUSY_SPIN);
    try (Engine engine = new Engine(config)) {
      Port in = engine.port("in", arguments[1]);
      Port out = engine.port("out", arguments[2]);
      Output output = engine.worker().output(out);
      engine.worker().input(in, output::sendAll);
      Thread.ofPlatform().daemon().start(() -> answer(out));
      engine.run();
    }
  }

  private static void answer(Port out) {
    System.out.println("ready");
    try (var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (lines.readLine() != null) {
        PortStatistics counts = out.statistics();
        long calls =
            CALLS.stream().mapToLong(name -> counts.extended().getOrDefault(name, 0L)).sum();
        System.out.println(counts.txPackets() + " " + calls + " " + System.nanoTime());
      }
    } catch (IOException e) {
      System.err.println("bench: orders cannot be read: " + e.getMessage());
    }
    System.exit(0);
  }
}
