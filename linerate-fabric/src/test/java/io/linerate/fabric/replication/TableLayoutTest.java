package io.linerate.fabric.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.fabric.Access;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.RemoteRegion;
import io.linerate.testkit.Soak;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TableLayoutTest {
  private static final TableLayout LAYOUT = new TableLayout("test", 2, 5, 3);

  private final SplittableRandom random = new SplittableRandom(Soak.seed(3));
  private final long[] words = new long[3];

  @Test
  void shouldReadWhatWasWrittenLast() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(LAYOUT.bytes(), 8);
      long[][] last = new long[10][];
      for (int i = 0; i < 1_000; i++) {
        int record = random.nextInt(10);
        last[record] = random.longs(3).toArray();
        LAYOUT.write(memory, record / 5, record % 5, last[record]);
        assertThat(LAYOUT.read(memory, record / 5, record % 5, words)).isTrue();
        assertThat(words).containsExactly(last[record]);
      }
      for (int i = 0; i < 10; i++) {
        assertThat(LAYOUT.read(memory, i / 5, i % 5, words)).isEqualTo(last[i] != null);
      }
    }
  }

  /** The end comes while a slot is being written. */
  @Test
  void shouldReadTheOneBeforeIfTheLastIsTorn() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(LAYOUT.bytes(), 8);
      for (int i = 0; i < 1_000; i++) {
        long[] before = random.longs(3).toArray();
        LAYOUT.write(memory, 1, 2, before);
        byte[] first = memory.toArray(ValueLayout.JAVA_BYTE);
        long[] after = random.longs(3).toArray();
        LAYOUT.write(memory, 1, 2, after);
        int cut = random.nextInt(1, LAYOUT.slotBytes());
        long slot = LAYOUT.recordOffset(1, 2) + (isFirstNewer(memory) ? 0 : LAYOUT.slotBytes());
        for (int at = cut; at < LAYOUT.slotBytes(); at++) { // As it was before it was written.
          memory.set(ValueLayout.JAVA_BYTE, slot + at, first[(int) slot + at]);
        }
        assertThat(LAYOUT.read(memory, 1, 2, words)).isTrue();
        assertThat(words).isIn(before, after);
      }
    }
  }

  @Test
  void shouldCopySlotsUpToTheFirstThatIsBeingWritten() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(LAYOUT.bytes(), 8);
      MemorySegment copy = arena.allocate(LAYOUT.bytes() + 64, 8);
      int slots = 2 * LAYOUT.records();
      for (int record = 0; record < LAYOUT.records() - 1; record++) { // One was never written.
        LAYOUT.write(memory, 0, record, random.longs(3).toArray());
        LAYOUT.write(memory, 0, record, random.longs(3).toArray());
      }
      assertThat(LAYOUT.copyWhole(memory, 0, slots, copy, 64)).isEqualTo(slots);
      assertThat(
              copy.asSlice(64, LAYOUT.tableBytes())
                  .mismatch(memory.asSlice(0, LAYOUT.tableBytes())))
          .isEqualTo(-1);
      for (int torn = 0; torn < slots - 2; torn++) {
        long at = (long) torn * LAYOUT.slotBytes() + random.nextInt(LAYOUT.slotBytes());
        byte before = memory.get(ValueLayout.JAVA_BYTE, at);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) ~before);
        assertThat(LAYOUT.copyWhole(memory, 0, slots, copy, 0)).isEqualTo(torn);
        memory.set(ValueLayout.JAVA_BYTE, at, before);
      }
    }
  }

  private static boolean isFirstNewer(MemorySegment memory) {
    long first = LAYOUT.recordOffset(1, 2);
    return memory.get(ValueLayout.JAVA_LONG, first)
        > memory.get(ValueLayout.JAVA_LONG, first + LAYOUT.slotBytes());
  }

  @Test
  void shouldReadTheQuestionThatWasWritten() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(ReplicationMessage.BYTES);
      RemoteRegion region = new RemoteRegion(5, -6, 700, Set.of(Access.REMOTE_WRITE));
      int length = ReplicationMessage.writeAsk(message, LAYOUT, region);
      MemorySegment asked = message.asSlice(0, length);
      assertThat(ReplicationMessage.kind(asked)).isEqualTo(ReplicationMessage.ASK);
      assertThat(ReplicationMessage.layout(asked)).isEqualTo(LAYOUT);
      assertThat(ReplicationMessage.region(asked)).isEqualTo(region);
      assertThat(ReplicationMessage.kind(message.asSlice(0, 7))).isZero();
      for (int cut = 0; cut < length - LAYOUT.program().length(); cut++) {
        MemorySegment part = message.asSlice(0, cut);
        assertThatThrownBy(() -> ReplicationMessage.layout(part))
            .isInstanceOf(FabricException.class);
      }
    }
  }

  @Test
  void shouldRefuseSizesThatAreNone() {
    assertThatThrownBy(() -> new TableLayout("", 1, 1, 1))
        .hasMessageContaining("programCharacters=0, range=1 to 256");
    assertThatThrownBy(() -> new TableLayout("p", 65, 1, 1)).hasMessageContaining("tables=65");
    assertThatThrownBy(() -> new TableLayout("p", 1, 0, 1)).hasMessageContaining("records=0");
    assertThatThrownBy(() -> new TableLayout("p", 1, 1, 513))
        .hasMessageContaining("recordWords=513");
  }
}
