package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowOrderTest {
  private final FlowOrder order = new FlowOrder();

  @Test
  void shouldCountWhatComesAfterAHigherNumberOfItsFlow() {
    for (long sequence : new long[] {0, 1, 5, 3, 4, 6}) {
      order.add(7, sequence);
    }
    assertThat(order.reordered()).isEqualTo(2);
    assertThat(order.largestExtent()).isEqualTo(2);
  }

  @Test
  void shouldNotCompareFlows() {
    for (long i = 0; i < 10_000; i++) {
      order.add(1, 2 * i + 1_000);
      order.add(2, 2 * i + 1);
    }
    assertThat(order.reordered()).isZero();
  }

  @Test
  void shouldKnowManyFlows() {
    Random random = new Random(5);
    Map<Long, Long> highest = new HashMap<>();
    long reordered = 0;
    for (int i = 0; i < 500_000; i++) {
      long flow = new Random(random.nextInt(100_000)).nextLong();
      long sequence = random.nextInt(1_000_000);
      long before = highest.getOrDefault(flow, -1L);
      reordered += sequence < before ? 1 : 0;
      highest.put(flow, Math.max(before, sequence));
      order.add(flow, sequence);
    }
    assertThat(order.reordered()).isEqualTo(reordered);
  }

  @Test
  void shouldInventNothingOfMoreFlowsThanItKnows() {
    Random random = new Random(6);
    for (long i = 0; i < 3L * FlowOrder.MAX_FLOWS; i++) {
      order.add(random.nextLong(), 3L * FlowOrder.MAX_FLOWS - i);
    }
    for (long i = 0; i < 100; i++) {
      order.add(12, i);
    }
    assertThat(order.reordered()).isZero();
  }
}
