package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Element;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Soak;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How long it takes from when a packet comes in until one leaves that a token of it has caused, at
 * sparse traffic: one at a time.
 */
@Timeout(300)
class SparseTokensTest {
  private static final int PACKETS = Soak.times(100, 2_000);
  private static final int FEW = 20;
  private static final int LONG_US = 1_000_000;

  /** Makes a packet of each token. */
  private record Answer() implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.tokenInput("in", TokenType.LONGS).output("out");
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.longs(
          "in",
          length -> {
            Packet answer = out.create((int) length);
            if (answer != null) {
              answer.u8(0, 1);
            }
          });
    }
  }

  /** Something to do in each round: then only the drain timer says when to transmit. */
  private static void keepBusy(StreamBuilder s) {
    s.longs("busy", Sources.range(0, Long.MAX_VALUE)).sink("nothing", _ -> {});
  }

  /** Returns the times in ns, in their order. */
  private static long[] times(EngineConfig config, boolean isBusy, int packets) {
    try (Engine engine = new Engine(config.withIdle(Idle.YIELD))) {
      engine.port("in", "ring:in,size=1024");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      engine.port("out", "ring:out,size=1024");
      DriverPort collect = engine.drivers().open("collect", "ring:out");
      GraphRunner.install(
          Streams.graph(s -> {
            Node answer = s.graph().add("answer", new Answer());
            s.graph().chain(answer, s.graph().add("out", new ToPort("out")));
            s.packets("in", "in")
                .mapToLong("length", Packet::length)
                .map("same", n -> n)
                .to(answer);
            if (isBusy) {
              keepBusy(s);
            }
          }),
          engine);
      engine.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      FreeBuffer freeBuffer = new FreeBuffer(engine.drivers().pools(), 1);
      OwnedBurst sent = new OwnedBurst(new MbufArray(1));
      OwnedBurst received = new OwnedBurst(new MbufArray(1));
      long[] times = new long[packets];
      for (int i = 0; i < packets; i++) {
        assertThat(maker.append(sent.array(), new byte[64])).isTrue();
        long startNs = System.nanoTime();
        assertThat(feed.txQueue(0).send(sent.array(), 0)).isEqualTo(1);
        feed.txQueue(0).flush();
        sent.clear();
        while (collect.rxQueue(0).receive(received.array()) == 0) {
          Thread.onSpinWait();
        }
        times[i] = System.nanoTime() - startNs;
        received.dropAll(DropReason.CONSUMED);
        received.finish(freeBuffer);
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
      }
      freeBuffer.flush();
      engine.stop();
      assertThat(engine.awaitEnd(30_000)).isTrue();
      Arrays.sort(times);
      return times;
    }
  }

  /** A worker that has nothing else to do does not wait for more, nor for the drain timer. */
  @Test
  void shouldSendAtOnceWhatATokenHasCausedWhenNothingElseComes() {
    EngineConfig config = EngineConfig.DEFAULT.withTxBurst(4_096).withDrainUs(LONG_US);
    assertThat(times(config, false, FEW)[0]).isLessThan(LONG_US * 1_000L / 2);
  }

  /** The figures of docs/streams.md: what is asserted is that each comes. */
  @ParameterizedTest
  @Tag("sampled")
  @CsvSource({"false,100", "false,1000", "true,0", "true,100", "true,1000"})
  void shouldSendEach(boolean isBusy, int drainUs) {
    long[] times = times(EngineConfig.DEFAULT.withDrainUs(drainUs), isBusy, PACKETS);
    System.out.printf(
        "busy=%s drainus=%d: 10 %% within %.1f us, half within %.1f us, 90 %% within %.1f us%n",
        isBusy,
        drainUs,
        times[PACKETS / 10] / 1e3,
        times[PACKETS / 2] / 1e3,
        times[PACKETS * 9 / 10] / 1e3);
    assertThat(times[0]).isPositive();
  }
}
