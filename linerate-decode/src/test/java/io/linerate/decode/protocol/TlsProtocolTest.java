package io.linerate.decode.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.LinkType;
import io.linerate.decode.Decoder;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import io.linerate.decode.Protocols;
import io.linerate.decode.text.FieldColumns;
import io.linerate.decode.text.TextBuffer;
import io.linerate.testkit.LoadedCapture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TlsProtocolTest {
  private static final Path HELLOS =
      Path.of("src/test/resources/io/linerate/decode/captures/tls-hellos.pcap");

  /** From the start of the frame to behind the name in the first hello. */
  private static final int NAME_END_BYTES = 180;

  private final Protocols protocols = Protocols.standard();
  private final Decoder decoder = new Decoder(protocols);

  private static byte[] firstHello() {
    List<byte[]> all = new ArrayList<>();
    try (LoadedCapture capture = LoadedCapture.of("pcap:rx=" + HELLOS + ",linktype=any")) {
      capture.forEach(packet -> all.add(packet.toBytes()));
    }
    return all.getFirst();
  }

  private String told(String field) {
    TextBuffer out = new TextBuffer();
    new FieldColumns(protocols, List.of(field)).print(decoder, out);
    return out.toString().strip();
  }

  @Test
  void shouldTellTheServersNameOfAHelloThatGoesOnInTheNextSegment() {
    byte[] segment = Arrays.copyOf(firstHello(), NAME_END_BYTES);
    int ipBytes = segment.length - 14;
    segment[16] = (byte) (ipBytes >>> 8);
    segment[17] = (byte) ipBytes;
    decoder.decode(ByteView.of(segment, segment.length), LinkType.ETHERNET, 0);
    Layer tls = decoder.layer(TlsProtocol.TLS);
    assertThat(decoder.has(tls)).isTrue();
    assertThat(told("tls.handshake.extensions_server_name")).isEqualTo("www.example.com");
    assertThat(tls.mark()).isEqualTo(Mark.CUT);
  }

  @Test
  void shouldTellTheFingerprintsOfAHello() {
    byte[] frame = firstHello();
    decoder.decode(ByteView.of(frame, frame.length), LinkType.ETHERNET, 0);
    assertThat(told("tls.handshake.ja3")).isEqualTo("3feae269a343c8b6263793b22433a029");
    assertThat(told("tls.handshake.ja4_r"))
        .isEqualTo(
            "t13d0416h2_00ff,1301,1302,c02b"
                + "_0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01"
                + "_0403,0804,0401");
  }

  @Test
  void shouldTakeNothingForARecordThatIsNone() {
    byte[] frame = firstHello();
    frame[54] = 'G';
    decoder.decode(ByteView.of(frame, frame.length), LinkType.ETHERNET, 0);
    assertThat(decoder.has(decoder.layer(TlsProtocol.TLS))).isFalse();
    assertThat(decoder.has(decoder.layer(DataProtocol.DATA))).isTrue();
  }
}
