package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.Soak;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer whose process is killed, whatever it was doing, is told to who has to do with it. */
class KilledPeerTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  @Tag("sampled")
  void shouldTellOfAPeerThatIsKilledInWhateverItDoes(String provider) {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    FailureTimes times = new FailureTimes();
    SplittableRandom random = new SplittableRandom(Soak.seed(provider.hashCode()));
    new KilledPeers(provider, times).close(); // What it opens once for the process.
    OpenThings before = OpenThings.count();
    try (KilledPeers peers = new KilledPeers(provider, times)) {
      int rounds = Soak.times(1, 8);
      for (int i = 0; i < rounds; i++) {
        for (KilledPeers.Stage stage : KilledPeers.Stage.values()) {
          peers.kill(stage, random.nextInt(1, 2000));
        }
      }
    } finally {
      System.out.println(times.report());
    }
    assertThat(OpenThings.count()).isEqualTo(before);
  }
}
