package io.linerate.bench.linux;

import io.linerate.bench.port.OrderTaker;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import java.util.List;

/**
 * Receives and drops, or forwards, and answers the harness until its input ends; what its ports
 * have counted goes to standard error then. Arguments: CPU, address to receive from, and the one to
 * send to if it forwards.
 */
public final class Mover {
  private Mover() {}

  public static void main(String[] arguments) {
    EngineConfig config =
        EngineConfig.DEFAULT
            .withProgramName("mover")
            .withCpus(List.of(Integer.parseInt(arguments[0])))
            .withRxBurst(KernelCase.BURST)
            .withTxBurst(KernelCase.BURST)
            .withIdle(Idle.BUSY_SPIN);
    try (Engine engine = new Engine(config)) {
      Port in = engine.port("in", arguments[1]);
      if (arguments.length > 2) {
        Output output = engine.worker().output(engine.port("out", arguments[2]));
        engine.worker().input(in, output::sendAll);
      } else {
        engine.worker().input(in, burst -> burst.dropAll(DropReason.CONSUMED));
      }
      new OrderTaker(in, List.of()).start();
      engine.run();
    }
  }
}
