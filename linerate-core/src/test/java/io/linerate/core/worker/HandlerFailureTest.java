package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketCounts;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A handler that throws costs its packet, never its worker. */
final class HandlerFailureTest {
  private static final DropReason RULE = DropReason.named("rule");
  private static final int PACKETS = 1_000;

  /** Runs a handler, made for an output, on numbered packets. */
  private static PacketCounts run(Function<Output, BurstHandler> handler) {
    EngineConfig config = EngineConfig.DEFAULT.withRxBurst(10).withBuffers(64);
    try (Engine engine = new Engine(config)) {
      Output output = engine.worker().output(ScriptedPort.sink(engine));
      ScriptedPort source = ScriptedPort.source(engine, PACKETS);
      engine.worker().input(source, handler.apply(output));
      engine.start();
      assertThat(engine.awaitEnd(60_000)).as("worker ends").isTrue();
      PacketCounts counts = engine.summary().packets();
      assertThat(counts.received()).isEqualTo(PACKETS);
      assertThat(counts.isConserved()).isTrue();
      assertThat(engine.summary().hasFailed()).isEqualTo(engine.summary().exceptions() > 0);
      return counts;
    }
  }

  @Test
  void shouldCostThePacketThatTheCursorIsAt() {
    PacketCounts counts =
        run(output ->
            burst -> {
              for (Packet packet : burst) {
                if (ScriptedPort.number(packet) % 10 == 3) {
                  throw new IllegalArgumentException("three");
                }
                output.send(packet);
              }
            });
    assertThat(counts.sent()).isEqualTo(900);
    assertThat(counts.dropped()).isEqualTo(Map.of("handler_error", 100L));
  }

  @Test
  void shouldCostTheBurstWhenNoPacketWasTouched() {
    PacketCounts counts =
        run(output ->
            burst -> {
              throw new Exception("before the first packet");
            });
    assertThat(counts.dropped()).isEqualTo(Map.of("handler_error", (long) PACKETS));
  }

  @Test
  void shouldCostNothingMoreWhenThePacketWasDroppedBefore() {
    PacketCounts counts =
        run(output ->
            burst -> {
              for (Packet packet : burst) {
                packet.drop(RULE);
                throw new IllegalStateException("after dropping");
              }
            });
    assertThat(counts.dropped()).isEqualTo(Map.of("rule", (long) PACKETS));
  }

  @Test
  void shouldCostNothingMoreWhenThePacketWasSentBefore() {
    PacketCounts counts =
        run(output ->
            burst -> {
              for (Packet packet : burst) {
                output.send(packet);
                packet.length(); // Throws: it is gone.
              }
            });
    assertThat(counts.sent()).isEqualTo(PACKETS);
    assertThat(counts.dropped()).isEmpty();
  }

  @Test
  void shouldSurviveErrorsToo() {
    PacketCounts counts =
        run(output ->
            burst -> {
              burst.packet(0);
              throw new StackOverflowError();
            });
    // The first packet each time, until it is gone; then no packet can be touched.
    assertThat(counts.dropped()).containsOnlyKeys("handler_error");
    assertThat(counts.droppedTotal()).isEqualTo(PACKETS);
  }

  /** As the virtual machine throws when the file of a packet became shorter, but for its words. */
  @Test
  void shouldNotTakeAnInternalErrorForAVanishedFile() {
    PacketCounts counts =
        run(output ->
            burst -> {
              for (Packet packet : burst) {
                if (ScriptedPort.number(packet) % 10 == 3) {
                  throw new InternalError("three");
                }
                output.send(packet);
              }
            });
    assertThat(counts.sent()).isEqualTo(900);
    assertThat(counts.dropped()).isEqualTo(Map.of("handler_error", 100L));
  }

  @Test
  void shouldCountWhatIsForgotten() {
    PacketCounts counts =
        run(output ->
            burst -> {
              for (Packet packet : burst) {
                if (ScriptedPort.number(packet) % 2 == 0) {
                  output.send(packet);
                }
              }
            });
    assertThat(counts.sent()).isEqualTo(PACKETS / 2);
    assertThat(counts.dropped()).isEqualTo(Map.of("forgotten", PACKETS / 2L));
  }
}
