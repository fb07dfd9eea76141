package io.linerate.decode.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.decode.Decoder;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocol;
import io.linerate.decode.Protocols;
import io.linerate.decode.protocol.DnsProtocol;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummaryPrinterTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dns-records | 1 | 192.0.2.1:40000 > 198.51.100.2:53 eth:ip:udp:dns 75 query A www.example.com answers=0
          dns-records | 2 | dns 107 query response no error A www.example.com answers=2 a=192.0.2.33,192.0.2.34
          dns-streams | 4 | 192.0.2.1:5353 > 224.0.0.251:5353 eth:ip:udp:mdns:dns 86 query ANY host.local answers=1
          http        | 1 | http 478 GET /path/page.html?x=1&y=two HTTP/1.1 host=www.example.com
          http        | 4 | http 99 HTTP/1.1 404 Not Found
          tls13       | 1 | tls 333 handshake client hello www.example.com alpn=h2,http/1.1
          dtls        | 1 | dtls 149 handshake client hello
          sip         | 1 | 1018 INVITE sip:bob@biloxi.example.com SIP/2.0 from=sip:alice@atlanta.example.com to=sip:bob@biloxi
          sip         | 2 | sip 282 SIP/2.0 100 Trying from=
          dhcp        | 2 | dhcp 357 offer client=02:00:00:00:00:01 your=192.0.2.33 server=192.0.2.1 id=0x3903f326
          dhcpv6      | 1 | dhcpv6 141 solicit name=client.example.com. id=0xabcdef
          snmp        | 1 | snmp 96 get version=1 community=public error=none name=1.3.6.1.2.1.1.1.0,1.3.6.1.2.1.1.3.0
          ntp         | 2 | ntp 90 server version=4 stratum=2
          quic        | 2 | quic:quic 393 long initial,handshake version=0x00000001 to=f067a5502a4262b5
          radius      | 1 | radius 239 access request id=7 user=alice
          stun        | 2 | stun 106 binding success response mapped=192.0.2.33
          syslog      | 1 | syslog 118 auth critical mymachine Oct 11 22:14:15 mymachine su: 'su root' failed
          tftp        | 1 | tftp 64 read request boot/file.img octet
          tcp-options | 2 | 192.0.2.1:40001 > 192.0.2.2:9 eth:ip:tcp 74 SYN ACK seq=1000 ack=2000 win=1000 len=0
          icmp        | 4 | 192.0.2.2 > 192.0.2.1 eth:ip:icmp:ip:udp 70 type=Destination unreachable code=1
          """)
  void shouldSayWhatMatters(String capture, int number, String wanted) {
    List<String> lines = PrintedPackets.of(new SummaryPrinter(), capture + ".pcap");
    assertThat(lines.get(number - 1)).contains(wanted);
  }

  @Test
  void shouldPutAddressesOfIpv6InBracketsWherePortsFollow() {
    assertThat(PrintedPackets.of(new SummaryPrinter(), "ipv6-options.pcap").getFirst())
        .contains(
            " [2001:db8::1]:1000 > [2001:db8::2]:2000 eth:ipv6:ipv6.hopopts:udp:data 75 length=13");
  }

  @Test
  void shouldShortenAndEscapeTexts() {
    TextBuffer out = new TextBuffer().add("x=");
    out.add("\u00e4".repeat(40)).cut(2, 63);
    assertThat(out.toString()).isEqualTo("x=" + "\u00e4".repeat(31) + "...");
    TextBuffer control =
        new TextBuffer().add("a\u001b[31m\r\n\u009b\u202e\u007f\u00e4\ud83d\ude00");
    TerminalText.escape(control, 0);
    assertThat(control.toString())
        .isEqualTo("a\\033[31m\\r\\n\\u009b\\u202e\\177\u00e4\ud83d\ude00");
  }

  @Test
  void shouldSayNothingOfEmptyTextsAndNothingTwice() {
    Layer layer = new Decoder(Protocols.standard()).layer(DnsProtocol.DNS);
    SaidFields said = new SaidFields();
    TextBuffer out = new TextBuffer();
    for (String label : List.of("", "name=")) {
      said.begin(List.of(new Fields.Said(label, DnsProtocol.QUESTION_NAME.name())));
      for (String name : List.of("", "", "a", "", "a", "b", "a", "a", "c", "d")) {
        said.text(layer, DnsProtocol.QUESTION_NAME, name, 0, 0);
      }
      said.addTo(out);
    }
    assertThat(out.toString()).isEqualTo(" a,b,a,c name=a,b,a,c");
  }

  /** A name that no field has would never be said. */
  @Test
  void shouldSayFieldsThatThereAre() {
    for (Protocol protocol : Protocols.standard().all()) {
      List<String> names =
          protocol.fields().all().stream().map(Field::name).collect(Collectors.toList());
      assertThat(names)
          .as(protocol.fields().name())
          .containsAll(protocol.fields().summary().stream().map(Fields.Said::field).toList());
    }
  }
}
