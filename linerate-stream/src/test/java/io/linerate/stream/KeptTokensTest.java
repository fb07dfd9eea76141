package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import io.linerate.graph.GraphProblem;
import io.linerate.stream.net.Message;
import io.linerate.wire.Ipv4;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A cursor is at something else when an actor would give what it has kept. */
class KeptTokensTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static List<String> problems(Consumer<StreamBuilder> build) {
    return Streams.graph(build).problems().stream().map(GraphProblem::toString).toList();
  }

  private static String refused(String type, String element) {
    return "tokens are kept that are cursors, at something else when the next one comes: type=%s, element=%s; map what is needed of them before, or keep packets by Wiring.hold (HeldPackets)"
        .formatted(type, element);
  }

  @Test
  void shouldRefuseToBatchCursors() {
    assertThat(
            problems(s ->
                s.packets("in", "in")
                    .map("p", Packet.class, p -> p)
                    .batch("b", 10, SECOND)
                    .sink("end", _ -> {})))
        .containsExactly(refused("Packet", "b"));
    for (Class<?> type : List.of(Bytes.class, Message.class, Ipv4.class)) {
      assertThat(
              problems(s ->
                  s.objects("source", type, Sources.objects(Stream::empty))
                      .batch("b", 10, SECOND)
                      .sink("end", _ -> {})))
          .containsExactly(refused(type.getSimpleName(), "b"));
    }
  }

  @Test
  void shouldRefuseToJoinCursorsOfEitherSide() {
    for (boolean isLeft : List.of(true, false)) {
      assertThat(
              problems(s -> {
                Tokens<Bytes> bytes = s.objects("a", Bytes.class, Sources.objects(Stream::empty));
                Tokens<String> texts = s.objects("b", String.class, Sources.objects(Stream::empty));
                if (isLeft) {
                  bytes.join("pair", texts, String.class, 9, (_, t) -> t).sink("end", _ -> {});
                } else {
                  texts.join("pair", bytes, String.class, 9, (t, _) -> t).sink("end", _ -> {});
                }
              }))
          .containsExactly(refused("Bytes", "pair"));
    }
    assertThat(
            problems(s ->
                s.objects("a", Bytes.class, Sources.objects(Stream::empty))
                    .keyBy(Bytes::length)
                    .join(
                        "pair",
                        s.objects("b", Bytes.class, Sources.objects(Stream::empty))
                            .keyBy(Bytes::length),
                        JoinWindow.within(SECOND),
                        Long.class,
                        (one, other) -> (long) one.length() + other.length())
                    .sink("end", _ -> {})))
        .containsExactly(refused("Bytes", "pair"));
  }

  /** Windows keep what the aggregate makes of a token, and steps and queues no token. */
  @Test
  void shouldTakeCursorsWhereNothingIsKept() {
    assertThat(
            problems(s ->
                s.packets("in", "in")
                    .map("p", Packet.class, p -> p)
                    .filter("long", p -> p.length() > 60)
                    .keyBy(Packet::length)
                    .window("window", Window.tumbling(SECOND), Aggregate.count())
                    .results()
                    .sink("end", _ -> {})))
        .isEmpty();
  }

  /** It comes out when the burst has ended. */
  @Test
  void shouldShowNoOtherPacketBehindAQueue() {
    List<Integer> seen = new ArrayList<>();
    Graph graph =
        Streams.graph(s ->
            s.packets("in", "in")
                .map("p", Packet.class, p -> p)
                .queue("queue", 10)
                .sink("end", p -> seen.add(p.length())));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.receive("in", new byte[60], new byte[61], new byte[62]);
      invoker.round();
      assertThat(seen).isEmpty();
      assertThat(invoker.counts().get("end").tokens().dropped())
          .isEqualTo(Map.of("handler_error", 3L));
      assertThat(invoker.failure().orElseThrow()).contains("packet is gone");
    }
  }
}
