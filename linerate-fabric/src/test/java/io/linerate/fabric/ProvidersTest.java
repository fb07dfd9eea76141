package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvidersTest {
  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  /** rxm has them only for who asks. */
  @Test
  void shouldTellOfAtomicsThatCanBeOpened() {
    ProviderInfo layered =
        Fabric.providers().stream()
            .filter(info -> info.name().equals("tcp+rxm"))
            .findFirst()
            .orElseThrow();
    assertThat(layered.capabilities()).contains(Capability.MESSAGES, Capability.ATOMICS);
    DomainOptions atomics = DomainOptions.DEFAULT.with(Capability.MESSAGES, Capability.ATOMICS);
    try (FabricDomain domain =
        FabricDomain.open(FabricAddress.parse("tcp+rxm:127.0.0.1:0"), atomics)) {
      assertThat(domain.provider().capabilities()).contains(Capability.ATOMICS);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nosuch:127.0.0.1:7000, no such provider on this host: provider=nosuch",
    "tcp:nosuch.invalid:7000, no such host: host=nosuch.invalid",
    "tcp+rxm:nosuch.invalid:7000, no such host: host=nosuch.invalid",
  })
  void shouldSayWhatOfAnAddressIsWrong(String address, String message) {
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> FabricDomain.open(FabricAddress.parse(address)))
        .withMessageStartingWith(message)
        .withMessageContaining("; ")
        .satisfies(thrown -> assertThat(thrown.isAddressUnknown()).isTrue());
  }
}
