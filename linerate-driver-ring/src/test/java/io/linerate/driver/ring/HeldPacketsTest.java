package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.Packets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Packets beyond their burst: bounded, in flight, and with an end to each. */
@Timeout(120)
class HeldPacketsTest {
  private static final int PACKETS = 5_000;

  private static PacketSource source(Engine engine) {
    return new PacketSource(engine.drivers().pools(), Frames.numbered(PACKETS, 64));
  }

  @Test
  void shouldKeepPacketsReadableAndInOrderBeyondTheirBurst() {
    List<Long> sent = new ArrayList<>();
    try (Engine engine = new Engine()) {
      Worker worker = engine.worker();
      Output output = worker.output(engine.port("ring:out,size=16384"));
      HeldPackets held = worker.hold(500, 0);
      SplittableRandom random = new SplittableRandom(1);
      worker.input(
          source(engine),
          burst -> {
            for (Packet packet : burst) {
              held.add(packet);
            }
            int count = random.nextInt(held.size() + 1);
            for (Packet packet : held) {
              if (count-- == 0) {
                break;
              }
              sent.add(Frames.number(packet));
              output.send(packet);
            }
          });
      PacketCounts counts = engine.run().packets();
      assertThat(counts.isConserved()).isTrue();
      assertThat(counts.inFlight()).isZero();
      assertThat(counts.sent()).isEqualTo(sent.size());
      assertThat(sent).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(PACKETS / 2);
      assertThat(counts.dropped().keySet()).isSubsetOf("held_full", "stopped");
    }
  }

  @Test
  void shouldDropWhatHasNoRoomAndWhatIsLeftAtTheEnd() {
    try (Engine engine = new Engine()) {
      HeldPackets held = engine.worker().hold(100, 0);
      engine.worker().input(source(engine), burst -> burst.forEach(held::add));
      PacketCounts counts = engine.run().packets();
      assertThat(counts.dropped())
          .containsOnly(entry("held_full", PACKETS - 100L), entry("stopped", 100L));
      assertThat(counts.isConserved()).isTrue();
    }
  }

  @Test
  void shouldDropWhatIsKeptForTooLongWhileTheWorkerIsIdle() {
    try (Engine engine = new Engine()) {
      HeldPackets held = engine.worker().hold(20_000, 1_000_000);
      engine.worker().input(source(engine), burst -> burst.forEach(held::add));
      engine.worker().input(engine.port("ring:silent"), burst -> {});
      engine.start();
      while (engine.summary().packets().dropped().getOrDefault("held_too_long", 0L) < PACKETS) {
        Thread.onSpinWait();
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts counts = engine.summary().packets();
      assertThat(counts.dropped()).containsOnly(entry("held_too_long", (long) PACKETS));
      assertThat(counts.isConserved()).isTrue();
    }
  }

  @Test
  void shouldCountWhatIsKeptAsInFlight() {
    try (Engine engine = new Engine()) {
      HeldPackets held = engine.worker().hold(20_000, 0);
      engine.worker().input(source(engine), burst -> burst.forEach(held::add));
      engine.worker().input(engine.port("ring:silent"), burst -> {});
      engine.start();
      while (engine.summary().packets().inFlight() < PACKETS) {
        Thread.onSpinWait();
      }
      assertThat(engine.summary().packets().isConserved()).isTrue();
      assertThatThrownBy(() -> held.dropAll(DropReason.CONSUMED))
          .isInstanceOf(WrongThreadException.class);
      assertThatThrownBy(held::expire).isInstanceOf(WrongThreadException.class);
      try (Packets own = new Packets()) {
        Packet packet = own.of(new byte[64]);
        assertThatThrownBy(() -> held.add(packet)).isInstanceOf(WrongThreadException.class);
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().dropped())
          .containsOnly(entry("stopped", (long) PACKETS));
    }
  }

  @Test
  void shouldRefuseBadBounds() {
    try (Engine engine = new Engine()) {
      Worker worker = engine.worker();
      assertThatIllegalArgumentException()
          .isThrownBy(() -> worker.hold(0, 0))
          .withMessageContaining("capacity=0");
      assertThatIllegalArgumentException().isThrownBy(() -> worker.hold(32_768, 0));
      assertThatIllegalArgumentException().isThrownBy(() -> worker.hold(1, -1));
    }
  }
}
