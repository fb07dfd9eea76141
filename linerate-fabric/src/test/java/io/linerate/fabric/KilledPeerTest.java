package io.linerate.fabric;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer whose process is killed, whatever it was doing, is told to who has to do with it. */
class KilledPeerTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  @Tag("sampled")
  void shouldTellOfAPeerThatIsKilledInWhateverItDoes(String provider) {
    KilledPrograms.rounds(
        provider, PeerProgram.class, _ -> true, programs -> new KilledPeers(provider, programs));
  }
}
