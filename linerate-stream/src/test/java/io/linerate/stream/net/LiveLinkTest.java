package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.stream.Bytes;
import io.linerate.stream.Streams;
import io.linerate.testkit.Soak;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams over a wire while workers come and go, and take receive queues with them. */
@Timeout(300)
class LiveLinkTest {
  private static final int QUEUES = 4;
  private static final StreamHost LEFT = StreamHost.of("left", "02:00:00:00:00:01", "10.0.0.1/24");
  private static final StreamHost RIGHT =
      StreamHost.of("right", "02:00:00:00:00:02", "10.0.0.2/24");

  @Test
  @Tag("sampled")
  void shouldBringAllMessagesWhileWorkersComeAndGo() throws Exception {
    int turns = Soak.times(12, 200);
    Numbered.Check check = new Numbered.Check();
    LinkSettings settings = LinkSettings.DEFAULT;
    Graph graph =
        Streams.graph(s -> {
          Node out = s.graph().add("left", LEFT.sender(settings, "10.0.0.2:4242", 1));
          Node in = s.graph().add("right", RIGHT.receiver(settings, 4_242, false));
          s.objects("source", Bytes.class, () -> new Numbered(Long.MAX_VALUE)).to(out);
          s.objects(in, Message.class).sink("check", message -> check.take(message.bytes()));
        });
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.YIELD)
            .withWorkers(2)
            .withQueues(QUEUES)
            .withMaxWorkers(4);
    try (Engine engine = new Engine(config)) {
      engine.port("left", "ring:wire,size=1024");
      engine.port("right", "ring:wire,size=1024");
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      for (int turn = 0; turn < turns; turn++) {
        Worker added = engine.addWorker();
        engine.spread().get(120, TimeUnit.SECONDS);
        awaitMore(engine, check);
        Worker other = engine.workers().get(1);
        engine.retire(turn % 2 == 0 ? added : other).get(120, TimeUnit.SECONDS);
        awaitMore(engine, check);
      }
      assertThat(runner.read("right/in.moved").sum()).as("flows moved").isPositive();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().failures()).isEmpty();
    }
    assertThat(check.wrong).isEmpty();
    assertThat(check.count).isPositive();
  }

  private static void awaitMore(Engine engine, Numbered.Check check) {
    long before = check.count;
    long startNs = System.nanoTime();
    while (check.count < before + 1_000 && check.wrong.isEmpty()) {
      assertThat(engine.summary().failures()).isEmpty();
      assertThat(System.nanoTime() - startNs).as("waited, ns").isLessThan(60_000_000_000L);
      LockSupport.parkNanos(100_000);
    }
  }
}
