package io.linerate.fabric.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import io.linerate.fabric.FailureTimes;
import io.linerate.fabric.OpenThings;
import io.linerate.testkit.Soak;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A channel fails, and says why, when the program at its other end is killed. */
class KilledChannelTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  @Tag("sampled")
  void shouldFailWhenTheProgramIsKilledThatItLeadsTo(String provider) {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    FailureTimes times = new FailureTimes();
    SplittableRandom random = new SplittableRandom(Soak.seed(provider.hashCode()));
    new KilledChannels(provider, times).close(); // What is opened once for the process.
    OpenThings before = OpenThings.count();
    try (KilledChannels channels = new KilledChannels(provider, times)) {
      int rounds = Soak.times(1, 8);
      for (int i = 0; i < rounds; i++) {
        for (KilledChannels.Stage stage : KilledChannels.Stage.values()) {
          channels.kill(stage, random.nextInt(1, 2000));
        }
      }
    } finally {
      System.out.println(times.report());
    }
    assertThat(OpenThings.count()).isEqualTo(before);
  }
}
