package io.linerate.driver.pcap.libpcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.CFunction;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortException;
import io.linerate.driver.pcap.libpcap.LibpcapAddress.Direction;
import io.linerate.driver.pcap.libpcap.LibpcapAddress.Precision;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibpcapAddressTest {
  private static LibpcapAddress parse(String text) {
    return LibpcapAddress.parse(PortAddress.parse(text));
  }

  @Test
  void shouldReadEveryKey() {
    assertThat(
            parse(
                "libpcap:usbmon1,snaplen=96,promisc=off,immediate=off,timeout=100ms,buffer=8,tstamp=adapter,precision=micro,direction=inout,linktype=usb_linux,reopen=on,filter=tcp[13] & 2 != 0\\, or so"))
        .isEqualTo(
            new LibpcapAddress(
                "usbmon1",
                null,
                96,
                false,
                false,
                100,
                8,
                "adapter",
                Precision.MICRO,
                "tcp[13] & 2 != 0, or so",
                LinkType.of(189),
                Direction.INOUT,
                true));
    assertThat(parse("libpcap:filter"))
        .isEqualTo(
            new LibpcapAddress(
                "filter", null, 262_144, null, true, 10, 32, "", null, "", null, null, false));
    LibpcapAddress file = parse("libpcap:precision=nano,file=a\\,b.pcap,filter=ip");
    assertThat(file.file()).isEqualTo(Path.of("a,b.pcap"));
    assertThat(file.precision()).isEqualTo(Precision.NANO);
    assertThat(file.filter()).isEqualTo("ip");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "libpcap:|no interface in the address",
        "libpcap:precision=nano|neither an interface nor a file",
        "libpcap:file=|not the path of a file",
        "libpcap:eth0,snaplen=0|write 1 to 262144",
        "libpcap:eth0,buffer=2048|write 1 to 2047",
        "libpcap:eth0,timeout=10|not a time: 10",
        "libpcap:eth0,timeout=2m|write 1ms to 1m",
        "libpcap:eth0,precision=pico|write one of micro, nano",
        "libpcap:eth0,direction=up|write one of in, out, inout",
        "libpcap:eth0,snap=96|key=snap",
        "libpcap:file=x,promisc=on|libpcap: has file, precision, filter"
      })
  void shouldSayWhatIsWrongAndWhatIsPossible(String address, String message) {
    assertThatThrownBy(() -> parse(address))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("address=" + address);
  }

  @Test
  void shouldSayWhatToInstallWhereLibpcapIsMissing() {
    LibpcapLibrary none = LibpcapLibrary.load(List.of("libpcap.so.none"));
    assertThat(none.isLoaded()).isFalse();
    assertThatThrownBy(() -> CFunction.call(none.function("pcap_create")))
        .isInstanceOf(PortException.class)
        .hasMessage("libpcap is not installed: libraries=libpcap.so.none; install libpcap0.8");
  }

  @Test
  void shouldSayThatLibpcapIsTooOldForAFunction() {
    LibpcapLab.assumeLibpcap();
    LibpcapLibrary library = LibpcapLibrary.LOADED;
    assertThatThrownBy(() -> CFunction.call(library.function("pcap_new")))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("libpcap is too old: missing function=pcap_new; install libpcap ");
    assertThat(CFunction.call(library.optional("pcap_new"), 7)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "12, 101", "11, 100", "113, 113", "18, 246", "276, 276"})
  void shouldKnowLinkTypesByTheirNumbersInFiles(int datalink, int linkType) {
    assertThat(DataLink.of(datalink).number()).isEqualTo(linkType);
    assertThat(DataLink.datalink(LinkType.of(linkType))).isEqualTo(datalink);
  }
}
