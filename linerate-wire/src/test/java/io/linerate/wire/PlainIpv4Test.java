package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainIpv4Test {
  @ParameterizedTest
  @CsvSource({
    "34, 080045000014abcd, true", // as short as it can be
    "1514, 080045b805dcabcd, true",
    "33, 080045000014abcd, false", // headers not whole
    "60, 080045000013abcd, false", // total length shorter than the header
    "60, 080046000028abcd, false", // options
    "60, 080044000028abcd, false", // header too short
    "60, 080065000028abcd, false", // not version 4
    "60, 86dd45000028abcd, false", // not IPv4
    "60, 81000001080045aa, false" // behind a VLAN tag
  })
  void shouldTellPlainIpv4FromTheRest(int frameBytes, String word, boolean plain) {
    byte[] bytes = new byte[frameBytes];
    byte[] behindAddresses = HexFormat.of().parseHex(word);
    System.arraycopy(behindAddresses, 0, bytes, 12, behindAddresses.length);
    bytes[23] = 17;
    try (Packets packets = new Packets()) {
      assertThat(PlainIpv4.is(packets.of(bytes))).isEqualTo(plain);
      assertThat(PlainIpv4.is(packets.ofSegments(bytes, 13, 4, frameBytes - 17))).isEqualTo(plain);
      assertThat(PlainIpv4.protocol(packets.of(bytes))).isEqualTo(17);
    }
  }

  @Test
  void shouldDecrementTheTtlAsRewriteDoes() {
    SplittableRandom random = new SplittableRandom(1624);
    byte[] bytes = new byte[64];
    HeaderScanner scanner = new HeaderScanner();
    try (Packets packets = new Packets()) {
      for (int i = 0; i < 200_000; i++) {
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(12, 0x0800_4500).putShort(16, (short) 50);
        bytes[22] = (byte) (i % 256);
        int checksum = i % 3 == 0 ? random.nextInt(0xFE00, 0x1_0000) : random.nextInt(0x1_0000);
        ByteBuffer.wrap(bytes).putShort(24, (short) checksum);
        Packet plain = packets.of(bytes);
        boolean is = PlainIpv4.decrementTtl(plain);
        byte[] after = plain.toBytes();
        Packet other = packets.of(bytes);
        assertThat(scanner.scan(other)).isTrue();
        assertThat(Rewrite.decrementHops(other, scanner)).isEqualTo(is);
        assertThat(after).isEqualTo(other.toBytes());
      }
    }
  }

  /** What is taken for granted of them, the scanner finds. */
  @Test
  void shouldTellWholeTransportPacketsFromTheRest() {
    SplittableRandom random = new SplittableRandom(791);
    HeaderScanner scanner = new HeaderScanner();
    int found = 0;
    try (Packets packets = new Packets()) {
      for (int i = 0; i < 200_000; i++) {
        byte[] bytes = new byte[random.nextInt(34, 90)];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(12, 0x0800_4500).putShort(16, (short) random.nextInt(100));
        if (random.nextInt(4) > 0) {
          ByteBuffer.wrap(bytes).putShort(20, (short) (random.nextBoolean() ? 0x4000 : 0));
        }
        bytes[23] = (byte) (random.nextInt(4) == 0 ? random.nextInt(256) : 6 + 11 * (i % 2));
        Packet packet = packets.of(bytes);
        if (PlainIpv4.isTransport(packet)) {
          found++;
          assertThat(scanner.scan(packet)).isTrue();
          assertThat(scanner.defect()).isEqualTo(HeaderDefect.NONE);
          assertThat(scanner.isFragment()).isFalse();
          assertThat(scanner.l4Fits()).isTrue();
          assertThat(scanner.l4Offset()).isEqualTo(PlainIpv4.HEADER_BYTES);
          assertThat(scanner.ipEnd()).isEqualTo(PlainIpv4.end(packet));
          assertThat(scanner.ipProtocol()).isEqualTo(PlainIpv4.protocol(packet)).isIn(6, 17);
        } else if (bytes.length >= PlainIpv4.TRANSPORT_BYTES && scanner.scan(packet)) {
          boolean isWhole = scanner.defect() == HeaderDefect.NONE && !scanner.isFragment();
          assertThat(isWhole && (bytes[23] == 6 || bytes[23] == 17)).as("step " + i).isFalse();
        }
      }
    }
    assertThat(found).isGreaterThan(1_000);
  }
}
