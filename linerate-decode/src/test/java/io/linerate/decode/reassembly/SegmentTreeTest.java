package io.linerate.decode.reassembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentTreeTest {
  private static final int SEGMENTS = 4_096;

  private final StreamMemory memory = new StreamMemory(SEGMENTS, 1);
  private final SegmentTree tree = new SegmentTree(memory);
  private final TreeMap<Long, Segment> model = new TreeMap<>();

  private void add(long start) {
    Segment segment = new Segment();
    segment.start = start;
    segment.end = start + 1;
    Map.Entry<Long, Segment> before = model.lowerEntry(start);
    Map.Entry<Long, Segment> after = model.higherEntry(start);
    if (before != null) {
      before.getValue().next = segment;
    }
    segment.next = after == null ? null : after.getValue();
    model.put(start, segment);
    tree.add(segment);
  }

  private void remove(long start) {
    Segment segment = model.get(start);
    tree.remove(segment);
    Map.Entry<Long, Segment> before = model.lowerEntry(start);
    if (before != null) {
      before.getValue().next = segment.next;
    }
    model.remove(start);
  }

  /** Whether it finds what a model finds, in as few steps as a balanced tree does. */
  private void requireSame(long position) {
    long before = memory.steps;
    Map.Entry<Long, Segment> expected = model.ceilingEntry(position);
    assertThat(tree.firstBehind(position)).isSameAs(expected == null ? null : expected.getValue());
    int most = 2 * (Integer.SIZE - Integer.numberOfLeadingZeros(model.size()));
    assertThat(memory.steps - before).isLessThanOrEqualTo(most);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, -1, 1_021})
  void shouldBeShallowInWhateverOrder(int stride) {
    for (int i = 0; i < SEGMENTS; i++) {
      add((long) stride * i % (1L << 20));
      requireSame((long) stride * i);
    }
    for (int i = 0; i < SEGMENTS; i++) {
      remove((long) stride * i % (1L << 20));
      requireSame((long) stride * i);
    }
    assertThat(tree.firstBehind(Long.MIN_VALUE)).isNull();
  }

  @Test
  void shouldFindTheSameAsAModel() {
    Random random = new Random(5);
    for (int i = 0; i < 100_000; i++) {
      boolean isShrinking = i / 5_000 % 2 == 1;
      long position = random.nextInt(8_192);
      Map.Entry<Long, Segment> found = model.ceilingEntry(position);
      if (found == null || random.nextInt(8) >= (isShrinking ? 5 : 3)) {
        if (!model.containsKey(position)) {
          add(position);
        }
      } else {
        remove(found.getKey());
      }
      requireSame(random.nextInt(8_192));
    }
    assertThat(model).isNotEmpty();
  }
}
