package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InternetChecksumTest {
  /** Made with a checksum that is wrong: that of a whole that they are a part of, or none. */
  private static final Set<String> WRONG =
      Set.of("ipv4-first-fragment", "ipv6-first-fragment", "ipv6-ah");

  private final Packets packets = new Packets();
  private final HeaderScanner scanner = new HeaderScanner();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  static List<Corpus.Sample> samples() {
    return Corpus.samples();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldFindTheChecksumsOfRealPacketsRight(Corpus.Sample sample) {
    Packet packet = packets.of(sample.bytes());
    scanner.scan(packet);
    if (scanner.ipVersion() == 4) {
      assertThat(InternetChecksum.verifyIpv4Header(packet, scanner.l3Offset())).isTrue();
    }
    if (scanner.l4Fits()) {
      assertThat(InternetChecksum.verify(packet, scanner))
          .isEqualTo(!WRONG.contains(sample.name()));
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldNoticeEveryFlippedBit(Corpus.Sample sample) {
    scanner.scan(packets.of(sample.bytes()));
    if (!scanner.l4Fits()
        || WRONG.contains(sample.name())
        || sample.name().equals("udp-no-checksum")) {
      return;
    }
    for (int bit = 0; bit < 8 * scanner.l4Bytes(); bit++) {
      byte[] bytes = sample.bytes();
      bytes[scanner.l4Offset() + bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(InternetChecksum.verify(packets.of(bytes), scanner)).as("bit %d", bit).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp-options", "ipv6-chain", "udp-plain", "ipv6-udp", "icmp-echo"})
  void shouldWriteWhatItReads(String name) {
    byte[] bytes = Corpus.bytes(name);
    for (int first = 0; first <= bytes.length; first++) {
      Packet packet = packets.ofSegments(bytes, first, bytes.length - first);
      scanner.scan(packet);
      InternetChecksum.write(packet, scanner);
      if (scanner.ipVersion() == 4) {
        packet.u16(24, 0xA5A5);
        InternetChecksum.writeIpv4Header(packet, 14);
      }
      assertThat(packet.toBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void shouldUpdateAsTheExampleOfRfc1624() {
    // RFC 1624, section 4: where RFC 1141 gets 0xFFFF, equation 3 gets 0x0000.
    assertThat(InternetChecksum.update16(0xDD2F, 0x5555, 0x3285)).isZero();
  }

  @Test
  @Tag("sampled")
  void shouldUpdateToWhatAFullSumGives() {
    Random random = new Random(Soak.seed(1624));
    Packet packet = packets.of(Corpus.bytes("tcp-plain"));
    int updates = Soak.times(20_000, 20_000_000);
    for (int i = 0; i < updates; i++) {
      int at = 14 + 2 * random.nextInt(10);
      int before = InternetChecksum.of(packet, 14, 20);
      int oldWord = packet.u16(at);
      int newWord = random.nextInt(3) == 0 ? 0xFFFF * random.nextInt(2) : random.nextInt(0x10000);
      packet.u16(at, newWord);
      assertThat(InternetChecksum.update16(before, oldWord, newWord))
          .isEqualTo(InternetChecksum.of(packet, 14, 20));
      before = InternetChecksum.of(packet, 14, 20);
      int oldAddress = packet.i32(26);
      int newAddress = random.nextInt();
      packet.i32(26, newAddress);
      assertThat(InternetChecksum.update32(before, oldAddress, newAddress))
          .isEqualTo(InternetChecksum.of(packet, 14, 20));
    }
  }

  @Test
  void shouldSendAUdpChecksumOfZeroAsAllOnes() {
    Packet packet = packets.of(Corpus.bytes("udp-plain"));
    int count = packet.length() - 34;
    InternetChecksum.writeUdp(packet, 14, 34, count);
    // Raise the source port by what is left to all ones: the sum becomes 0xFFFF, its complement 0.
    int port = packet.u16(34) + packet.u16(40);
    packet.u16(34, InternetChecksum.fold(port));
    InternetChecksum.writeUdp(packet, 14, 34, count);
    assertThat(packet.u16(40)).isEqualTo(0xFFFF);
    assertThat(InternetChecksum.verifyUdp(packet, 14, 34, count)).isTrue();
  }

  @Test
  void shouldTakeNoUdpChecksumForRightOverIpv4Only() {
    Packet packet = packets.of(Corpus.bytes("ipv6-udp"));
    assertThat(InternetChecksum.verifyUdp(packet, 14, 54, packet.length() - 54)).isTrue();
    packet.u16(60, 0);
    assertThat(InternetChecksum.verifyUdp(packet, 14, 54, packet.length() - 54)).isFalse();
    packet = packets.of(Corpus.bytes("udp-no-checksum"));
    assertThat(InternetChecksum.verifyUdp(packet, 14, 34, packet.length() - 34)).isTrue();
  }

  @Test
  void shouldRefuseAUdpLengthThatCannotBe() {
    Packet packet = packets.of(Corpus.bytes("udp-plain"));
    int count = packet.length() - 34;
    packet.u16(38, 7);
    assertThat(InternetChecksum.verifyUdp(packet, 14, 34, count)).isFalse();
    packet.u16(38, count + 1);
    assertThat(InternetChecksum.verifyUdp(packet, 14, 34, count)).isFalse();
  }

  @Test
  void shouldFoldTheLargestSums() {
    assertThat(InternetChecksum.fold(0)).isZero();
    assertThat(InternetChecksum.fold(0xFFFF)).isEqualTo(0xFFFF);
    assertThat(InternetChecksum.fold(0x1_0000)).isEqualTo(1);
    assertThat(InternetChecksum.fold(0xFFFF_FFFFL)).isEqualTo(0xFFFF);
    assertThat(InternetChecksum.fold(0xFFFF_FFFF_FFFF_FFFFL)).isEqualTo(0xFFFF);
    assertThat(InternetChecksum.fold(0xFFFF_0001_0000_0000L)).isEqualTo(1);
  }
}
