package io.linerate.driver.linux.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import io.linerate.driver.linux.CallPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacketAddressTest {
  private static PacketAddress parse(String text) {
    return PacketAddress.parse(PortAddress.parse(text), false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"queues", "fanout", "rx", "tx", "promisc", "bypass", "calls"})
  void shouldTakeInterfacesThatAreCalledLikeKeys(String name) {
    assertThat(parse("packet:" + name).interfaceName()).isEqualTo(name);
    PacketAddress address = parse("packet:" + name + ",rx=512,tx=8");
    assertThat(address.interfaceName()).isEqualTo(name);
    assertThat(address.rxFrames()).isEqualTo(512);
    assertThat(address.txSlots()).isEqualTo(8);
  }

  @Test
  void shouldReadEveryKey() {
    assertThat(
            parse(
                "packet:eth0,queues=2,fanout=lb,rx=256,tx=1024,promisc=off,bypass=on,calls=always,reopen=on"))
        .isEqualTo(
            new PacketAddress(
                "eth0", 2, Fanout.LB, 256, 1_024, false, true, CallPolicy.ALWAYS, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "packet:rx=512|no interface in the address",
        "packet:eth0,promisc=yes|write one of on, off",
        "packet:eth0,calls=never|write one of adaptive, always, full",
        "packet:eth0,rxx=512|key=rxx, address=packet:eth0,rxx=512; did you mean rx? packet: has queues,"
      })
  void shouldSayWhatIsWrongAndWhatIsPossible(String address, String message) {
    assertThatThrownBy(() -> parse(address))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("address=" + address);
  }
}
