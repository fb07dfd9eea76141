package io.linerate.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import io.linerate.track.OrderedBytes.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OrderedBytesTest {
  /** Of the first byte: what follows goes round. */
  private static final int FIRST = -3;

  private final Packets packets = new Packets();
  private OrderedBytes bytes = new OrderedBytes(OrderedBytes.MIN_PAGES);

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  private Answer add(int slot, int at, String text) {
    return add(slot, at, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private Answer add(int slot, int at, byte[] some) {
    byte[] frame = new byte[some.length + 7];
    System.arraycopy(some, 0, frame, 5, some.length);
    return bytes.add(slot, FIRST + at, packets.of(frame), 5, some.length);
  }

  private String text(int slot) {
    bytes.wrap(slot);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length(); i++) {
      text.append((char) bytes.u8(i));
    }
    return text.toString();
  }

  @Test
  void shouldPutSegmentsInOrder() {
    int slot = bytes.take(7, FIRST, 0);
    assertThat(bytes.owner(slot)).isEqualTo(7);
    assertThat(add(slot, 6, "ghi")).isEqualTo(Answer.TAKEN);
    assertThat(text(slot)).isEmpty();
    assertThat(add(slot, 0, "abc")).isEqualTo(Answer.TAKEN);
    assertThat(text(slot)).isEqualTo("abc");
    assertThat(add(slot, 0, "abc")).as("again").isEqualTo(Answer.TAKEN);
    assertThat(add(slot, 2, "cdefgh")).as("overlapping").isEqualTo(Answer.TAKEN);
    assertThat(text(slot)).isEqualTo("abcdefghi");
    assertThat(add(slot, -4, "....ab")).as("from before the first").isEqualTo(Answer.TAKEN);
    assertThat(text(slot)).isEqualTo("abcdefghi");
  }

  @Test
  void shouldTakeNothingOfASegmentWithOtherBytes() {
    int slot = bytes.take(0, FIRST, 0);
    add(slot, 0, "abc");
    add(slot, 6, "ghi");
    assertThat(add(slot, 2, "Cdef")).isEqualTo(Answer.CONFLICT);
    assertThat(add(slot, 3, "defG")).as("beyond the gap").isEqualTo(Answer.CONFLICT);
    assertThat(add(slot, -1, ".abX")).isEqualTo(Answer.CONFLICT);
    assertThat(text(slot)).isEqualTo("abc");
    assertThat(add(slot, 3, "DEF")).isEqualTo(Answer.TAKEN);
    assertThat(text(slot)).isEqualTo("abcDEFghi");
  }

  @Test
  void shouldCompareWhatComesAgainUntilItIsAcknowledged() {
    int slot = bytes.take(0, FIRST, 0);
    add(slot, 0, "abc");
    add(slot, 4, "x");
    assertThat(bytes.isDone(slot, FIRST + 9)).isFalse();
    bytes.settle(slot);
    assertThat(bytes.isSettled(slot)).isTrue();
    assertThat(add(slot, 1, "bcd")).isEqualTo(Answer.TAKEN);
    assertThat(add(slot, 1, "bXd")).isEqualTo(Answer.CONFLICT);
    assertThat(add(slot, 3, "dy")).as("behind all that was wanted").isEqualTo(Answer.TAKEN);
    assertThat(text(slot)).isEqualTo("abc");
    assertThat(bytes.isDone(slot, FIRST + 2)).isFalse();
    assertThat(bytes.isDone(slot, FIRST + 3)).isTrue();
  }

  @Test
  void shouldLookAtTheFirstBytesOnly() {
    int slot = bytes.take(0, FIRST, 0);
    byte[] kilobyte = new byte[1_024];
    for (int at = 0; at < OrderedBytes.MOST_BYTES; at += kilobyte.length) {
      assertThat(add(slot, at, kilobyte)).isEqualTo(Answer.TAKEN);
    }
    assertThat(add(slot, OrderedBytes.MOST_BYTES, "a")).isEqualTo(Answer.TAKEN);
    assertThat(add(slot, OrderedBytes.MOST_BYTES - 1, "\0a")).isEqualTo(Answer.TAKEN);
    assertThat(add(slot, OrderedBytes.MOST_BYTES - 1, "ba")).isEqualTo(Answer.CONFLICT);
    assertThat(bytes.wrap(slot).length()).isEqualTo(OrderedBytes.MOST_BYTES);
    assertThat(bytes.freePages()).isZero();
  }

  @Test
  void shouldSayWhenThereIsNoRoom() {
    int slot = bytes.take(1, FIRST, 5);
    for (int i = 0; i < OrderedBytes.MIN_PAGES - 1; i++) {
      add(slot, i * OrderedBytes.PAGE_BYTES, "a");
    }
    int other = bytes.take(2, FIRST, 6);
    byte[] two = new byte[3];
    assertThat(add(other, OrderedBytes.PAGE_BYTES - 1, two)).isEqualTo(Answer.FULL);
    assertThat(add(other, OrderedBytes.PAGE_BYTES - 3, two)).isEqualTo(Answer.TAKEN);
    assertThat(bytes.take(3, FIRST, 7)).isEqualTo(OrderedBytes.NONE);
    assertThat(bytes.olderThan(5)).isEqualTo(OrderedBytes.NONE);
    assertThat(bytes.olderThan(6)).isEqualTo(slot);
    bytes.release(slot);
    assertThat(bytes.slots()).isEqualTo(1);
    int next = bytes.take(3, 9, 7);
    assertThat(bytes.firstSequence(next)).isEqualTo(9);
    assertThat(text(next)).isEmpty();
    bytes.release(next);
    bytes.release(other);
    assertThat(bytes.freePages()).isEqualTo(OrderedBytes.MIN_PAGES);
    assertThatIllegalStateException().isThrownBy(() -> bytes.release(next));
    assertThatIllegalArgumentException().isThrownBy(() -> new OrderedBytes(7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OrderedBytes(OrderedBytes.MAX_PAGES + 1));
  }

  /** Against bytes and whether each is there, several connections at once. */
  @Test
  @Tag("sampled")
  void shouldDoAsBytesInARow() {
    SplittableRandom random = new SplittableRandom(Soak.seed(11));
    bytes = new OrderedBytes(12);
    for (int round = 0; round < Soak.times(400, 40_000); round++) {
      int count = 1 + random.nextInt(3);
      Model[] models = new Model[count];
      Arrays.setAll(models, i -> new Model(bytes.take(i, FIRST, 0), random));
      for (int step = 0; step < 60; step++) {
        models[random.nextInt(count)].step(random);
      }
      for (Model model : models) {
        bytes.release(model.slot);
      }
      assertThat(bytes.freePages()).isEqualTo(12);
      assertThat(bytes.slots()).isZero();
    }
  }

  private final class Model {
    private static final int ROOM = OrderedBytes.MOST_BYTES + 2_000;

    private final int slot;
    private final byte[] stream = new byte[ROOM];
    private final byte[] there = new byte[ROOM];
    private final boolean[] isThere = new boolean[ROOM];
    private final int most;
    private int settled = -1;

    Model(int slot, SplittableRandom random) {
      this.slot = slot;
      random.nextBytes(stream);
      most = random.nextBoolean() ? 300 : ROOM - 1_460;
    }

    private int ordered() {
      int end = 0;
      while (end < OrderedBytes.MOST_BYTES && isThere[end]) {
        end++;
      }
      return end;
    }

    void step(SplittableRandom random) {
      int at = random.nextInt(3) == 0 ? ordered() : random.nextInt(most);
      int count = 1 + random.nextInt(random.nextBoolean() ? 5 : Math.min(1_460, ROOM - at));
      count = Math.min(count, ROOM - at);
      byte[] some = Arrays.copyOfRange(stream, at, at + count);
      if (random.nextInt(6) == 0) {
        some[random.nextInt(count)]++;
      }
      boolean isConflict = false;
      int compared = Math.min(OrderedBytes.MOST_BYTES, settled < 0 ? ROOM : settled);
      for (int i = at; i < Math.min(at + count, compared); i++) {
        isConflict |= isThere[i] && there[i] != some[i - at];
      }
      Answer answer = add(slot, at, some);
      if (answer == Answer.FULL) {
        assertThat(isConflict).isFalse();
        assertThat(bytes.freePages()).isLessThan(2);
        return;
      }
      assertThat(answer).isEqualTo(isConflict ? Answer.CONFLICT : Answer.TAKEN);
      if (!isConflict && settled < 0) {
        System.arraycopy(some, 0, there, at, count);
        Arrays.fill(isThere, at, at + count, true);
      }
      assertOrdered();
      if (settled < 0 && random.nextInt(40) == 0) {
        bytes.settle(slot);
        settled = ordered();
      }
    }

    private void assertOrdered() {
      int end = ordered();
      OrderedBytes view = bytes.wrap(slot);
      assertThat(view.length()).isEqualTo(end);
      for (int i = 0; i < end; i++) {
        if (view.u8(i) != (there[i] & 0xFF)) {
          assertThat(view.u8(i)).as("byte %d", i).isEqualTo(there[i] & 0xFF);
        }
      }
    }
  }

  @Test
  void shouldAllocateNothingPerSegment() {
    Packet packet = packets.of(new byte[1_000]);
    AllocationMeter meter = new AllocationMeter(100_000);
    while (!meter.isDone()) {
      int slot = bytes.take(0, FIRST, 0);
      bytes.add(slot, FIRST + 1_000, packet, 0, 1_000);
      bytes.add(slot, FIRST, packet, 0, 1_000);
      bytes.add(slot, FIRST + 500, packet, 0, 1_000);
      assertLength(slot);
      bytes.release(slot);
      meter.add(3);
    }
    meter.assertQuiet();
  }

  private void assertLength(int slot) {
    if (bytes.wrap(slot).length() != 2_000) {
      throw new AssertionError("length=" + bytes.length());
    }
  }
}
