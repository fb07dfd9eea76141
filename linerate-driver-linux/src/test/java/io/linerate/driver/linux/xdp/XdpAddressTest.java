package io.linerate.driver.linux.xdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import io.linerate.driver.linux.CallPolicy;
import io.linerate.driver.linux.xdp.TrafficFilter.Subject;
import io.linerate.driver.linux.xdp.TrafficFilter.Term;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XdpAddressTest {
  private static XdpAddress parse(String text) {
    return XdpAddress.of(PortAddress.parse(text));
  }

  @Test
  void shouldTakeAllQueuesAndTheBestWayByDefault() {
    XdpAddress address = parse("xdp:eth0");

    assertThat(address.interfaceName()).isEqualTo("eth0");
    assertThat(address.queues()).isEmpty();
    assertThat(address.mode()).isEqualTo(XdpAddress.Mode.AUTO);
    assertThat(address.zeroCopy()).isEqualTo(XdpAddress.Switch.AUTO);
    assertThat(address.busyPollUs()).isZero();
    assertThat(address.filter().isAll()).isTrue();
    assertThat(address.calls()).isEqualTo(CallPolicy.ADAPTIVE);
    assertThat(address.threshold()).isEqualTo(64);
  }

  @Test
  void shouldReadEveryKey() {
    XdpAddress address =
        parse(
            "xdp:eth0,queues=2-4,mode=generic,zerocopy=off,busypoll=20,leave=tcp/22+arp,checksum=on,calls=always,threshold=8");

    assertThat(address.queues()).containsExactly(2, 3, 4);
    assertThat(address.mode()).isEqualTo(XdpAddress.Mode.GENERIC);
    assertThat(address.zeroCopy()).isEqualTo(XdpAddress.Switch.OFF);
    assertThat(address.busyPollUs()).isEqualTo(20);
    assertThat(address.filter().isInverted()).isTrue();
    assertThat(address.filter().terms())
        .containsExactly(new Term(Subject.TCP, 22), new Term(Subject.ARP, -1));
    assertThat(address.checksum()).isEqualTo(XdpAddress.Switch.ON);
    assertThat(address.calls()).isEqualTo(CallPolicy.ALWAYS);
    assertThat(address.threshold()).isEqualTo(8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "xdp:|no interface in the address",
        "xdp:queues=1|no interface in the address",
        "xdp:eth0,queues=3-1|wrong value in an address: queues=3-1",
        "xdp:eth0,queues=x|wrong value in an address: queues=x",
        "xdp:eth0,mode=fast|; write one of auto, native, generic",
        "xdp:eth0,zerocopy=yes|; write one of auto, on, off",
        "xdp:eth0,busypoll=0|; write off or 1 to 10000 (µs)",
        "xdp:eth0,busypoll=10001|; write off or 1 to 10000 (µs)",
        "xdp:eth0,filter=tcp/65536|bad traffic filter: term=tcp/65536",
        "xdp:eth0,filter=vlan/4095|bad traffic filter: term=vlan/4095",
        "xdp:eth0,filter=arp/1|bad traffic filter: term=arp/1",
        "xdp:eth0,filter=udp/53+|bad traffic filter: term=;",
        "xdp:eth0,filter=udp/53,leave=tcp/22|filter= and leave= exclude each other",
        "xdp:eth0,calls=never|; write one of adaptive, always, full",
        "xdp:eth0,threshold=0|wrong value in an address: threshold=0",
        "xdp:eth0,queue=1|unknown key in an address: key=queue, address=xdp:eth0,queue=1; did you mean queues?"
      })
  void shouldSayWhatIsWrongAndWhatIsPossible(String address, String message) {
    assertThatThrownBy(() -> parse(address))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(message, "address=" + address);
  }
}
