package io.linerate.fabric.channel;

import io.linerate.fabric.KilledPrograms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A channel fails, and says why, when the program at its other end is killed. */
class KilledChannelTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  @Tag("sampled")
  void shouldFailWhenTheProgramIsKilledThatItLeadsTo(String provider) {
    KilledPrograms.rounds(
        provider,
        ChannelPeerProgram.class,
        stage -> !stage.isRemoteMemory(),
        programs -> new KilledChannels(provider, programs));
  }
}
