package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuotedPacketTest {
  private static final int L3 = 14;

  private final Packets packets = new Packets();
  private final HeaderScanner scanner = new HeaderScanner();
  private final QuotedPacket quoted = new QuotedPacket();
  private final FlowKey key = new FlowKey();
  private final FlowKey about = new FlowKey();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  /** An error about a sample, with its IP packet behind the header of ICMP. */
  private static byte[] error(Corpus.Sample sample, int type) {
    boolean isIpv4 = sample.ipVersion() == 4;
    int headers = L3 + (isIpv4 ? 20 : 40) + 8;
    byte[] bytes = sample.bytes();
    int quotedBytes = bytes.length - sample.l3Offset();
    byte[] error = new byte[headers + quotedBytes];
    System.arraycopy(bytes, sample.l3Offset(), error, headers, quotedBytes);
    put16(error, 12, isIpv4 ? EtherType.IPV4 : EtherType.IPV6);
    if (isIpv4) {
      error[L3] = 0x45;
      put16(error, L3 + 2, error.length - L3);
      error[L3 + 9] = IpProtocol.ICMP;
    } else {
      error[L3] = 0x60;
      put16(error, L3 + 4, error.length - L3 - 40);
      error[L3 + 6] = IpProtocol.ICMPV6;
    }
    error[headers - 8] = (byte) type;
    return error;
  }

  private static void put16(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }

  private boolean find(byte[] bytes) {
    Packet packet = packets.of(bytes);
    scanner.scan(packet);
    return quoted.find(packet, scanner);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tcp-plain", "tcp-options", "udp-plain", "ipv6-udp", "ipv6-chain", "sctp"})
  void shouldFindTheFlowThatAnErrorIsAbout(String name) {
    Corpus.Sample sample = Corpus.sample(name);
    byte[] error = error(sample, sample.ipVersion() == 4 ? Icmp.TIME_EXCEEDED : 3);
    assertThat(find(error)).isTrue();
    key.readQuoted(packets.burst().packet(0), quoted);
    Packet packet = packets.of(sample.bytes());
    scanner.scan(packet);
    about.readConnection(packet, scanner);
    assertThat(key.isSameDirection(about)).isTrue();
    assertThat(key.sourcePort()).isEqualTo(about.sourcePort()).isNotZero();
    assertThat(quoted.l4Offset() - quoted.l3Offset())
        .isEqualTo(sample.l4Offset() - sample.l3Offset());
    assertThat(quoted.end()).isEqualTo(error.length);
  }

  @ParameterizedTest
  @CsvSource({"tcp-plain, 8", "tcp-plain, 0", "udp-plain, 13", "ipv6-udp, 128", "ipv6-udp, 135"})
  void shouldFindNothingInWhatIsNoError(String name, int type) {
    assertThat(find(error(Corpus.sample(name), type))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ipv4-later-fragment", "ipv6-later-fragment"})
  void shouldFindNothingBehindALaterFragment(String name) {
    Corpus.Sample sample = Corpus.sample(name);
    assertThat(find(error(sample, sample.ipVersion() == 4 ? Icmp.TIME_EXCEEDED : 3))).isFalse();
  }

  @Test
  void shouldNeedEightBytesBehindTheQuotedHeader() {
    byte[] error = error(Corpus.sample("udp-plain"), Icmp.DESTINATION_UNREACHABLE);
    int least = L3 + 20 + 8 + 20 + 8;
    for (int length = 0; length < error.length; length++) {
      byte[] cut = Arrays.copyOf(error, length);
      if (length > L3 + 4) {
        put16(cut, L3 + 2, length - L3);
      }
      assertThat(find(cut)).as("length %d", length).isEqualTo(length >= least);
    }
  }

  @Test
  void shouldTellQueriesApartAndKnowTheirReplies() {
    byte[] echo = Corpus.bytes("icmp-echo");
    Packet packet = packets.of(echo);
    scanner.scan(packet);
    int l4 = scanner.l4Offset();
    int identifier = packet.u16(l4 + 4);
    assertThat(key.readConnection(packet, scanner)).isTrue();
    assertThat(key.sourcePort()).isEqualTo(identifier);
    assertThat(key.destinationPort()).isEqualTo(Icmp.ECHO);
    packet.u8(l4, Icmp.ECHO_REPLY);
    assertThat(about.readConnection(packet, scanner)).isTrue();
    assertThat(about.sourcePort()).isEqualTo(Icmp.ECHO);
    assertThat(about.destinationPort()).isEqualTo(identifier);
    packet.u8(l4, Icmp.TIMESTAMP);
    about.readConnection(packet, scanner);
    assertThat(about.destinationPort()).isEqualTo(Icmp.TIMESTAMP);
    about.reverseOf(key);
    assertThat(about.isOppositeDirection(key)).isTrue();
  }

  @Test
  @Tag("sampled")
  void shouldThrowForNoContentWhatever() {
    SplittableRandom random = new SplittableRandom(Soak.seed(792));
    List<String> names = List.of("tcp-options", "udp-plain", "ipv6-chain", "ipv6-first-fragment");
    for (int i = Soak.times(50_000, 20_000_000); i > 0; i--) {
      Corpus.Sample sample = Corpus.sample(names.get(random.nextInt(names.size())));
      byte[] bytes = error(sample, sample.ipVersion() == 4 ? Icmp.TIME_EXCEEDED : 3);
      for (int flips = random.nextInt(1, 5); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if (find(Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)))) {
        key.readQuoted(packets.burst().packet(0), quoted);
        assertThat(key.ipVersion()).isIn(4, 6);
      }
    }
  }
}
