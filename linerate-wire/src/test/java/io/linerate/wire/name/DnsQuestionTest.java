package io.linerate.wire.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DnsQuestionTest {
  /** Of dig: {@code www.Example.org. A}, with EDNS and a cookie. */
  private static final byte[] DIG =
      HexFormat.of()
          .parseHex(
              "9b5a01200001000000000001037777770745"
                  + "78616d706c65036f72670000010001"
                  + "0000290 4d000000000000c000a00083f2b1c6a9d8e7f01".replace(" ", ""));

  private static final int QUESTION_END = 12 + 17 + 4;

  private final DnsQuestion overUdp = new DnsQuestion(false);
  private final DnsQuestion overTcp = new DnsQuestion(true);

  private static byte[] withLength(byte[] message) {
    byte[] bytes = new byte[message.length + 2];
    bytes[0] = (byte) (message.length >> 8);
    bytes[1] = (byte) message.length;
    System.arraycopy(message, 0, bytes, 2, message.length);
    return bytes;
  }

  private static byte[] message(String questions) {
    return HexFormat.of().parseHex(("0001 0100 0001 0000 0000 0000" + questions).replace(" ", ""));
  }

  private String udp(String questions) {
    return Cut.whole(overUdp, message(questions));
  }

  @Test
  void shouldReadTheQuestion() {
    assertThat(Cut.whole(overUdp, DIG)).isEqualTo("www.example.org");
    assertThat(Cut.whole(overTcp, withLength(DIG))).isEqualTo("www.example.org");
  }

  @Test
  void shouldKnowWhatIsCutOff() {
    for (int length = 0; length < QUESTION_END; length++) {
      String found = Cut.whole(overUdp, Arrays.copyOf(DIG, length));
      assertThat(found).isEqualTo(length < 12 ? "NONE" : "MALFORMED");
      byte[] claims = withLength(Arrays.copyOf(DIG, length));
      assertThat(Cut.whole(overTcp, claims)).isEqualTo(length < 12 ? "NEEDS_MORE" : "MALFORMED");
    }
    assertThat(Cut.step(overTcp, withLength(DIG))).isEqualTo(QUESTION_END + 2 + " www.example.org");
  }

  @Test
  void shouldFollowPointersBack() {
    assertThat(udp("0161 c000 0001 0001")).as("to a zero of the header").isEqualTo("a");
    // The identifier as a label: 1, then the first byte of the flags.
    byte[] header =
        HexFormat.of().parseHex("0162000000010000000000000161c0000001 0001".replace(" ", ""));
    assertThat(Cut.whole(overUdp, header)).isEqualTo("a.b");
    assertThat(udp("0161 c00c 0001 0001")).as("a loop").isEqualTo("MALFORMED");
    assertThat(udp("0161 c014 0001 0001 0162 00")).as("forward").isEqualTo("MALFORMED");
  }

  /** Labels are bytes: a name of two labels is not that of three that looks like it. */
  @Test
  void shouldTellADotWithinALabelFromOneBetweenLabels() {
    assertThat(udp("03 612e62 0163 00 0001 0001")).isEqualTo("a\\.b.c");
    assertThat(udp("0161 0162 0163 00 0001 0001")).isEqualTo("a.b.c");
    assertThat(udp("02 615c 0162 00 0001 0001")).isEqualTo("a\\\\.b");
    String most = ("3f" + "61".repeat(63)).repeat(3);
    assertThat(udp(most + "3d" + "2e".repeat(61) + "00 0001 0001"))
        .endsWith("a." + "\\.".repeat(61));
  }

  @Test
  void shouldRefuseWhatIsNoName() {
    assertThat(udp("4161 00 0001 0001")).as("bits 01").isEqualTo("MALFORMED");
    assertThat(udp("8161 00 0001 0001")).as("bits 10").isEqualTo("MALFORMED");
    String most = ("3f" + "61".repeat(63)).repeat(3);
    assertThat(udp(most + "3d" + "61".repeat(61) + "00 0001 0001")).hasSize(253);
    assertThat(udp(most + "3e" + "61".repeat(62) + "00 0001 0001")).isEqualTo("MALFORMED");
    assertThat(udp("00 0001 0001")).as("the root").isEqualTo("NONE");
  }

  @Test
  void shouldKnowWhatIsNoQuestion() {
    byte[] answer = DIG.clone();
    answer[2] |= (byte) 0x80;
    assertThat(Cut.whole(overUdp, answer)).isEqualTo("NONE");
    assertThat(Cut.whole(overTcp, withLength(answer))).as("one may follow").isEqualTo("MALFORMED");
    byte[] none = DIG.clone();
    none[5] = 0;
    assertThat(Cut.whole(overUdp, none)).isEqualTo("NONE");
    byte[] two = DIG.clone();
    two[5] = 2;
    assertThat(Cut.whole(overUdp, two)).isEqualTo("MALFORMED");
  }
}
