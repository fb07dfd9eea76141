package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Whatever a handler does with what it is given, packets end once and the program lives. */
class HandlerSafetyTest {
  private static final int PACKETS = 1_000;

  private static RunSummary run(BurstHandler handler) {
    try (Engine engine = new Engine()) {
      engine.worker().input(source(engine), handler);
      RunSummary summary = engine.run();
      assertThat(summary.packets().received()).isEqualTo(PACKETS);
      assertThat(summary.packets().isConserved()).isTrue();
      return summary;
    }
  }

  private static ScriptedPort source(Engine engine) {
    return ScriptedPort.source(engine, PACKETS);
  }

  /** What another thread gets when it does that. */
  private static Throwable onAnotherThread(Runnable action) {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("stranger")
        .start(() -> {
          try {
            action.run();
            thrown.complete(new AssertionError("nothing was thrown"));
          } catch (Throwable e) {
            thrown.complete(e);
          }
        });
    return thrown.join();
  }

  private static void requireWrongThread(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOf(WrongThreadException.class)
        .hasMessageContainingAll("thread=stranger", "owner=worker-0");
  }

  @Test
  void shouldRefusePacketsAndBurstsOnOtherThreads() {
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    run(burst -> {
      Packet packet = burst.packet(0);
      Iterator<Packet> loop = burst.iterator();
      List<Runnable> actions =
          List.of(
              () -> packet.u8(0),
              () -> packet.u16(60_000),
              () -> packet.u64(0, 1),
              packet::length,
              packet::toBytes,
              () -> packet.growHead(1),
              () -> packet.drop(DropReason.CONSUMED),
              () -> burst.packet(0),
              () -> assertThat(burst.iterator()).isNotNull(),
              loop::next,
              burst::bytes,
              () -> burst.drop(0, 1, DropReason.CONSUMED),
              () -> burst.dropAll(DropReason.CONSUMED));
      actions.forEach(action -> thrown.add(onAnotherThread(action)));
      burst.dropAll(DropReason.CONSUMED);
    });
    assertThat(thrown).isNotEmpty().allSatisfy(HandlerSafetyTest::requireWrongThread);
  }

  @Test
  void shouldRefuseOutputsOnOtherThreadsAndAfterTheEnd() {
    try (Engine engine = new Engine()) {
      Output output = engine.worker().output(ScriptedPort.sink(engine));
      List<Throwable> thrown = new CopyOnWriteArrayList<>();
      AtomicReference<Burst> kept = new AtomicReference<>();
      engine
          .worker()
          .input(
              source(engine),
              burst -> {
                kept.set(burst);
                thrown.add(onAnotherThread(() -> output.sendAll(burst)));
                thrown.add(onAnotherThread(output::flush));
                burst.dropAll(DropReason.CONSUMED);
              });
      assertThat(engine.run().failures()).isEmpty();
      assertThat(thrown).isNotEmpty().allSatisfy(HandlerSafetyTest::requireWrongThread);
      assertThatThrownBy(() -> output.sendAll(kept.get()))
          .isInstanceOf(WrongThreadException.class)
          .hasMessageContaining("owner=worker-0");
      assertThat(output.pending()).isZero();
    }
  }

  @Test
  void shouldRefuseThePacketsOfAnotherEngineOnTheSameThread() {
    RunSummary summary =
        run(burst -> {
          try (Engine other = new Engine()) {
            Output output = other.worker().output(ScriptedPort.sink(other));
            HeldPackets held = other.worker().hold(10, 0);
            List<Runnable> attempts =
                List.of(
                    () -> output.send(burst.packet(0)),
                    () -> output.sendAll(burst),
                    () -> held.add(burst.packet(0)));
            for (Runnable attempt : attempts) {
              assertThatThrownBy(attempt::run)
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageStartingWith("packets belong to another worker: thread=worker-0");
            }
          }
          burst.dropAll(DropReason.CONSUMED);
        });
    assertThat(summary.failures()).isEmpty();
  }

  @Test
  void shouldRefuseAPacketThatWasKeptPastItsBurst() {
    AtomicReference<Packet> kept = new AtomicReference<>();
    RunSummary summary =
        run(burst -> {
          Packet old = kept.get();
          if (old != null) {
            assertThat(old.isLive()).isFalse();
            assertThatThrownBy(() -> old.u8(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("packet is gone");
          }
          kept.set(burst.packet(0));
          burst.dropAll(DropReason.CONSUMED);
        });
    assertThat(summary.failures()).isEmpty();
  }

  @Test
  void shouldFailTheRunWhenAHandlerThrows() {
    RunSummary summary =
        run(burst -> {
          for (Packet packet : burst) {
            if (ScriptedPort.number(packet) >= PACKETS - 2) {
              throw new IllegalArgumentException("number " + ScriptedPort.number(packet));
            }
            packet.drop(DropReason.CONSUMED);
          }
        });
    assertThat(summary.exceptions()).isEqualTo(2);
    assertThat(summary.hasFailed()).isTrue();
    assertThat(summary.failures())
        .singleElement()
        .asString()
        .contains("handler failed", "worker=0", "port=source", "number 998", "exceptions=2");
    assertThat(summary.packets().dropped()).containsEntry("handler_error", 2L);
    assertThat(summary.toString()).contains("handler failed");
  }

  @Test
  void shouldLiveWithExceptionsThatCannotBePrinted() {
    RunSummary summary =
        run(burst -> {
          throw new Unprintable();
        });
    assertThat(summary.packets().dropped()).containsOnlyKeys("handler_error");
    assertThat(summary.failures())
        .singleElement()
        .asString()
        .contains(Unprintable.class.getName(), "cannot be printed");
  }

  @Test
  void shouldTakeAnInternalErrorOfTheHandlerForItsOwn() {
    RunSummary summary =
        run(burst -> {
          throw new InternalError("of the handler");
        });
    assertThat(summary.packets().dropped()).containsOnlyKeys("handler_error");
    assertThat(summary.failures()).singleElement().asString().contains("handler failed");
  }

  /** As the virtual machine throws when a file that the handler has mapped became shorter. */
  @Test
  void shouldNotBlameAPortForAMappedFileOfTheHandler() {
    RunSummary summary =
        run(burst -> {
          for (Packet packet : burst) {
            if (ScriptedPort.number(packet) % 10 == 0) {
              throw new InternalError("a fault occurred in an unsafe memory access operation");
            }
            packet.drop(DropReason.CONSUMED);
          }
        });
    assertThat(summary.packets().dropped()).containsEntry("handler_error", 100L);
    assertThat(summary.failures())
        .singleElement()
        .asString()
        .startsWith("handler failed: worker=0, port=source, error=java.lang.InternalError");
  }

  @Test
  void shouldCountReasonsThatAreMadeInALoop() {
    RunSummary summary =
        run(burst -> {
          for (Packet packet : burst) {
            packet.drop(DropReason.named("reason_" + ScriptedPort.number(packet)));
          }
        });
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.packets().droppedTotal()).isEqualTo(PACKETS);
    assertThat(summary.packets().dropped()).containsKeys("reason_0", "other");
  }

  @Test
  void shouldLetNoWorkerCloseItsEngine() {
    try (Engine engine = new Engine()) {
      engine.worker().input(source(engine), burst -> close(engine));
      assertThat(engine.run().failures())
          .singleElement()
          .asString()
          .contains("engine cannot be closed by its own worker");
    }
  }

  private static void close(AutoCloseable closeable) throws Exception {
    try (closeable) {
      assertThat(closeable).isNotNull();
    }
  }

  @Test
  void shouldSurviveRecursionThatEndsInsideAnOutput() {
    try (Engine engine = new Engine()) {
      Output output = engine.worker().output(ScriptedPort.sink(engine));
      int[] depth = {0};
      engine
          .worker()
          .input(
              source(engine),
              burst -> {
                for (Packet packet : burst) {
                  depth[0] = 0;
                  descend(output, packet, depth);
                }
              });
      RunSummary summary = engine.run();
      assertThat(summary.packets().received()).isEqualTo(PACKETS);
      assertThat(output.pending()).isZero();
    }
  }

  /** Sends the packet from ever deeper, until there is no stack left. */
  @SuppressWarnings("InfiniteRecursion")
  private static void descend(Output output, Packet packet, int[] depth) {
    depth[0]++;
    if (depth[0] > 100_000 && packet.isLive()) {
      output.send(packet);
    }
    try {
      descend(output, packet, depth);
    } finally {
      if (packet.isLive()) {
        output.send(packet);
      }
    }
  }
}
