package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.HashField;
import io.linerate.core.port.PortAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DpdkAddressTest {
  @Test
  void shouldReadVirtualDevices() {
    DpdkAddress address = parse("net_null1,size=64,copy=1");
    assertThat(address.device()).isEqualTo("net_null1");
    assertThat(address.driver()).isEqualTo("net_null");
    assertThat(address.devargs()).isEqualTo("net_null1,size=64,copy=1");
    assertThat(address.number("size", 0)).isEqualTo(64);
    assertThat(address.number("copy", 0)).isEqualTo(1);
    assertThat(address.number("no-rx", 7)).isEqualTo(7);
    assertThat(address.isVirtual()).isTrue();
  }

  @Test
  void shouldWritePciAddressesAsLinuxDoes() {
    assertThat(parse("0000:03:00.0").device()).isEqualTo("0000:03:00.0");
    assertThat(parse("03:0A.1,arg=2").devargs()).isEqualTo("0000:03:0a.1,arg=2");
    assertThat(parse("pci:0000:03:00.0").isVirtual()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ",size=64", "03:00", "--help", "net null", "Net_null0", "0000:03:00.8"})
  void shouldRefuseWhatIsNoDevice(String rest) {
    assertThatThrownBy(() -> parse(rest))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("not a DPDK device")
        .hasMessageContaining("address=dpdk:" + rest);
  }

  @Test
  void shouldKeepForDpdkWhatIsNotOurs() {
    DpdkAddress address = parse("net_pcap0,rss=on,rx_pcap=a\\,rssfields=ipv4+ipv6,rss,port=[0,2]");
    assertThat(address.devargs()).isEqualTo("net_pcap0,rx_pcap=a\\,rss,port=[0,2]");
    assertThat(address.rss())
        .isEqualTo(new RssRequest(false, Set.of(HashField.IPV4, HashField.IPV6), ""));
    assertThat(parse("net_null0").rss()).isEqualTo(RssRequest.NONE);
    assertThat(parse("net_null0,rss=symmetric,rsskey=6d5A").rss())
        .isEqualTo(new RssRequest(true, Set.of(), "6d5A"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rss=maybe|wrong value in an address: rss=maybe, |; write one of on, symmetric",
        "rss=on,rss=on|key stands twice in an address: key=rss, |; leave one out",
        "rsskey=6d5|not a hash key: key=6d5;|in hexadecimal digits",
        "rssfields=ipv4+tcp|no such hash field: field=tcp;|ipv4-tcp"
      })
  void shouldSayWhatIsWrongAboutSpreading(String ours, String problem, String remedy) {
    assertThatThrownBy(() -> parse("net_null0,size=64," + ours))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(problem, "address=dpdk:net_null0,size=64," + ours, remedy);
  }

  @Test
  void shouldRefuseDevicesThatAreBlocked() {
    List<String> block = List.of("03:00.0", "net_null1");
    assertThatThrownBy(() -> parse("0000:03:00.0").requireNotIn(block))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("device=0000:03:00.0");
    assertThatThrownBy(() -> parse("net_null1,size=64").requireNotIn(block))
        .isInstanceOf(ConfigException.class);
    assertThatCode(() -> parse("03:00.1").requireNotIn(block)).doesNotThrowAnyException();
  }

  private static DpdkAddress parse(String rest) {
    return DpdkAddress.parse(new PortAddress("dpdk", rest));
  }
}
