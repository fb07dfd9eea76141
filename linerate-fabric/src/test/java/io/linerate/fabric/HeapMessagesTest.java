package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.fabric.heap.ArrayType;
import io.linerate.fabric.heap.HeapMessages;
import io.linerate.fabric.heap.HeapOptions;
import io.linerate.testkit.AllocationMeter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of the heap as messages, in each variant. */
class HeapMessagesTest {
  private static final List<ArrayType<?>> TYPES =
      List.of(
          ArrayType.BYTES,
          ArrayType.SHORTS,
          ArrayType.CHARS,
          ArrayType.INTS,
          ArrayType.LONGS,
          ArrayType.FLOATS,
          ArrayType.DOUBLES);

  private static final int LONGEST = 100_000;
  private static final HeapOptions OPTIONS = new HeapOptions(8, LONGEST);

  /** As many as the messages of one side need, and some. */
  private static final int DESCRIPTORS = 20;

  /** Both ends of a link, with arrays. */
  private record Pair(Link link, HeapMessages left, HeapMessages right, TimeLimit limit)
      implements AutoCloseable {
    Pair(Link link, HeapMessages left, HeapMessages right) {
      this(link, left, right, new TimeLimit());
    }

    static Pair open(String provider, boolean isPinned, HeapOptions options) {
      return over(Link.open(provider, DomainOptions.DEFAULT), isPinned, options);
    }

    static Pair over(Link link, boolean isPinned, HeapOptions options) {
      return new Pair(
          link, of(link.toRight(), isPinned, options), of(link.toLeft(), isPinned, options));
    }

    private static HeapMessages of(Destination to, boolean isPinned, HeapOptions options) {
      return isPinned ? HeapMessages.pinned(to, options) : HeapMessages.copied(to, options);
    }

    void poll() {
      limit.check();
      link.left.queue.poll(link.left.completions);
      link.right.queue.poll(link.right.completions);
    }

    void send(MemorySegment array) {
      Link.until(() -> {
        boolean isSent = left.send(array);
        poll();
        return isSent;
      });
    }

    void awaitMessage() {
      Link.until(() -> {
        poll();
        return right.next() >= 0;
      });
    }

    @Override
    public void close() {
      link.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldBringArraysOfEveryTypeCopied(String provider) {
    try (Pair pair = Pair.open(provider, false, OPTIONS)) {
      assertThat(pair.left.limit()).isEqualTo(LONGEST);
      bringAll(pair, 0, 1, 7, 100, 513, 4_096, LONGEST / 8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldBringArraysOfEveryTypeFromWhereTheyAre(String provider) {
    try (Pair pair = Pair.open(provider, true, OPTIONS)) {
      int most = (int) pair.left.limit() / 8;
      assertThat(most).isPositive();
      bringAll(pair, 0, 1, 7, most - 1, most);
    }
  }

  private static void bringAll(Pair pair, int... lengths) {
    for (ArrayType<?> type : TYPES) {
      for (int length : lengths) {
        bring(pair, type, length);
      }
    }
  }

  private static <A> void bring(Pair pair, ArrayType<A> type, int length) {
    A sent = type.make(length);
    MemorySegment memory = type.memory(sent);
    Side.fill(memory, memory.byteSize(), 31L * length);
    pair.send(memory);
    Side.fill(memory, memory.byteSize(), 5); // Free as soon as it is sent.
    pair.send(memory);
    pair.awaitMessage();
    A into = type.make(length + 1);
    assertThat(pair.right.receive(type.memory(into))).isEqualTo(memory.byteSize());
    Side.assertPattern(type.memory(into), memory.byteSize(), 31L * length);
    pair.awaitMessage();
    A made = Objects.requireNonNull(pair.right.receive(type));
    assertThat(type.memory(made).byteSize()).isEqualTo(memory.byteSize());
    Side.assertPattern(type.memory(made), memory.byteSize(), 5);
    assertThat(pair.right.receive(type)).isNull();
    assertThat(pair.right.receive(type.memory(into))).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldSendASliceOfAnArrayInTheByteOrderOfTheHost(String provider) {
    try (Pair pair = Pair.open(provider, true, OPTIONS)) {
      int[] numbers = {1, 0x01020304, -7, 4};
      pair.send(MemorySegment.ofArray(numbers).asSlice(4, 8));
      pair.awaitMessage();
      assertThat(pair.right.receive(ArrayType.INTS)).containsExactly(0x01020304, -7);
      pair.send(MemorySegment.ofArray(numbers).asSlice(4, 4).asReadOnly());
      pair.awaitMessage();
      byte[] bytes = Objects.requireNonNull(pair.right.receive(ArrayType.BYTES));
      assertThat(MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_INT_UNALIGNED, 0))
          .isEqualTo(0x01020304);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseWhatDoesNotFit(String provider) {
    try (Pair copied = Pair.open(provider, false, OPTIONS);
        Pair pinned = Pair.open(provider, true, OPTIONS)) {
      MemorySegment tooLong = MemorySegment.ofArray(new byte[LONGEST + 1]);
      assertThatThrownBy(() -> copied.left.send(tooLong))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("length=100001, limit=100000, heap=true");
      long limit = pinned.left.limit();
      assertThatThrownBy(() -> pinned.left.send(tooLong.asSlice(0, limit + 1)))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("length=%d, limit=%d, heap=true", limit + 1, limit);
      for (Pair pair : List.of(copied, pinned)) {
        assertThatThrownBy(() -> pair.left.send(Arena.global().allocate(8)))
            .hasMessageContaining("length=8, limit=%d, heap=false", pair.left.limit());
        pair.send(MemorySegment.ofArray(new byte[] {1, 2, 3}));
        pair.awaitMessage();
        assertThatThrownBy(() -> pair.right.receive(MemorySegment.ofArray(new byte[2])))
            .hasMessageContaining("length=3, array=2");
        assertThatThrownBy(() -> pair.right.receive(ArrayType.SHORTS))
            .hasMessageContaining("length=3, type=short[]");
        assertThat(pair.right.receive(ArrayType.BYTES)).containsExactly(1, 2, 3);
      }
    }
  }

  /** The others have nothing more to say after it: docs/fabric.md. */
  @Test
  void shouldTellOfAMessageThatIsTooLongAndGoOn() {
    try (Link link = Link.open("shm", DomainOptions.DEFAULT)) {
      HeapMessages left = HeapMessages.copied(link.toRight(), OPTIONS);
      HeapMessages right = HeapMessages.copied(link.toLeft(), new HeapOptions(4, 16));
      Pair pair = new Pair(link, left, right);
      pair.send(MemorySegment.ofArray(new byte[17]));
      Link.until(() -> {
        pair.poll();
        try {
          return right.next() > 0;
        } catch (FabricException e) {
          assertThat(e).hasMessageContaining("a message has failed: truncated: error=");
          return true;
        }
      });
      pair.send(MemorySegment.ofArray(new long[] {7}));
      pair.awaitMessage();
      assertThat(right.receive(ArrayType.LONGS)).containsExactly(7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldKeepTheOrderAndTakeNoMoreThanItHasBuffersFor(String provider) {
    try (Pair pair = Pair.open(provider, false, new HeapOptions(2, 60_000))) {
      int[] next = {0};
      int[] array = new int[15_000];
      int sent = 0;
      while (next[0] < 200) {
        array[0] = sent;
        if (sent < 200 && pair.left.send(MemorySegment.ofArray(array))) {
          sent++;
        }
        pair.poll();
        int[] come = pair.right.receive(ArrayType.INTS);
        if (come != null) {
          assertThat(come).hasSize(15_000).startsWith(next[0]++);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldLeaveNothingBehindWhenClosed(String provider) {
    DomainOptions few =
        new DomainOptions(DomainOptions.DEFAULT.capabilities(), 0, 0, DESCRIPTORS, 16);
    closeAll(Link.open(provider, few)); // What is opened once for the process.
    OpenThings before = OpenThings.count();
    closeAll(Link.open(provider, few));
    assertThat(OpenThings.count()).isEqualTo(before);
  }

  private static void closeAll(Link link) {
    try (Pair pair = Pair.over(link, false, OPTIONS)) {
      pair.send(MemorySegment.ofArray(new byte[LONGEST]));
      pair.awaitMessage();
      link.rightEndpoint.close();
      pair.right.close();
      assertThatThrownBy(() -> pair.right.receive(ArrayType.BYTES))
          .isInstanceOfAny(FabricException.class, IllegalStateException.class);
      link.leftEndpoint.close();
      pair.left.close();
      for (Side side : List.of(link.left, link.right)) {
        for (int i = 0; i < DESCRIPTORS; i++) {
          Descriptor _ = side.domain.descriptor();
        }
        assertThatThrownBy(side.domain::descriptor).hasMessageContaining("no descriptor left");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldMakeNoObjects(String provider) {
    for (boolean isPinned : new boolean[] {false, true}) {
      try (Pair pair = Pair.open(provider, isPinned, new HeapOptions(8, 8_192))) {
        MemorySegment[] arrays = {
          MemorySegment.ofArray(new byte[64]),
          MemorySegment.ofArray(new long[isPinned ? 8 : 1_000]),
          MemorySegment.ofArray(new double[8])
        };
        AllocationMeter meter = new AllocationMeter(20_000);
        for (int i = 0; !meter.isDone(); i++) {
          MemorySegment array = arrays[i % arrays.length];
          while (!pair.left.send(array)) {
            pair.poll();
          }
          while (pair.right.receive(array) < 0) {
            pair.poll();
          }
          meter.add(1);
        }
        meter.assertQuiet();
      }
    }
  }
}
