package io.linerate.bench.statistics;

import io.linerate.bench.duel.Sample;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.counter.CountersPublisher;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A program under measurement: receives from {@code net_null} and drops. It publishes its numbers
 * while it measures each first, third, fifth slice and does not in the others, so that both run the
 * same compiled code. Arguments: packets in a burst, CPU.
 */
public final class PublishingLoop {
  private static final String MEASURE = "measure ";

  /** The publisher has its file by then: it makes one after 250 ms. */
  private static final int SETTLE_MS = 300;

  private PublishingLoop() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int burst = Integer.parseInt(arguments[0]);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .withRxBurst(burst)
            .withFreeBurst(burst)
            .withCounters(false)
            .withCpus(List.of(Integer.parseInt(arguments[1])));
    try (Engine engine = new Engine(config)) {
      Port port = engine.port("in", "dpdk:net_null0,size=64");
      engine.worker().input(port, packets -> packets.dropAll(DropReason.CONSUMED));
      engine.start();
      System.out.println("ready");
      serve(engine, port);
    }
  }

  private static void serve(Engine engine, Port port) throws IOException, InterruptedException {
    boolean isPublished = false;
    try (var orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        isPublished = !isPublished;
        int ms = Integer.parseInt(line.substring(MEASURE.length()));
        System.out.println(isPublished ? published(engine, port, ms) : measure(port, ms));
      }
    }
  }

  private static Sample published(Engine engine, Port port, int ms) throws InterruptedException {
    try (CountersPublisher _ =
        CountersPublisher.start(
            ProgramInfo.ofThisProcess("bench-statistics"), engine, System::nanoTime)) {
      return measure(port, ms);
    }
  }

  private static Sample measure(Port port, int ms) throws InterruptedException {
    Thread.sleep(SETTLE_MS);
    long before = port.statistics().rxPackets();
    long startNs = System.nanoTime();
    Thread.sleep(ms);
    long received = port.statistics().rxPackets() - before;
    return new Sample(System.nanoTime() - startNs, received, 0, received, 0);
  }
}
