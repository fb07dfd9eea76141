package io.linerate.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.BgpProtocol;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.HopByHopProtocol;
import io.linerate.decode.protocol.IcmpProtocol;
import io.linerate.decode.protocol.Icmpv6Protocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import io.linerate.decode.protocol.UdpProtocol;
import io.linerate.decode.text.FieldColumns;
import io.linerate.decode.text.TextBuffer;
import io.linerate.testkit.Packets;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NetworkProtocolsTest {
  private static final String ETHERNET_IPV4 = "020000000002" + "020000000001" + "0800";

  private final Protocols protocols = Protocols.standard();
  private final Decoder decoder = new Decoder(protocols);
  private final Packets packets = new Packets();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  private static byte[] bytes(String hexadecimal) {
    return HexFormat.of().parseHex(hexadecimal.replace(" ", ""));
  }

  /** What an IPv4 header carries, from 192.0.2.2 to 192.0.2.1. */
  private static byte[] ipv4(int protocol, byte[] content) {
    byte[] header =
        bytes(
            ETHERNET_IPV4
                + "4500%04x00010000 40%02x0000 c0000202 c0000201"
                    .formatted(20 + content.length, protocol));
    byte[] all = Arrays.copyOf(header, header.length + content.length);
    System.arraycopy(content, 0, all, header.length, content.length);
    return all;
  }

  private List<String> layers() {
    return IntStream.range(0, decoder.count()).mapToObj(i -> decoder.at(i).name()).toList();
  }

  private String columns(String... names) {
    FieldColumns columns = new FieldColumns(protocols, List.of(names));
    TextBuffer line = new TextBuffer();
    columns.print(decoder, line);
    return line.toString().stripTrailing();
  }

  /** An error of ICMP that quotes 28 bytes of a datagram of 1,000. */
  private static byte[] quoted(String behind) {
    return ipv4(
        1,
        bytes(
            "0b00 0000 00 08 0000"
                + "450003e8 00010000 4011 0000 c0000201 c0000202"
                + "03e8 07d0 03d4 0000 01020304"
                + behind));
  }

  @Test
  void shouldCallWhatIsQuotedInPartCutAndNotMalformed() {
    decoder.decode(packets.of(quoted("")));
    assertThat(layers()).containsExactly("eth", "ip", "icmp", "ip", "udp", "data");
    assertThat(columns("ip.src", "udp.length")).isEqualTo("192.0.2.2,192.0.2.1\t980");
    assertThat(decoder.mark()).isEqualTo(Mark.SOUND);
    byte[] short4 = quoted("");
    decoder.decode(packets.of(ipv4(1, Arrays.copyOfRange(short4, 34, short4.length - 8))));
    assertThat(decoder.at(4).name()).isEqualTo("udp");
    assertThat(decoder.at(4).mark()).isEqualTo(Mark.CUT);
  }

  @Test
  void shouldFindExtensionsBehindWhatIsQuoted() {
    decoder.decode(packets.of(quoted("20000000 0008 0101 00064140")));
    assertThat(decoder.layer(IcmpProtocol.ICMP).payloadBytes()).isEqualTo(32);
    assertThat(columns("icmp.mpls.label", "icmp.mpls.ttl", "udp.payload"))
        .isEqualTo("100\t64\t01020304");
  }

  @Test
  void shouldFindWhatEachChunkCarriesAndThoseBehindIt() {
    String chunks =
        "3039 3039 00000001 00000000"
            + "0003 0013 00000001 0001 0000 00000000 616263 00"
            + "0300 0010 00000001 00010000 0000 0000"
            + "0003 0012 00000002 0001 0001 00000000 6465 0000";
    decoder.decode(packets.of(ipv4(132, bytes(chunks))));
    assertThat(layers())
        .containsExactly(
            "eth", "ip", "sctp", "sctp.chunk", "data", "sctp.chunk", "sctp.chunk", "data");
    assertThat(columns("sctp.chunk_type", "data.data")).isEqualTo("0,3,0\t616263,6465");
    assertThat(decoder.mark()).isEqualTo(Mark.SOUND);
  }

  @Test
  void shouldTellHowLongMessagesOfBgpAre() {
    BgpProtocol bgp = new BgpProtocol();
    byte[] message = bytes("ff".repeat(16) + "0013 04");
    for (int length = 0; length <= message.length; length++) {
      ByteView view = ByteView.of(message, length);
      assertThat(decoder.messageBytes(bgp, view, 0, 0)).isEqualTo(length < 19 ? 0 : 19);
    }
    message[3] = 0;
    ByteView view = ByteView.of(message, message.length);
    assertThat(decoder.messageBytes(bgp, view, 0, 0)).isEqualTo(Protocol.UNKNOWN);
  }

  @Test
  void shouldFindAllMessagesOfASegment() {
    String tcp = "03e8 00b3 00000001 00000001 5018 0400 0000 0000";
    String message = "ff".repeat(16) + "0013 04";
    decoder.decode(packets.of(ipv4(6, bytes(tcp + message + message))));
    assertThat(layers()).containsExactly("eth", "ip", "tcp", "bgp", "bgp");
  }

  @Test
  void shouldCompleteIpv6AndWhatItCarries() {
    byte[] datagram =
        new PacketBuilder(protocols)
            .add(EthernetProtocol.ETHERNET)
            .add(Ipv6Protocol.IPV6_HEADER)
            .set(Ipv6Protocol.SOURCE, 0x2001_0DB8L << 32, 1)
            .set(Ipv6Protocol.DESTINATION, 0x2001_0DB8L << 32, 2)
            .add(HopByHopProtocol.HOP_BY_HOP)
            .append(bytes("050200000100"))
            .add(UdpProtocol.UDP)
            .set(UdpProtocol.DESTINATION_PORT, 2_000)
            .append(bytes("01020304"))
            .build();
    Packet packet = packets.of(datagram);
    decoder.decode(packet);
    assertThat(layers()).containsExactly("eth", "ipv6", "ipv6.hopopts", "udp", "data");
    assertThat(columns("ipv6.plen", "ipv6.hlim", "ipv6.opt.type", "udp.length"))
        .isEqualTo("20\t64\t0x05,0x01\t12");
    assertThat(decoder.mark()).isEqualTo(Mark.SOUND);
    HeaderScanner scanner = new HeaderScanner();
    assertThat(scanner.scan(packet)).isTrue();
    assertThat(InternetChecksum.isWrong(packet, scanner)).isFalse();
  }

  @Test
  void shouldCompleteChecksumsOfControlMessages() {
    byte[] echo =
        new PacketBuilder(protocols)
            .add(EthernetProtocol.ETHERNET)
            .add(Ipv4Protocol.IP)
            .add(IcmpProtocol.ICMP)
            .set(IcmpProtocol.TYPE, 8)
            .append(bytes("00050001 616263"))
            .build();
    decoder.decode(packets.of(echo));
    // RFC 792 and RFC 1071: ~(0x0800 + 0x0005 + 0x0001 + 0x6162 + 0x6300).
    assertThat(columns("icmp.type", "icmp.checksum")).isEqualTo("8\t0x3397");
    byte[] echo6 =
        new PacketBuilder(protocols)
            .add(EthernetProtocol.ETHERNET)
            .add(Ipv6Protocol.IPV6_HEADER)
            .add(Icmpv6Protocol.ICMPV6)
            .set(Icmpv6Protocol.TYPE, 128)
            .append(bytes("00050001"))
            .build();
    decoder.decode(packets.of(echo6));
    // RFC 4443, section 2.3: as well the length, 8, and the next header, 58.
    assertThat(columns("icmpv6.type", "icmpv6.checksum")).isEqualTo("128\t0x7fb7");
  }

  @Test
  void shouldRefuseBitsThatANumberDoesNotHave() {
    Fields fields = Fields.of("test.parts", "Test", "no document");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fields.parts(8).skip(9))
        .withMessageContaining("bits=9, left=8");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fields.parts(12))
        .withMessageContaining("bits=12");
  }
}
