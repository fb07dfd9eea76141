package io.linerate.stream;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.HashSwitch;
import io.linerate.testkit.PacketMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packets of one queue that are spread over workers. */
class SpreadTest {
  private static final int FLOWS = 200;
  private static final int PACKETS = 5 * FLOWS;
  private static final int IPV4_PORTS = 34;

  /** What one worker got: the port of the client, of which each flow has another. */
  private static final class Got implements LongConsumer {
    private final List<Long> tokens = new ArrayList<>();
    private final AtomicLong count;

    Got(AtomicLong count) {
      this.count = count;
    }

    @Override
    public void accept(long token) {
      tokens.add(token);
      count.incrementAndGet();
    }
  }

  private static void feed(Engine engine, DriverPort feed) {
    PacketMaker maker = new PacketMaker("feed", engine.drivers().pools(), 1_024);
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    for (int i = 0; i < PACKETS; i++) {
      int client = 1_000 + i % FLOWS;
      byte[] frame =
          (i % 3 == 0
                  ? udp4().between(B4, A4).ports(53, client)
                  : udp4().between(A4, B4).ports(client, 53))
              .payload(20)
              .toBytes();
      while (!maker.append(one.array(), frame)) {
        LockSupport.parkNanos(100_000);
      }
      while (feed.txQueue(0).send(one.array(), 0) == 0) {
        LockSupport.parkNanos(100_000);
      }
      one.clear();
    }
  }

  @Test
  @Timeout(60)
  void shouldBringBothDirectionsOfAFlowToOneWorkerAndFlowsToAll() {
    List<Got> all = new CopyOnWriteArrayList<>();
    AtomicLong count = new AtomicLong();
    Graph graph =
        Streams.graph(s ->
            s.packets("in", "in")
                .spread("spread", new HashSwitch(3), 1_024)
                .mapToLong(
                    "client",
                    packet -> Math.max(packet.u16(IPV4_PORTS), packet.u16(IPV4_PORTS + 2)))
                .sinkBy(
                    "sink",
                    () -> {
                      Got got = new Got(count);
                      all.add(got);
                      return got;
                    }));
    try (var engine = new Engine(EngineConfig.DEFAULT.withWorkers(3).withQueues(1))) {
      engine.port("in", "ring:in,size=256");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      feed(engine, feed);
      while (count.get() < PACKETS) {
        LockSupport.parkNanos(100_000);
      }
      engine.stop();
      assertThat(engine.awaitEnd(30_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
      assertThat(runner.counts("spread-queue2").dropped()).isEmpty();
    }
    assertThat(all).hasSize(3).allMatch(got -> got.tokens.size() > PACKETS / 10);
    long flows = all.stream().mapToLong(got -> got.tokens.stream().distinct().count()).sum();
    assertThat(flows).isEqualTo(FLOWS);
  }
}
