package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FabricAddressTest {
  @Test
  void shouldReadHostAndPort() {
    FabricAddress address = FabricAddress.parse("fabric:tcp:127.0.0.1:7000");
    assertThat(address).isEqualTo(new FabricAddress("tcp", "127.0.0.1", 7000));
    assertThat(address.kind()).isEqualTo(EndpointKind.CONNECTED);
    assertThat(address).hasToString("fabric:tcp:127.0.0.1:7000");
  }

  @Test
  void shouldReadIpv6InBrackets() {
    FabricAddress address = FabricAddress.parse("fabric:tcp+rxm:[::1]:7000");
    assertThat(address.host()).isEqualTo("::1");
    assertThat(address.kind()).isEqualTo(EndpointKind.OPEN);
    assertThat(address.libraryName()).isEqualTo("tcp;ofi_rxm");
    assertThat(address).hasToString("fabric:tcp+rxm:[::1]:7000");
  }

  @Test
  void shouldReadNamesOfSharedMemory() {
    FabricAddress address = FabricAddress.parse("shm:left_1.a");
    assertThat(address).isEqualTo(new FabricAddress("shm", "left_1.a", -1));
    assertThat(address).hasToString("fabric:shm:left_1.a");
  }

  @ParameterizedTest
  @CsvSource({
    "fabric:shm, fabric:shm:NAME",
    "fabric:shm:, fabric:shm:NAME",
    "shm:, fabric:shm:NAME",
    "fabric:tcp, fabric:tcp:HOST:PORT",
    "fabric:tcp+rxm:, fabric:tcp+rxm:HOST:PORT",
  })
  void shouldSayThatNothingStandsBehindTheProvider(String text, String form) {
    assertThatThrownBy(() -> FabricAddress.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("; nothing stands behind the provider; write " + form);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fabric:",
        "fabric:tcp",
        "fabric:tcp:",
        "fabric:tcp:host",
        "fabric:tcp:host:",
        "fabric:tcp:host:65536",
        "fabric:tcp:host:-1",
        "fabric:tcp:::1:7000",
        "fabric:tcp:[host:7000",
        "fabric:TCP:host:7000",
        "fabric:shm:",
        "fabric:shm:a/b",
        "fabric:shm:..",
        "fabric:shm:a b",
      })
  void shouldRefuseOthersAndSayHowToWriteOne(String text) {
    assertThatThrownBy(() -> FabricAddress.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("address=" + text)
        .hasMessageContaining(";");
  }
}
