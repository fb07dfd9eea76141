package io.linerate.fabric.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Records between the thread that writes them and the one that sends them. */
class ReplicatedTableTest {
  private static final int RING = 1 << 16;
  private static final TableLayout LAYOUT = new TableLayout("test", 2, 100, 1);

  @AutoClose private final Arena arena = Arena.ofConfined();
  private final MemorySegment memory = arena.allocate(LAYOUT.bytes(), Long.BYTES);
  private final ReplicatedTable table = new ReplicatedTable(LAYOUT, memory, 1);

  private void write(int times) {
    for (int i = 0; i < times; i++) {
      table.write(i % LAYOUT.records(), new long[] {i});
    }
  }

  @Test
  void shouldTellOnceThatMoreWasWrittenThanCouldWait() {
    write(RING);
    assertThat(table.takeOverflow()).isFalse();
    write(1);
    assertThat(table.takeOverflow()).isTrue();
    assertThat(table.takeOverflow()).isFalse();
    table.take();
    write(1);
    assertThat(table.takeOverflow()).as("there was room again").isFalse();
  }

  @Test
  void shouldNameSlotsInTheOrderInWhichTheyWereWritten() {
    assertThat(table.peek()).isEqualTo(-1);
    write(2 * LAYOUT.records()); // The second slot of each first: versions begin with one.
    for (int slot = 1; slot >= 0; slot--) {
      for (int record = 0; record < LAYOUT.records(); record++) {
        assertThat(table.peek())
            .isEqualTo(LAYOUT.recordOffset(1, record) + (long) slot * LAYOUT.slotBytes());
        table.take();
      }
    }
    assertThat(table.peek()).isEqualTo(-1);
    assertThat(table.used()).isEqualTo(LAYOUT.records());
  }

  @Test
  void shouldWriteTheRecordThoughItCannotWait() {
    write(RING + 1);
    long[] words = new long[1];
    assertThat(LAYOUT.read(memory, 1, RING % LAYOUT.records(), words)).isTrue();
    assertThat(words).containsExactly(RING);
    table.takeAll();
    assertThat(table.peek()).isEqualTo(-1);
  }
}
