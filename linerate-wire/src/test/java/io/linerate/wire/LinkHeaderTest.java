package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers as tcpdump.org/linktypes.html and the standards named there have them. */
class LinkHeaderTest {
  private static final String UDP4 =
      "4500001c00010000401100000a0000010a000002" + "04d2003500080000";
  private static final String UDP6 =
      "6000000000081140"
          + "20010db8000000000000000000000001"
          + "20010db8000000000000000000000002"
          + "04d2003500080000";

  private final Packets packets = new Packets();
  private final LinkHeader header = new LinkHeader();
  private final HeaderScanner scanner = new HeaderScanner();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  private Packet packet(String type, String hex) {
    return packet(type, HexFormat.of().parseHex(hex));
  }

  private Packet packet(String type, byte[] bytes) {
    Packet packet = packets.of(bytes);
    packet.linkType(LinkType.parse(type));
    return packet;
  }

  /** Header, then what follows: 4 or 6 for IP, else nothing. */
  @ParameterizedTest
  @CsvSource({
    "ETHERNET,            020000000002 020000000001 0800,                                   4",
    "ETHERNET,            020000000002 020000000001 8100 0064 86dd,                         6",
    "RAW,                 '',                                                               4",
    "RAW,                 '',                                                               6",
    "IPV4,                '',                                                               4",
    "IPV6,                '',                                                               6",
    "NULL,                02000000,                                                         4",
    "NULL,                00000002,                                                         4",
    "NULL,                1e000000,                                                         6",
    "LOOP,                0000001c,                                                         6",
    "PPP,                 ff03 0021,                                                        4",
    "PPP,                 0021,                                                             4",
    "PPP,                 ff03 57,                                                          6",
    "PPP_HDLC,            ff03 0057,                                                        6",
    "PPP_HDLC,            0f00 0800,                                                        4",
    "PPP_PPPD,            0103 0021,                                                        4",
    "PPP_ETHER,           1100 0001 001e 0021,                                              4",
    "C_HDLC,              8f00 86dd,                                                        6",
    "LINUX_SLL,           0000 0001 0006 0200000000010000 0800,                             4",
    "LINUX_SLL,           0000 0001 0006 0200000000010000 8100 0064 0800,                   4",
    "LINUX_SLL,           0000 0001 0006 0200000000010000 0004 aaaa03 000000 86dd,          6",
    "LINUX_SLL2,          86dd 0000 00000002 0001 04 06 0200000000010000,                   6",
    "IEEE802_11,          0801 0000 0200000000aa 020000000001 020000000002 1000 aaaa03000000 0800, 4",
    "IEEE802_11,          8802 0000 020000000002 0200000000aa 020000000001 1000 0000 aaaa03000000 86dd, 6",
    "IEEE802_11,          8803 0000 0200000000aa 0200000000bb 020000000002 1000 020000000001 0000 aaaa03000000 0800, 4",
    "IEEE802_11_RADIOTAP, 0000 0800 00000000 0801 0000 0200000000aa 020000000001 020000000002 1000 aaaa03000000 0800, 4",
    "IEEE802_11_RADIOTAP, 0000 1200 03000000 0000000000000000 20 00 8801 0000 0200000000aa 020000000001 020000000002 1000 0000 0000 aaaa03000000 0800, 4",
    "NFLOG,               02000000 08000200000000ff 2000 0900,                              4"
  })
  void shouldFindWhatFollows(String type, String headerHex, String follows) {
    String hex = headerHex.replace(" ", "");
    boolean is4 = follows.equals("4");
    Packet packet = packet(type, hex + (is4 ? UDP4 : UDP6));
    assertThat(header.read(packet)).isTrue();
    assertThat(scanner.scanAny(packet)).isTrue();
    assertThat(scanner.ipVersion()).isEqualTo(is4 ? 4 : 6);
    assertThat(scanner.ipProtocol()).isEqualTo(IpProtocol.UDP);
    assertThat(scanner.l3Offset()).isEqualTo(hex.length() / 2);
    assertThat(scanner.l4Fits()).isTrue();
    if (header.source() != 0) {
      assertThat(MacAddress.format(header.source())).isEqualTo("02:00:00:00:00:01");
    }
    if (header.destination() != 0) {
      assertThat(MacAddress.format(header.destination())).isEqualTo("02:00:00:00:00:02");
    }
    requireNoneThrowsAtAnyLength(type, hex + (is4 ? UDP4 : UDP6));
  }

  private void requireNoneThrowsAtAnyLength(String type, String hex) {
    byte[] whole = HexFormat.of().parseHex(hex);
    for (int length = 0; length < whole.length; length++) {
      Packet cut = packet(type, Arrays.copyOf(whole, length));
      boolean isThere = header.read(cut);
      assertThat(header.payloadOffset()).isBetween(-1, length);
      assertThat(isThere || header.etherType() == LinkHeader.NONE).isTrue();
      boolean isSound = scanner.scanAny(cut);
      assertThat(isSound)
          .as("%s cut to %d", type, length)
          .isEqualTo(scanner.defect().soundUpToL3());
      assertThat(scanner.l3Offset()).isLessThanOrEqualTo(length);
    }
  }

  /** Whole headers that say that no packet of an ether type follows. */
  @ParameterizedTest
  @CsvSource({
    "RAW,        00",
    "NULL,       17000000",
    "PPP,        ff03c021",
    "LINUX_SLL,  0000 0338 0000 0000000000000000 0000",
    "LINUX_SLL,  0000 0001 0006 0200000000010000 0001 aabb",
    "IEEE802_11, 8000 0000 ffffffffffff 020000000001 020000000001 0000",
    "IEEE802_11, c400 0000 020000000001",
    "IEEE802_11, 4801 0000 0200000000aa 020000000001 020000000002 1000",
    "IEEE802_11, 0841 0000 0200000000aa 020000000001 020000000002 1000 aaaa03000000 0800",
    "IEEE802_11, 8802 0000 020000000002 0200000000aa 020000000001 1000 8000 aaaa03000000 86dd",
    "IEEE802_11, 0801 0000 0200000000aa 020000000001 020000000002 1100 aaaa03000000 0800",
    "IEEE802_11, 0801 0000 0200000000aa 020000000001 020000000002 1000 424203 0000",
    "NFLOG,      02000000 08000200000000ff",
    "USB_LINUX,  0102030405",
    "USER,       ''"
  })
  void shouldSayThatNothingFollows(String type, String hex) {
    String name = type.equals("USER") ? "147" : type;
    Packet packet = packet(name, hex.replace(" ", ""));
    assertThat(header.read(packet)).isTrue();
    assertThat(header.etherType()).isEqualTo(LinkHeader.NONE);
    assertThat(header.payloadOffset()).isEqualTo(LinkHeader.NONE);
    assertThat(scanner.scanAny(packet)).isTrue();
    assertThat(scanner.ipVersion()).isZero();
    assertThat(scanner.etherType()).isEqualTo(-1);
  }

  @Test
  void shouldTakeRawPacketsForNoFramesWhateverTheyHaveAtTheirPlace() {
    // The source address 8.0.69.0 lies where a frame has its ether type and IPv4's first byte.
    String raw = "4500001c000100004006 0000 08004500 0a000002 04d2003500080000".replace(" ", "");
    Packet packet = packet("RAW", raw);
    assertThat(scanner.scanAny(packet)).isTrue();
    assertThat(scanner.l3Offset()).isZero();
    assertThat(scanner.ipProtocol()).isEqualTo(IpProtocol.TCP);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 50, 51, 101, 104, 105, 108, 113, 127, 166, 228, 229, 239, 276})
  void shouldSurviveAnyBytes(int type) {
    Random random = new Random(type);
    byte[] bytes = new byte[96];
    for (int i = 0; i < 20_000; i++) {
      random.nextBytes(bytes);
      if (type == 239 || type == 127) {
        bytes[random.nextInt(2, 12)] = (byte) random.nextInt(16); // Plausible lengths.
        bytes[3] = 0;
      }
      int length = random.nextInt(bytes.length + 1);
      Packet packet = packet(String.valueOf(type), Arrays.copyOf(bytes, length));
      if (header.read(packet)) {
        assertThat(header.payloadOffset()).isBetween(-1, length);
      } else {
        assertThat(header.etherType()).isEqualTo(LinkHeader.NONE);
      }
      scanner.scanAny(packet);
      assertThat(scanner.l4Offset()).isLessThanOrEqualTo(length);
    }
  }
}
