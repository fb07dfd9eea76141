package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.AllocationMeter;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Making, sending and taking back packets allocates nothing on the worker, pacing included. */
class GenerateAllocationTest {
  private static final int ROUND_PACKETS = 100_000;
  private static final long RUN_PACKETS = 30L * ROUND_PACKETS;

  @Test
  void shouldAllocateNothingPerPacket() {
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    TrafficStream stream =
        TrafficStream.of(
                "varied",
                "src=10.0.0.0/16 dst=10.1.0.0-10.1.0.9,random srcport=1-999,random size=imix"
                    + " sequence=true timestamps=true rate=50Mpps")
            .edit((packet, number) -> meter.add(1));
    while (!meter.isDone()) {
      GeneratorResult result =
          Generator.to("ring:x,loopback")
              .receive("ring:x,loopback")
              .run(TrafficPlan.of(stream, Optional.empty(), RUN_PACKETS));
      assertThat(result.summary().failures()).isEmpty();
      assertThat(result.sent()).isEqualTo(RUN_PACKETS);
    }
    meter.assertQuiet();
  }
}
