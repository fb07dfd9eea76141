package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final int PACKETS = 1_000_000;

  private long digest;

  @Test
  void shouldReadAMillionPacketsWithoutAllocating() {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
            && threads.isThreadAllocatedMemorySupported(),
        "this JVM does not count what a thread allocates");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<Corpus.Sample> samples = Corpus.samples();
    try (Packets packets = new Packets(samples.size())) {
      samples.forEach(sample -> packets.append(sample.bytes()));
      EveryLayer layers = new EveryLayer();
      read(packets.burst(), layers, PACKETS / 2);
      long before = threads.getCurrentThreadAllocatedBytes();
      read(packets.burst(), layers, PACKETS);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated).isZero();
      assertThat(digest).isNotZero();
    }
  }

  private void read(Burst burst, EveryLayer layers, int count) {
    int done = 0;
    while (done < count) {
      for (Packet packet : burst) {
        digest += layers.digest(packet);
        done++;
      }
    }
  }
}
