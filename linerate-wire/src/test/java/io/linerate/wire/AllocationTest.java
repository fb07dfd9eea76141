package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final int ROUND_PACKETS = 1_000_000;

  private long digest;

  @Test
  void shouldReadAMillionPacketsWithoutAllocating() {
    List<Corpus.Sample> samples = Corpus.samples();
    try (Packets packets = new Packets(samples.size())) {
      samples.forEach(sample -> packets.append(sample.bytes()));
      EveryLayer layers = new EveryLayer();
      AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
      while (!meter.isDone()) {
        meter.add(read(packets.burst(), layers));
      }
      meter.assertQuiet();
      assertThat(digest).isNotZero();
    }
  }

  private int read(Burst burst, EveryLayer layers) {
    for (Packet packet : burst) {
      digest += layers.digest(packet);
    }
    return burst.size();
  }
}
