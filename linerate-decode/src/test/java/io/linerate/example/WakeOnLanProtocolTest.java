package io.linerate.example;

import static io.linerate.example.WakeOnLanProtocol.TARGET;
import static io.linerate.example.WakeOnLanProtocol.WOL;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.decode.Decoder;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import io.linerate.decode.Protocols;
import io.linerate.decode.text.FieldColumns;
import io.linerate.decode.text.TextBuffer;
import io.linerate.testkit.Packets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeOnLanProtocolTest {
  /** A frame that wakes 00:00:5e:00:53:01, with a password of four bytes. */
  private static final byte[] BYTES =
      HexFormat.of()
          .parseHex(
              "ffffffffffff"
                  + "02005e005302"
                  + "0842"
                  + "ffffffffffff"
                  + "00005e005301".repeat(16)
                  + "0a0b0c0d");

  private final Protocols protocols = Protocols.standard().with(new WakeOnLanProtocol());
  private final Decoder decoder = new Decoder(protocols);
  private final Layer wol = decoder.layer(WOL);
  private final Packets packets = new Packets();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  @Test
  void shouldSayWhoIsToWake() {
    decoder.decode(packets.of(BYTES));
    assertThat(decoder.has(wol)).isTrue();
    assertThat(wol.value(TARGET)).isEqualTo(0x0000_5E00_5301L);
    TextBuffer line = new TextBuffer();
    new FieldColumns(protocols, List.of("eth.src", "wol.mac", "wol.passwd")).print(decoder, line);
    assertThat(line).hasToString("02:00:5e:00:53:02\t00:00:5e:00:53:01\t0a0b0c0d\n");
    assertThat(decoder.mark()).isEqualTo(Mark.SOUND);
  }

  @Test
  void shouldMarkWhatIsNotWhole() {
    for (int length = 14 + 1; length < BYTES.length - 4; length++) {
      decoder.decode(packets.of(Arrays.copyOf(BYTES, length)));
      decoder.dissect(new FieldColumns(protocols, List.of("wol.passwd")));
      assertThat(wol.mark()).as("length=%d", length).isEqualTo(Mark.MALFORMED);
    }
  }
}
