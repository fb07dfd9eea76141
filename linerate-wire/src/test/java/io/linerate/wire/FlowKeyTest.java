package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowKeyTest {
  private final Packets packets = new Packets();
  private final HeaderScanner scanner = new HeaderScanner();
  private final FlowKey key = new FlowKey();
  private final FlowKey back = new FlowKey();

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  private boolean read(FlowKey target, byte[] bytes) {
    Packet packet = packets.of(bytes);
    scanner.scan(packet);
    return target.read(packet, scanner);
  }

  /** The packet of the other direction: addresses and ports exchanged. */
  private static byte[] reversed(Corpus.Sample sample) {
    byte[] bytes = sample.bytes();
    if (sample.ipVersion() == 4) {
      exchange(bytes, sample.l3Offset() + 12, 4);
    } else {
      exchange(bytes, sample.l3Offset() + 8, 16);
    }
    exchange(bytes, sample.l4Offset(), 2);
    return bytes;
  }

  private static void exchange(byte[] bytes, int at, int size) {
    for (int i = at; i < at + size; i++) {
      byte first = bytes[i];
      bytes[i] = bytes[i + size];
      bytes[i + size] = first;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp-plain", "udp-plain", "ipv6-tcp", "ipv6-udp", "sctp", "ipv6-chain"})
  void shouldTellDirectionsApartAndKnowThatTheyBelongTogether(String name) {
    Corpus.Sample sample = Corpus.sample(name);
    assertThat(read(key, sample.bytes())).isTrue();
    assertThat(read(back, reversed(sample))).isTrue();
    assertThat(key.sourcePort()).isEqualTo(back.destinationPort()).isNotZero();
    assertThat(key.destinationPort()).isEqualTo(back.sourcePort()).isNotZero();
    assertThat(key.hash()).isNotEqualTo(back.hash());
    assertThat(key.symmetricHash()).isEqualTo(back.symmetricHash());
    assertThat(key.isOppositeDirection(back)).isTrue();
    assertThat(key.isSameDirection(back)).isFalse();
    assertThat(key.isSameDirection(key)).isTrue();
  }

  @Test
  void shouldReadTheFields() {
    read(key, Corpus.bytes("tcp-plain"));
    assertThat(key.ipVersion()).isEqualTo(4);
    assertThat(key.protocol()).isEqualTo(IpProtocol.TCP);
    assertThat(key.sourcePort()).isEqualTo(40_000);
    assertThat(key.destinationPort()).isEqualTo(80);
    assertThat(key.sourceLow()).isEqualTo(0xC000_020AL);
    assertThat(key.destinationLow()).isEqualTo(0xC633_6414L);
    read(key, Corpus.bytes("ipv6-tcp"));
    assertThat(new Ipv6Address(key.sourceHigh(), key.sourceLow())).hasToString("2001:db8::10");
    assertThat(new Ipv6Address(key.destinationHigh(), key.destinationLow()))
        .hasToString("2001:db8:1::20");
  }

  @ParameterizedTest
  @CsvSource({
    "ipv4-first-fragment, ipv4-later-fragment",
    "ipv6-first-fragment, ipv6-later-fragment"
  })
  void shouldKeepFragmentsTogether(String first, String later) {
    read(key, Corpus.bytes(first));
    read(back, Corpus.bytes(later));
    assertThat(key.isSameDirection(back)).isTrue();
    assertThat(key.hash()).isEqualTo(back.hash());
    assertThat(key.sourcePort()).isZero();
  }

  @Test
  void shouldHaveNoPortsWhereTheProtocolHasNone() {
    read(key, Corpus.bytes("icmp-echo"));
    assertThat(key.sourcePort()).isZero();
    assertThat(key.destinationPort()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"recorded-arp", "lldp", "three-tags", "ipv6-later-fragment-of-options"})
  void shouldSayThatThereIsNoFlow(String name) {
    read(key, Corpus.bytes("tcp-plain"));
    assertThat(read(key, Corpus.bytes(name))).isFalse();
    assertThat(key.isSameDirection(new FlowKey())).isFalse();
    assertThat(key.ipVersion()).isZero();
    assertThat(key.sourceLow()).isZero();
    assertThat(key.sourcePort()).isZero();
  }

  @Test
  void shouldSpreadNeighboursOverAllBits() {
    Set<Long> hashes = new HashSet<>();
    Set<Long> symmetric = new HashSet<>();
    int[] buckets = new int[256];
    byte[] bytes = Corpus.bytes("udp-plain");
    for (int i = 0; i < 4096; i++) {
      bytes[29] = (byte) (i & 63);
      bytes[35] = (byte) (i >>> 6);
      read(key, bytes);
      hashes.add(key.hash());
      symmetric.add(key.symmetricHash());
      buckets[(int) (key.symmetricHash() & 0xFF)]++;
    }
    assertThat(hashes).hasSize(4096);
    assertThat(symmetric).hasSize(4096);
    // 16 are expected in each of 256 buckets; with a fair hash 40 are as good as impossible.
    for (int bucket : buckets) {
      assertThat(bucket).isBetween(1, 40);
    }
  }

  @Test
  void shouldDependOnTheSeed() {
    FlowKey seeded = new FlowKey(1);
    read(key, Corpus.bytes("tcp-plain"));
    read(seeded, Corpus.bytes("tcp-plain"));
    assertThat(seeded.hash()).isNotEqualTo(key.hash());
    assertThat(seeded.symmetricHash()).isNotEqualTo(key.symmetricHash());
  }
}
