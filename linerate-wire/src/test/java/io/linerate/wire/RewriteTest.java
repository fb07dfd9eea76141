package io.linerate.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.memory.ChecksumState;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RewriteTest {
  private static final int ROUND_PACKETS = 1_000_000;
  private static final int MTU = 1_500;

  /** Their checksums are not those of the packets themselves. */
  private static final Set<String> NOT_SUMMED =
      Set.of("ipv4-first-fragment", "ipv6-first-fragment", "ipv6-ah", "udp-no-checksum");

  private static final long[] EDGES = {0, 1, 0xFFFF, 0xFFFF_0000L, 0xFFFF_FFFFL, -1, -2};

  private final Packets packets = new Packets();
  private final HeaderScanner scanner = new HeaderScanner();
  private final SplittableRandom random = new SplittableRandom(Soak.seed(1631));
  private long high = 0x2001_0DB8_0000_0077L;
  private long low = 0xC633_6407L;
  private int port = 4_242;

  @AfterEach
  void buffersAreHome() {
    packets.close();
  }

  /** What there is to rewrite. */
  enum Field {
    SOURCE(true, true, true),
    SOURCE_ADDRESS(true, true, false),
    SOURCE_PORT(true, false, true),
    DESTINATION(false, true, true),
    DESTINATION_ADDRESS(false, true, false),
    DESTINATION_PORT(false, false, true);

    private final boolean isSource;
    private final boolean hasAddress;
    private final boolean hasPort;

    Field(boolean isSource, boolean hasAddress, boolean hasPort) {
      this.isSource = isSource;
      this.hasAddress = hasAddress;
      this.hasPort = hasPort;
    }
  }

  static List<Corpus.Sample> samples() {
    return Corpus.samples();
  }

  private boolean rewrite(Packet packet, Field field) {
    scanner.scan(packet);
    return scanner.ipVersion() == 6 ? rewrite6(packet, field) : rewrite4(packet, field);
  }

  private boolean rewrite4(Packet packet, Field field) {
    int address = (int) low;
    return switch (field) {
      case SOURCE -> {
        if (isPlain(packet)) {
          long addresses = PlainIpv4.addresses(packet);
          int ports = PlainIpv4.ports(packet);
          long changed = (addresses & 0xFFFF_FFFFL) | (low << 32);
          Rewrite.source(
              packet,
              address,
              port,
              change(addresses, ports, changed, (ports & 0xFFFF) | (port << 16)));
          yield true;
        }
        yield Rewrite.source(packet, scanner, address, port);
      }
      case SOURCE_ADDRESS -> Rewrite.sourceAddress(packet, scanner, address);
      case SOURCE_PORT -> Rewrite.sourcePort(packet, scanner, port);
      case DESTINATION -> {
        if (isPlain(packet)) {
          long addresses = PlainIpv4.addresses(packet);
          int ports = PlainIpv4.ports(packet);
          long changed = (addresses & ~0xFFFF_FFFFL) | (low & 0xFFFF_FFFFL);
          Rewrite.destination(
              packet, address, port, change(addresses, ports, changed, (ports & ~0xFFFF) | port));
          yield true;
        }
        yield Rewrite.destination(packet, scanner, address, port);
      }
      case DESTINATION_ADDRESS -> Rewrite.destinationAddress(packet, scanner, address);
      case DESTINATION_PORT -> Rewrite.destinationPort(packet, scanner, port);
    };
  }

  private boolean isPlain(Packet packet) {
    return PlainIpv4.isTransport(packet)
        && packet.checksumState() != ChecksumState.NONE
        && random.nextBoolean();
  }

  /** Either way round: as it is known of who sends, and of who answers. */
  private int change(long addresses, int ports, long newAddresses, int newPorts) {
    return random.nextBoolean()
        ? Rewrite.change(addresses, ports, newAddresses, newPorts)
        : ~Rewrite.change(newAddresses, newPorts, addresses, ports);
  }

  private boolean rewrite6(Packet packet, Field field) {
    return switch (field) {
      case SOURCE -> Rewrite.source(packet, scanner, high, low, port);
      case SOURCE_ADDRESS -> Rewrite.sourceAddress(packet, scanner, high, low);
      case SOURCE_PORT -> Rewrite.sourcePort(packet, scanner, port);
      case DESTINATION -> Rewrite.destination(packet, scanner, high, low, port);
      case DESTINATION_ADDRESS -> Rewrite.destinationAddress(packet, scanner, high, low);
      case DESTINATION_PORT -> Rewrite.destinationPort(packet, scanner, port);
    };
  }

  /** Writes the fields, and then all checksums anew: as a reader of the RFCs would. */
  private byte[] writtenAnew(byte[] bytes, Field field, boolean isSummed) {
    Packet packet = packets.append(bytes);
    scanner.scan(packet);
    int l3 = scanner.l3Offset();
    if (field.hasAddress && scanner.ipVersion() == 4) {
      Ipv4 ip = new Ipv4().wrap(packet, l3);
      Ipv4 _ = field.isSource ? ip.source((int) low) : ip.destination((int) low);
      InternetChecksum.writeIpv4Header(packet, l3);
    } else if (field.hasAddress) {
      Ipv6 ip = new Ipv6().wrap(packet, l3);
      Ipv6 _ = field.isSource ? ip.source(high, low) : ip.destination(high, low);
    }
    if (field.hasPort && !scanner.isLaterFragment()) {
      packet.u16(scanner.l4Offset() + (field.isSource ? 0 : 2), port);
    }
    if (isSummed && scanner.l4Fits()) {
      InternetChecksum.write(packet, scanner);
    }
    return packet.toBytes();
  }

  private void choose() {
    high = number();
    low = number();
    port = random.nextInt(4) == 0 ? 0xFFFF * random.nextInt(2) : random.nextInt(0x10000);
  }

  private long number() {
    return random.nextInt(3) == 0 ? EDGES[random.nextInt(EDGES.length)] : random.nextLong();
  }

  @ParameterizedTest
  @MethodSource("samples")
  @Tag("sampled")
  void shouldKeepChecksumsAsAFullSumGivesThem(Corpus.Sample sample) {
    boolean isSummed = !NOT_SUMMED.contains(sample.name());
    for (int i = Soak.times(300, 300_000); i > 0; i--) {
      choose();
      for (Field field : Field.values()) {
        Packet packet = packets.of(sample.bytes());
        boolean isDone = rewrite(packet, field);
        assertThat(isDone).as(field.name()).isEqualTo(isPossible(sample, field));
        byte[] bytes = packet.toBytes();
        byte[] expected = isDone ? writtenAnew(sample.bytes(), field, isSummed) : sample.bytes();
        if (isSummed) {
          assertThat(bytes).as(field.name()).isEqualTo(expected);
        }
      }
    }
  }

  private static boolean isPossible(Corpus.Sample sample, Field field) {
    boolean hasPorts =
        sample.ipProtocol() == IpProtocol.TCP
            || sample.ipProtocol() == IpProtocol.UDP
            || sample.name().equals("ipv6-later-fragment-of-options");
    return sample.ipVersion() != 0 && (hasPorts || !field.hasPort);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void shouldChangeAllOrNothingAtEveryLength(Corpus.Sample sample) {
    for (Field field : Field.values()) {
      for (int length = 0; length <= sample.bytes().length; length++) {
        byte[] cut = Arrays.copyOf(sample.bytes(), length);
        Packet packet = packets.of(cut);
        boolean isDone = rewrite(packet, field);
        boolean isSound = scanner.defect().soundUpToL3() && scanner.ipVersion() != 0;
        boolean isCut = isTransportOrIcmpv6() && !scanner.isLaterFragment() && !scanner.l4Fits();
        assertThat(isDone).isEqualTo(isSound && !isCut && isPossible(sample, field));
        byte[] expected = isDone ? writtenAnew(cut, field, false) : cut;
        assertThat(withoutL4Checksum(packet)).isEqualTo(withoutL4Checksum(packets.of(expected)));
      }
    }
  }

  private boolean isTransportOrIcmpv6() {
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP, IpProtocol.UDP, IpProtocol.ICMPV6 -> true;
      default -> false;
    };
  }

  private byte[] withoutL4Checksum(Packet packet) {
    byte[] bytes = packet.toBytes();
    scanner.scan(packet);
    if (scanner.l4Fits()) {
      int at =
          scanner.l4Offset()
              + switch (scanner.ipProtocol()) {
                case IpProtocol.TCP -> Tcp.CHECKSUM;
                case IpProtocol.UDP -> Udp.CHECKSUM;
                default -> Icmp.CHECKSUM;
              };
      bytes[at] = 0;
      bytes[at + 1] = 0;
    }
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void shouldDoTheSameWhereverThePacketIsSplit(Field field) {
    for (String name : List.of("tcp-options", "vlan-udp", "ipv6-chain", "ipv6-udp")) {
      byte[] bytes = Corpus.bytes(name);
      Packet whole = packets.of(bytes);
      assertThat(rewrite(whole, field)).isTrue();
      byte[] expected = whole.toBytes();
      for (int first = 0; first <= bytes.length; first++) {
        Packet packet = packets.ofSegments(bytes, first, bytes.length - first);
        assertThat(rewrite(packet, field)).isTrue();
        assertThat(packet.toBytes()).as("split at %d", first).isEqualTo(expected);
      }
    }
  }

  @Test
  @Tag("sampled")
  void shouldThrowForNoContentWhatever() {
    List<Corpus.Sample> samples = Corpus.samples();
    for (int i = Soak.times(100_000, 50_000_000); i > 0; i--) {
      byte[] bytes = samples.get(random.nextInt(samples.size())).bytes();
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      Field field = Field.values()[random.nextInt(Field.values().length)];
      Packet packet = packets.of(bytes);
      if (!rewrite(packet, field)) {
        assertThat(packet.toBytes()).isEqualTo(bytes);
      }
    }
  }

  /** A datagram in two parts: the checksum in the first one is that of the whole. */
  @ParameterizedTest
  @EnumSource
  void shouldKeepTheChecksumOfADatagramInFragments(Field field) {
    byte[] whole = Corpus.bytes("udp-plain");
    byte[] first = Arrays.copyOf(whole, 34 + 16);
    first[20] |= 0x20;
    byte[] later = Arrays.copyOf(whole, whole.length - 16);
    System.arraycopy(whole, 50, later, 34, whole.length - 50);
    later[21] = 2;
    Packet packet = packets.of(first);
    InternetChecksum.writeIpv4Header(packet, 14);
    assertThat(rewrite(packet, field)).isTrue();
    first = packet.toBytes();
    packet = packets.of(later);
    InternetChecksum.writeIpv4Header(packet, 14);
    assertThat(rewrite(packet, field)).isTrue();
    assertThat(InternetChecksum.verifyIpv4Header(packet, 14)).isTrue();
    later = packet.toBytes();
    assertThat(Arrays.copyOfRange(later, 26, 34)).isEqualTo(Arrays.copyOfRange(first, 26, 34));
    System.arraycopy(first, 26, whole, 26, 24);
    System.arraycopy(later, 34, whole, 50, whole.length - 50);
    packet = packets.of(whole);
    assertThat(InternetChecksum.verifyUdp(packet, 14, 34, whole.length - 34)).isTrue();
    assertThat(packet.toBytes()).isNotEqualTo(Corpus.bytes("udp-plain"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeNoUdpChecksumWhereTheSenderMadeNone(Field field) {
    byte[] ipv6 = Corpus.bytes("ipv6-udp");
    ipv6[60] = 0;
    ipv6[61] = 0;
    for (byte[] bytes : List.of(Corpus.bytes("udp-no-checksum"), ipv6)) {
      Packet packet = packets.of(bytes);
      assertThat(rewrite(packet, field)).isTrue();
      assertThat(new Udp().wrap(packet, scanner.l4Offset()).checksum()).isZero();
      assertThat(packet.toBytes()).isNotEqualTo(bytes);
    }
  }

  /** With all ports there is one that makes the sum 0xFFFF and the checksum 0. */
  @Test
  void shouldWriteAUdpChecksumOfZeroAsAllOnes() {
    int ones = 0;
    for (port = 0; port <= 0xFFFF; port++) {
      Packet packet = packets.of(Corpus.bytes("udp-plain"));
      rewrite(packet, Field.SOURCE_PORT);
      int checksum = packet.u16(40);
      assertThat(checksum).isNotZero();
      ones += checksum == 0xFFFF ? 1 : 0;
    }
    assertThat(ones).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepWhatIsLeftToHardware(Field field) {
    for (String name : List.of("tcp-options", "udp-plain", "ipv6-tcp", "ipv6-udp")) {
      Packet packet = packets.of(Corpus.bytes(name));
      scanner.scan(packet);
      int protocol = scanner.ipProtocol();
      leave(packet, protocol);
      Mbuf.leaveChecksum(packets.owned().handle(0));
      assertThat(rewrite(packet, field)).isTrue();
      assertThat(new Transport().wrap(packet, scanner).checksum())
          .isEqualTo(pseudoHeader(packet, protocol));
      packet.completeChecksum();
      assertThat(InternetChecksum.verify(packet, scanner)).isTrue();
      assertThat(packet.toBytes()).isNotEqualTo(Corpus.bytes(name));
    }
  }

  /** Leaves the checksum as the kernel does: CHECKSUM_PARTIAL of linux/skbuff.h. */
  private void leave(Packet packet, int protocol) {
    new Transport().wrap(packet, scanner).checksum(pseudoHeader(packet, protocol));
  }

  private int pseudoHeader(Packet packet, int protocol) {
    long sum =
        InternetChecksum.pseudoHeader(packet, scanner.l3Offset(), protocol, scanner.l4Bytes());
    return InternetChecksum.fold(sum);
  }

  /** Packets of 5,000 bytes that stand for several of 1,000, in several buffers. */
  @ParameterizedTest
  @EnumSource
  void shouldKeepWhatTheKernelHasYetToCut(Field field) {
    for (String name : List.of("tcp-plain", "udp-plain", "ipv6-tcp", "ipv6-udp")) {
      byte[] bytes = Arrays.copyOf(Corpus.bytes(name), 5_000);
      boolean isIpv4 = bytes[12] == 8;
      int lengthAt = isIpv4 ? 16 : 18;
      int length = isIpv4 ? 5_000 - 14 : 5_000 - 54;
      bytes[lengthAt] = (byte) (length >>> 8);
      bytes[lengthAt + 1] = (byte) length;
      Packet packet = packets.of(bytes);
      scanner.scan(packet);
      leave(packet, scanner.ipProtocol());
      long mbuf = packets.owned().handle(0);
      Mbuf.superPacket(mbuf, 1_000);
      assertThat(rewrite(packet, field)).isTrue();
      assertThat(new Transport().wrap(packet, scanner).checksum())
          .isEqualTo(pseudoHeader(packet, scanner.ipProtocol()));
      requireRightParts(mbuf, field);
    }
  }

  private void requireRightParts(long mbuf, Field field) {
    try (Packets parts = new Packets(16)) {
      Segmenter segmenter = new Segmenter(new PacketChains(parts::pool));
      for (int left = segmenter.begin(mbuf, MTU); left > 0; left--) {
        parts.owned().array().append(segmenter.next());
      }
      assertThat(parts.burst().size()).isEqualTo(5);
      for (Packet part : parts.burst()) {
        scanner.scan(part);
        assertThat(scanner.defect()).isEqualTo(HeaderDefect.NONE);
        assertThat(InternetChecksum.verify(part, scanner)).isTrue();
        if (field.hasPort) {
          assertThat(part.u16(scanner.l4Offset() + (field.isSource ? 0 : 2))).isEqualTo(port);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldLeaveAWrongChecksumWrong(Field field) {
    for (String name : List.of("tcp-plain", "udp-plain", "ipv6-udp", "ipv6-tcp")) {
      byte[] bytes = Corpus.bytes(name);
      bytes[bytes.length - 1] ^= 1;
      Packet packet = packets.of(bytes);
      assertThat(rewrite(packet, field)).isTrue();
      assertThat(InternetChecksum.verify(packet, scanner)).isFalse();
    }
  }

  @Test
  void shouldRefuseTheOtherVersionOfIp() {
    for (String name : List.of("ipv6-tcp", "ipv6-later-fragment", "recorded-arp", "lldp")) {
      Packet packet = packets.of(Corpus.bytes(name));
      scanner.scan(packet);
      assertThat(Rewrite.source(packet, scanner, 1, 1)).isFalse();
      assertThat(Rewrite.destinationAddress(packet, scanner, 1)).isFalse();
      assertThat(packet.toBytes()).isEqualTo(Corpus.bytes(name));
    }
    Packet packet = packets.of(Corpus.bytes("tcp-plain"));
    scanner.scan(packet);
    assertThat(Rewrite.destination(packet, scanner, 1, 1, 1)).isFalse();
    assertThat(Rewrite.sourceAddress(packet, scanner, 1, 1)).isFalse();
    assertThat(packet.toBytes()).isEqualTo(Corpus.bytes("tcp-plain"));
  }

  /** DCCP and UDP-Lite; SCTP's checksum covers no address, but the ports. */
  @ParameterizedTest
  @ValueSource(ints = {33, 136, 132})
  void shouldRefuseWhatItCannotKeepRight(int protocol) {
    byte[] bytes = Corpus.bytes("udp-plain");
    bytes[23] = (byte) protocol;
    for (Field field : Field.values()) {
      Packet packet = packets.of(bytes);
      boolean isPossible = protocol == IpProtocol.SCTP && !field.hasPort;
      assertThat(rewrite(packet, field)).isEqualTo(isPossible);
      assertThat(Arrays.equals(packet.toBytes(), bytes)).isNotEqualTo(isPossible);
    }
  }

  /** A source route of IPv4 in place of its record route, and segments left in a routing header. */
  @Test
  void shouldRefuseTheDestinationOfWhatHasStopsBeforeIt() {
    byte[] chain = Corpus.bytes("ipv6-chain");
    chain[78 + 3] = 1;
    byte[] loose = Corpus.bytes("ipv4-record-route");
    loose[35] = (byte) 131;
    byte[] strict = loose.clone();
    strict[35] = (byte) 137;
    byte[] usedUp = loose.clone();
    usedUp[37] = (byte) (usedUp[36] + 1);
    for (Field field : Field.values()) {
      boolean isRefused = !field.isSource && field.hasAddress;
      for (byte[] bytes : List.of(chain, loose, strict)) {
        Packet packet = packets.of(bytes);
        assertThat(rewrite(packet, field)).isNotEqualTo(isRefused);
        assertThat(Arrays.equals(packet.toBytes(), bytes)).isEqualTo(isRefused);
      }
      assertThat(rewrite(packets.of(usedUp), field)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0x10000})
  void shouldRefuseAPortThatThereIsNot(int none) {
    Packet packet = packets.of(Corpus.bytes("tcp-plain"));
    port = none;
    assertThatIllegalArgumentException().isThrownBy(() -> rewrite(packet, Field.SOURCE));
    assertThatIllegalArgumentException().isThrownBy(() -> rewrite(packet, Field.DESTINATION_PORT));
    assertThat(packet.toBytes()).isEqualTo(Corpus.bytes("tcp-plain"));
  }

  @Test
  void shouldAllocateNothing() {
    List<Corpus.Sample> samples = Corpus.samples();
    try (Packets many = new Packets(samples.size())) {
      samples.forEach(sample -> many.append(sample.bytes()));
      AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
      while (!meter.isDone()) {
        for (Packet packet : many.burst()) {
          low++;
          rewrite(packet, Field.SOURCE);
          rewrite(packet, Field.DESTINATION_ADDRESS);
        }
        meter.add(samples.size());
      }
      meter.assertQuiet();
    }
  }
}
