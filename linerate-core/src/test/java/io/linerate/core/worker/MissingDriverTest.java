package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import org.junit.jupiter.api.Test;

class MissingDriverTest {
  @Test
  void shouldNameTheArtefactThatHasTheDriver() {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("xdp:eth0"))
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("no driver for the scheme: scheme=xdp, address=xdp:eth0; there")
          .hasMessageEndingWith("; add the artefact io.linerate:linerate-driver-linux");
      assertThatThrownBy(() -> engine.port("nothing:eth0"))
          .hasMessageStartingWith("no driver for the scheme: scheme=nothing,")
          .hasMessageNotContaining("artefact");
    }
  }
}
