package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FabricErrorTest {
  @Test
  void shouldLeaveOutNumbersThatAreNotThere() {
    assertThat(FabricError.of(FabricError.Kind.PEER_LOST, "the peer has not answered: silent=2 s"))
        .hasToString("peer lost: the peer has not answered: silent=2 s");
  }

  @Test
  void shouldTellTheNumbersThatAreThere() {
    FabricError.Kind kind = FabricError.Kind.DISCONNECTED;
    assertThat(new FabricError(kind, 104, 0, "Connection reset by peer", 0, 0))
        .hasToString("disconnected: error=104, text=Connection reset by peer");
    assertThat(new FabricError(kind, 104, 7, "Connection reset by peer", 0, 0))
        .hasToString("disconnected: error=104, providerError=7, text=Connection reset by peer");
  }
}
