package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import java.util.BitSet;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

final class CpuAffinityTest {
  @Test
  void shouldTieTheCallingThreadToOneCpu() throws Exception {
    BitSet before = CpuAffinity.allowed();
    int cpu = before.length() - 1;
    BitSet pinned = onThreadOfItsOwn(() -> CpuAffinity.pin(cpu));
    assertThat(pinned.stream()).containsExactly(cpu);
    assertThat(CpuAffinity.allowed()).as("other threads").isEqualTo(before);
  }

  @Test
  void shouldSayWhichCpusThereAreWhenOneIsMissing() {
    assertThatThrownBy(() -> onThreadOfItsOwn(() -> CpuAffinity.pin(1_023)))
        .hasRootCauseInstanceOf(ConfigException.class)
        .rootCause()
        .hasMessageContainingAll(
            "cpus={1023}", "sched_setaffinity=", "errno 22", CpuAffinity.allowed().toString());
  }

  @Test
  void shouldRefuseCpuThatNoMaskCanHold() {
    assertThatThrownBy(() -> onThreadOfItsOwn(() -> CpuAffinity.pin(5_000)))
        .hasRootCauseInstanceOf(ConfigException.class);
  }

  @Test
  void shouldNameNoSocketForCpuThatIsNotThere() {
    assertThat(CpuAffinity.socketOf(1_023)).isEqualTo(-1);
  }

  private static BitSet onThreadOfItsOwn(Runnable pin) throws Exception {
    FutureTask<BitSet> task =
        new FutureTask<>(() -> {
          pin.run();
          return CpuAffinity.allowed();
        });
    Thread thread = new Thread(task);
    thread.start();
    thread.join();
    return task.get();
  }
}
