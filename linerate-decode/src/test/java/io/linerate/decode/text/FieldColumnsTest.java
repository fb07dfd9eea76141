package io.linerate.decode.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.decode.Decoder;
import io.linerate.decode.PacketBuilder;
import io.linerate.decode.Protocols;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.testkit.LoadedCapture;
import io.linerate.testkit.Packets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Columns that need more than the bytes of one layer. */
class FieldColumnsTest {
  private static final String CAPTURES = "src/test/resources/io/linerate/decode/captures/";
  private static final long CLIENT = 0xC000_0201L;
  private static final long SERVER = 0xC000_0202L;
  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int SYN_ACK = 0x12;
  private static final int ACK = 0x10;
  private static final int FIN_ACK = 0x11;

  private final Protocols protocols = Protocols.standard();
  private final Decoder decoder = new Decoder(protocols);
  private final FieldColumns streams = new FieldColumns(protocols, List.of("tcp.stream"));
  private final Packets packets = new Packets();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  private List<String> lines(String capture, String... names) {
    FieldColumns columns = new FieldColumns(protocols, List.of(names));
    List<String> lines = new ArrayList<>();
    TextBuffer line = new TextBuffer();
    try (LoadedCapture loaded = LoadedCapture.of("pcap:rx=" + CAPTURES + capture)) {
      loaded.forEach(packet -> {
        decoder.decode(packet);
        columns.print(decoder, line.clear());
        lines.add(line.toString().strip());
      });
    }
    return lines;
  }

  @Test
  void shouldSayWhichLayersAreMalformed() {
    assertThat(lines("dns-malformed.pcap", "_ws.malformed"))
        .hasSize(8)
        .containsOnly("[Malformed Packet: DNS],_ws.malformed");
    assertThat(lines("gre.pcap", "_ws.malformed")).containsOnly("");
  }

  /** Layers are looked at for it whose fields nobody wants. */
  @Test
  void shouldSayWhatIsMalformedBesideOtherColumns() {
    assertThat(lines("dns-malformed.pcap", "frame.number", "_ws.malformed").getFirst())
        .isEqualTo("1\t[Malformed Packet: DNS],_ws.malformed");
  }

  @Test
  void shouldNameProtocolsAsTsharkDoes() {
    assertThat(lines("gre.pcap", "frame.protocols"))
        .startsWith(
            "eth:ethertype:ip:gre:ip:udp:data",
            "eth:ethertype:ip:gre:ip:udp:data",
            "eth:ethertype:ip:gre:eth:ethertype:ip:udp:data");
    assertThat(lines("sctp.pcap", "frame.protocols")).contains("eth:ethertype:ip:sctp");
  }

  static List<Path> captures() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(CAPTURES))) {
      return files.filter(file -> file.toString().endsWith(".pcap")).sorted().toList();
    }
  }

  /** What is not looked at for a column changes nothing of what stands there. */
  @ParameterizedTest
  @MethodSource("captures")
  void shouldSayOfAFieldTheSameAloneAsBesideAllOthers(Path capture) {
    List<String> names = List.copyOf(protocols.fieldNames());
    FieldColumns all = new FieldColumns(protocols, names);
    Map<String, FieldColumns> alone = new HashMap<>();
    TextBuffer line = new TextBuffer();
    // Streams are numbered when they are asked for: each decoder asks for them in the same order.
    Decoder other = new Decoder(protocols);
    try (LoadedCapture loaded = LoadedCapture.of("pcap:rx=" + capture + ",linktype=any")) {
      loaded.forEach(packet -> {
        decoder.decode(packet);
        all.print(decoder, line.clear());
        String[] values = line.toString().stripTrailing().split("\t", -1);
        other.decode(packet);
        for (int i = 0; i < values.length; i++) {
          if (!values[i].isEmpty()) {
            String name = names.get(i);
            alone
                .computeIfAbsent(name, _ -> new FieldColumns(protocols, List.of(name)))
                .print(other, line.clear());
            assertThat(line.toString().stripTrailing())
                .as(name)
                .isEqualTo(values[i].stripTrailing());
          }
        }
      });
    }
  }

  private String stream(int client, boolean isToServer, int flags, long sequence) {
    decoder.decode(packets.of(segment(client, isToServer, flags, sequence)));
    return stream();
  }

  private String stream() {
    TextBuffer line = new TextBuffer();
    streams.print(decoder, line);
    return line.toString().strip();
  }

  private byte[] segment(int client, boolean isToServer, int flags, long sequence) {
    return new PacketBuilder(protocols)
        .add(EthernetProtocol.ETHERNET)
        .add(Ipv4Protocol.IP)
        .set(Ipv4Protocol.SOURCE, isToServer ? CLIENT : SERVER)
        .set(Ipv4Protocol.DESTINATION, isToServer ? SERVER : CLIENT)
        .add(TcpProtocol.TCP)
        .set(TcpProtocol.SOURCE_PORT, isToServer ? client : 80)
        .set(TcpProtocol.DESTINATION_PORT, isToServer ? 80 : client)
        .set(TcpProtocol.SEQUENCE, sequence)
        .set(TcpProtocol.ACKNOWLEDGMENT, 1_000)
        .set(TcpProtocol.FLAGS, flags)
        .build();
  }

  /** As where it is printed and written into a file. */
  @Test
  void shouldNumberAStreamTheSameHoweverOftenItIsAskedFor() {
    for (int flags : new int[] {SYN | FIN, SYN | RST}) {
      String first = stream(40_000, true, flags, 10);
      assertThat(stream()).isEqualTo(first);
      assertThat(stream()).isEqualTo(first);
      assertThat(stream(40_000, true, SYN, 10)).as("after its end").isNotEqualTo(first);
    }
  }

  @Test
  void shouldNumberStreamsAsTheyAppear() {
    assertThat(stream(40_000, true, SYN, 10)).isEqualTo("0");
    assertThat(stream(40_001, true, SYN, 20)).isEqualTo("1");
    assertThat(stream(40_000, false, SYN_ACK, 30)).isEqualTo("0");
    assertThat(stream(40_000, true, ACK, 11)).isEqualTo("0");
    assertThat(stream(40_001, false, SYN_ACK, 40)).isEqualTo("1");
    for (int port = 1_024; port < 30_000; port++) {
      assertThat(stream(port, true, SYN, port)).isEqualTo(String.valueOf(2 + port - 1_024));
    }
    assertThat(stream(40_000, true, ACK, 11)).isEqualTo("0");
    assertThat(stream(29_999, false, SYN_ACK, 7)).isEqualTo(String.valueOf(2 + 29_999 - 1_024));
  }

  @Test
  void shouldGiveAnotherNumberToPortsThatAreUsedAgain() {
    assertThat(stream(40_000, true, SYN, 10)).isEqualTo("0");
    assertThat(stream(40_000, true, SYN, 10)).as("sent again").isEqualTo("0");
    assertThat(stream(40_000, false, SYN_ACK, 30)).isEqualTo("0");
    assertThat(stream(40_000, true, SYN, 5_000)).as("another number").isEqualTo("1");
    assertThat(stream(40_000, true, FIN_ACK, 5_001)).isEqualTo("1");
    assertThat(stream(40_000, true, SYN, 5_000)).as("after its end").isEqualTo("2");
    assertThat(stream(40_000, false, SYN_ACK, 60)).isEqualTo("2");
  }
}
