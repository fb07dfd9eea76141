package io.linerate.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphInvoker;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyedStatesTest {
  @TempDir Path folder;

  private final List<String> seen = new ArrayList<>();

  /** How often something came. */
  private static final class Times {
    private int times;
  }

  /** Says how often each key has come. */
  private static class Numbering implements KeyedProcess<String, Times, String, Consumer<String>> {
    @Override
    public Times create(String key) {
      return new Times();
    }

    @Override
    public void process(Times state, String token, Consumer<String> out) {
      if (token.equals("bad")) {
        throw new IllegalArgumentException(token);
      }
      state.times++;
      out.accept(token + state.times);
    }

    @Override
    public void timedOut(String key, Times state, Consumer<String> out) {
      out.accept(key + " was there " + state.times);
    }
  }

  private static final class TimesCodec implements StateCodec<String, Times> {
    @Override
    public void writeKey(String key, DataOutput out) throws IOException {
      out.writeUTF(key);
    }

    @Override
    public String readKey(DataInput in) throws IOException {
      return in.readUTF();
    }

    @Override
    public void writeState(Times state, DataOutput out) throws IOException {
      out.writeInt(state.times);
    }

    @Override
    public Times readState(DataInput in) throws IOException {
      Times times = new Times();
      times.times = in.readInt();
      return times;
    }
  }

  private static KeyedSettings<String, Times> settings() {
    return KeyedSettings.timingOutAfter(Duration.ofNanos(100));
  }

  private Graph numbering(KeyedSettings<String, Times> settings, String... words) {
    Iterator<String> all = List.of(words).iterator();
    AtomicBoolean hasGiven =
        new AtomicBoolean(); // One in each round: it is asked until it gives none.
    Source<Consumer<String>> oneByOne =
        (to, _) -> {
          if (hasGiven.getAndSet(!hasGiven.get()) || !all.hasNext()) {
            return 0;
          }
          to.accept(all.next());
          return 1;
        };
    return Streams.graph(s ->
        s.objects("words", String.class, () -> oneByOne)
            .keyBy(String.class, word -> word)
            .process("numbering", String.class, settings, Numbering::new)
            .sink("sink", seen::add));
  }

  /** Of two keys at a time the one goes that was silent for longer; one goes when it says so. */
  @Test
  void shouldForgetTheOldestKeyForANewOneAndAKeyThatIsOver() {
    Supplier<KeyedProcess<String, Times, String, Consumer<String>>> untilThree =
        () ->
            new Numbering() {
              @Override
              public boolean isOver(Times state) {
                return state.times == 3;
              }
            };
    KeyedSettings<String, Times> settings =
        KeyedSettings.<String, Times>timingOutAfter(Duration.ofDays(1))
            .withMostKeys(2)
            .forgettingOldest();
    Graph graph =
        Streams.graph(s ->
            s.objects(
                    "words",
                    String.class,
                    Sources.objects(() -> Stream.of("a", "b", "a", "c", "b", "a", "a", "a", "a")))
                .keyBy(String.class, word -> word)
                .process("numbers", String.class, settings, untilThree)
                .sink("sink", seen::add));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.round();
      assertThat(seen)
          .containsExactly(
              "a1",
              "b1",
              "a2",
              "b was there 1",
              "c1",
              "a was there 2",
              "b1",
              "c was there 1",
              "a1",
              "a2",
              "a3",
              "a1");
      assertThat(invoker.read("numbers.displaced").text()).isEqualTo("3");
      assertThat(invoker.read("numbers.keys").text()).isEqualTo("2");
      assertThat(invoker.counts().get("numbers").tokens().dropped()).isEmpty();
    }
  }

  @Test
  void shouldKeepSomethingOfEachKeyUntilItIsSilent() {
    AtomicLong nowNs = new AtomicLong();
    try (var invoker =
        new GraphInvoker(numbering(settings(), "a", "b", "a", "a", "a"), nowNs::get)) {
      invoker.round();
      nowNs.set(50);
      invoker.round();
      nowNs.set(99);
      invoker.round();
      assertThat(seen).containsExactly("a1", "b1", "a2");
      nowNs.set(150);
      invoker.round();
      assertThat(seen.subList(3, seen.size())).containsExactlyInAnyOrder("a3", "b was there 1");
      nowNs.set(250);
      seen.clear();
      invoker.round();
      assertThat(seen).containsExactly("a was there 3", "a1");
      assertThat(invoker.read("numbering.timed_out").text()).isEqualTo("2");
    }
  }

  @Test
  void shouldBeginAnewWhenItThrowsIfSo() {
    Graph graph =
        Streams.graph(s ->
            s.supervise(Supervision.RESTART)
                .objects(
                    "words", String.class, Sources.objects(() -> Stream.of("a", "a", "bad", "a")))
                .keyBy(String.class, word -> word)
                .process("numbering", String.class, settings(), Numbering::new)
                .sink("sink", seen::add));
    try (var invoker = new GraphInvoker(graph, () -> 0)) {
      invoker.round();
    }
    assertThat(seen).containsExactly("a1", "a2", "a1");
  }

  @Test
  void shouldGoOnWithWhatWasSaved() throws IOException {
    Path file = folder.resolve("states");
    KeyedSettings<String, Times> saved = settings().savedIn(file, new TimesCodec());
    try (var invoker = new GraphInvoker(numbering(saved, "a", "b", "a"), () -> 0)) {
      IntStream.range(0, 3).forEach(_ -> invoker.round());
      invoker.end();
    }
    try (var invoker = new GraphInvoker(numbering(saved, "a"), () -> 0)) {
      invoker.round();
      invoker.write("numbering.save", "now");
    }
    try (var invoker = new GraphInvoker(numbering(saved, "b", "a"), () -> 0)) {
      IntStream.range(0, 2).forEach(_ -> invoker.round());
    }
    assertThat(seen).containsExactly("a1", "b1", "a2", "a3", "b2", "a4");
    assertThat(folder.toFile().list()).containsExactly("states");
  }

  /** As workers do that are retired while others get their keys, and come again. */
  @Test
  void shouldLeaveWhatIsKeptToOtherWorkersAndSaveItOnce() throws IOException {
    Path file = folder.resolve("states");
    KeyedSettings<String, Times> saved = settings().savedIn(file, new TimesCodec());
    SavedStates<String, Times> shared = SavedStates.of(saved);
    shared.join();
    shared.join();
    shared.leave(1, Map.of("a", times(5)));
    assertThat(file).doesNotExist();
    assertThat(shared.take("b")).isNull();
    Times taken = Objects.requireNonNull(shared.take("a"));
    assertThat(taken.times).isEqualTo(5);
    assertThat(shared.take("a")).isNull();
    shared.join();
    shared.leave(1, Map.of("c", times(2)));
    shared.leave(0, Map.of("a", taken));
    SavedStates<String, Times> next = SavedStates.of(saved);
    assertThat(Objects.requireNonNull(next.take("a")).times).isEqualTo(5);
    assertThat(Objects.requireNonNull(next.take("c")).times).isEqualTo(2);
    SavedStates<String, Times> few = SavedStates.of(settings().withMostKeys(1));
    few.join();
    few.leave(0, new TreeMap<>(Map.of("old", times(1), "young", times(2))));
    assertThat(few.take("old")).isNull();
    assertThat(few.take("young")).isNotNull();
  }

  private static Times times(int count) {
    Times times = new Times();
    times.times = count;
    return times;
  }

  /** What cannot be saved fails the program. */
  @Test
  void shouldFailWhenStatesCannotBeSaved() throws IOException {
    Path none = folder.resolve("no-folder/states");
    KeyedSettings<String, Times> saved = settings().savedIn(none, new TimesCodec());
    try (var invoker = new GraphInvoker(numbering(saved, "a"), () -> 0)) {
      invoker.round();
      invoker.end();
      assertThat(invoker.hasStopped()).isTrue();
      assertThat(invoker.failure().orElseThrow())
          .contains("states cannot be saved: file=" + none, "what was saved before is as it was");
    }
  }

  @Test
  void shouldRefuseAFileThatIsNone() throws IOException {
    Path file = folder.resolve("states");
    KeyedSettings<String, Times> saved = settings().savedIn(file, new TimesCodec());
    Files.writeString(file, "something else");
    assertThatThrownBy(() -> new GraphInvoker(numbering(saved), () -> 0))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "saved states cannot be read: file=%s, reason=it is no file of states; remove it to start without, or name another"
                .formatted(file));
    Files.write(file, new byte[] {'L', 'R', 'S', 'T', 'A', 'T', 'E', 1, 0, 0, 0});
    assertThatThrownBy(() -> new GraphInvoker(numbering(saved), () -> 0))
        .hasMessageContaining("reason=it ends too early");
  }

  /** As a map that is known to be right, whatever comes and goes. */
  @Test
  void shouldNumberKeysAsAMapDoes() {
    Random random = new Random(5);
    Keys<Long> keys = Keys.ofLongs(key -> key, 500, 77);
    Map<Long, Integer> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long key = random.nextInt(700) * (random.nextBoolean() ? 1L << 40 : 1);
      Integer known = model.get(key);
      if (known != null && random.nextInt(3) == 0) {
        keys.remove(known);
        model.remove(key);
      } else {
        int number = keys.number(key);
        if (known != null) {
          assertThat(number).isEqualTo(known);
        } else if (model.size() == 500) {
          assertThat(number).isEqualTo(Keys.NONE);
        } else {
          assertThat(model).doesNotContainValue(number);
          assertThat(keys.key(number)).isEqualTo(key);
          model.put(key, number);
        }
      }
      assertThat(keys.size()).isEqualTo(model.size());
    }
  }
}
