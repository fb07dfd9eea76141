package io.linerate.bench.elements;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * A program under measurement: a firewall of twenty addresses from one {@code net_null} to another,
 * by hand or as a graph, with the same handler. Arguments: {@link #HAND} or {@link #GRAPH}, packets
 * in a burst, CPU.
 */
public final class SmallFirewall {
  private static final DropReason RULE = DropReason.named("rule");
  static final String HAND = "hand";
  static final String GRAPH = "graph";

  private static final String IN = "bench:frame=64,port=dpdk:net_null0,size=64";
  private static final String OUT = "bench:sink=,port=dpdk:net_null1,size=64";
  private static final int SOURCE = 26;

  private SmallFirewall() {}

  public static void main(String[] arguments) {
    int burst = Integer.parseInt(arguments[1]);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .withRxBurst(burst)
            .withTxBurst(burst)
            .withFreeBurst(burst)
            .withCpus(List.of(Integer.parseInt(arguments[2])));
    try (Engine engine = new Engine(config)) {
      var in = engine.port("in", IN);
      var out = engine.port("out", OUT);
      if (arguments[0].equals(HAND)) {
        Output output = engine.worker().output(out);
        engine.worker().input(in, handler(output::sendAll));
      } else {
        GraphRunner.install(graph(), engine);
      }
      System.err.print(engine.run());
    }
  }

  private static Graph graph() {
    return Graph.of(g ->
        g.chain(
            g.add("in", new FromPort("in")),
            g.add("rules", new Rules()),
            g.add("out", new ToPort("out"))));
  }

  private record Rules() implements Element {
    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input("in", handler(out::push));
    }
  }

  /** Drops what comes from 192.0.2.1 to 192.0.2.20, and hands the rest on. */
  private static BurstHandler handler(Consumer<Burst> out) {
    long[] addresses = LongStream.rangeClosed(1, 20).map(host -> 0xC000_0200L + host).toArray();
    return burst -> {
      for (Packet packet : burst) {
        long source = packet.u32(SOURCE);
        for (long address : addresses) {
          if (source == address) {
            packet.drop(RULE);
            break;
          }
        }
      }
      out.accept(burst);
    };
  }
}
