package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.port.PortException;
import org.junit.jupiter.api.Test;

class NetInterfaceTest {
  @Test
  void shouldReadTheLoopbackInterface() {
    NetInterface loopback = NetInterface.read("lo");

    assertThat(loopback.index()).isPositive();
    assertThat(loopback.mtuBytes()).isGreaterThanOrEqualTo(1_500);
    assertThat(loopback.hardwareType()).isEqualTo(NetInterface.LOOPBACK);
    assertThat(loopback.rxQueues()).isPositive();
    assertThat(NetInterface.names()).contains("lo");
  }

  @Test
  void shouldNameTheInterfacesThereAreWhenThereIsNoSuchOne() {
    assertThatThrownBy(() -> NetInterface.read("eth77"))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("no such interface: interface=eth77; ")
        .hasMessageContaining("lo");
    assertThatThrownBy(() -> NetInterface.read("a-name-that-no-interface-can-have"))
        .hasMessageStartingWith("no such interface: ");
    assertThatThrownBy(() -> NetInterface.read("")).hasMessageStartingWith("no such interface: ");
  }
}
