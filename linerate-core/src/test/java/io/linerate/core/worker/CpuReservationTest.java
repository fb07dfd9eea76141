package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class CpuReservationTest {
  private final BitSet before = CpuAffinity.allowed();

  @Test
  void shouldKeepOtherThreadsAndTheirChildrenOffTheCpusOfWorkers() throws Exception {
    assumeTrue(before.cardinality() > 1, "one CPU only");
    int kept = before.length() - 1;
    BitSet rest = (BitSet) before.clone();
    rest.clear(kept);
    try (ExecutorService worker = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      worker.submit(() -> CpuAffinity.pin(kept)).get();
      assertThat(allowedOn(other)).isEqualTo(before);
      try (CpuReservation _ = CpuReservation.of(List.of(kept))) {
        assertThat(CpuAffinity.allowed()).isEqualTo(rest);
        assertThat(allowedOn(other)).isEqualTo(rest);
        assertThat(onNewThread()).isEqualTo(rest);
        assertThat(allowedOn(worker).stream()).containsExactly(kept);
      }
      assertThat(allowedOn(other)).isEqualTo(before);
      assertThat(allowedOn(worker).stream()).containsExactly(kept);
    }
    assertThat(CpuAffinity.allowed()).isEqualTo(before);
  }

  @Test
  void shouldKeepNothingWhenNoCpuWouldBeLeftOrNoneIsNamed() {
    try (CpuReservation _ = CpuReservation.of(before.stream().boxed().toList())) {
      assertThat(CpuAffinity.allowed()).isEqualTo(before);
    }
    try (CpuReservation _ = CpuReservation.of(List.of())) {
      assertThat(CpuAffinity.allowed()).isEqualTo(before);
    }
  }

  private static BitSet onNewThread() throws Exception {
    try (ExecutorService late = Executors.newSingleThreadExecutor()) {
      return allowedOn(late);
    }
  }

  private static BitSet allowedOn(ExecutorService thread) throws Exception {
    return thread.submit((Callable<BitSet>) CpuAffinity::allowed).get();
  }
}
