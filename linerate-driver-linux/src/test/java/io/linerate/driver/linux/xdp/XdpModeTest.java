package io.linerate.driver.linux.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XdpModeTest {
  @ParameterizedTest
  @ValueSource(strings = {"6.6.0-rc1", "6.6", "6.18.3-amd64", "7.0"})
  void shouldPreferGenericModeOnAVethOfOneQueue(String kernel) {
    assertThat(XdpMode.preferred("veth", 1, kernel)).isEqualTo(XdpMode.GENERIC);
  }

  @Test
  void shouldPreferNativeModeElsewhere() {
    assertThat(XdpMode.preferred("veth", 1, "6.5.13")).isEqualTo(XdpMode.NATIVE);
    assertThat(XdpMode.preferred("veth", 2, "6.18.3")).isEqualTo(XdpMode.NATIVE);
    assertThat(XdpMode.preferred("virtio_net", 1, "6.18.3")).isEqualTo(XdpMode.NATIVE);
  }
}
