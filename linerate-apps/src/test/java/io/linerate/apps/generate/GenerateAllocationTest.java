package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.AllocationMeter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Making, sending and taking back packets allocates nothing on the worker, pacing included. */
class GenerateAllocationTest {
  private static final int WINDOW_PACKETS = 100_000;

  /** Windows while the code is compiled, and those that count. */
  private static final int WARM_UP_WINDOWS = 15;

  private static final int WINDOWS = 10;

  @Test
  void shouldAllocateNothingPerPacket() {
    AllocationMeter meter = new AllocationMeter(WINDOW_PACKETS);
    TrafficStream stream =
        TrafficStream.of(
                "varied",
                "src=10.0.0.0/16 dst=10.1.0.0-10.1.0.9,random srcport=1-999,random size=imix"
                    + " sequence=true timestamps=true rate=50Mpps")
            .edit((packet, number) -> meter.add(1));
    long packets = (WARM_UP_WINDOWS + WINDOWS + 2L) * WINDOW_PACKETS;
    GeneratorResult result =
        Generator.to("ring:x,loopback")
            .receive("ring:x,loopback")
            .run(TrafficPlan.of(stream, Optional.empty(), packets));
    assertThat(result.summary().failures()).isEmpty();
    assertThat(result.sent()).isEqualTo(packets);
    // The warm-up of the generator has left windows as well.
    List<Long> windows = meter.windows();
    assertThat(windows).hasSizeGreaterThanOrEqualTo(WARM_UP_WINDOWS + WINDOWS);
    List<Long> warm = windows.subList(windows.size() - WINDOWS, windows.size());
    assertThat(warm).as("heap bytes for %,d packets", WINDOW_PACKETS).contains(0L);
    // Late compilation makes an object now and then.
    assertThat(warm.stream().mapToLong(Long::longValue).sum())
        .isLessThan((long) WINDOWS * WINDOW_PACKETS / 1_000);
  }
}
