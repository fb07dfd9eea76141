package io.linerate.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.PacketPredicate;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacketFilterTest {
  private static final int IP = 14;

  private final Packets packets = new Packets();

  @AfterEach
  void close() {
    packets.close();
  }

  /** TCP from 10.0.0.1, port 1024, to 10.0.0.2, port 80. */
  private static byte[] tcp() {
    ByteBuffer frame = ByteBuffer.allocate(60);
    frame.putLong(0, 0x0200_0000_0001_0200L).putShort(12, (short) 0x0800);
    frame.put(IP, (byte) 0x45).put(IP + 9, (byte) 6);
    frame.putInt(IP + 12, 0x0A00_0001).putInt(IP + 16, 0x0A00_0002);
    frame.putShort(IP + 20, (short) 1024).putShort(IP + 22, (short) 80).put(IP + 32, (byte) 0x50);
    return frame.array();
  }

  private boolean accepts(String filter, byte[] frame) {
    return PacketFilter.compile(filter).accepts(packets.of(frame));
  }

  private boolean accepts(String filter, LinkType type, byte[] frame) {
    Packet packet = packets.of(frame);
    packet.linkType(type);
    return PacketFilter.compile(filter).accepts(packet);
  }

  @Test
  void shouldAcceptWhatTheFilterSays() {
    assertThat(accepts("tcp port 80 and host 10.0.0.1", tcp())).isTrue();
    assertThat(accepts("tcp port 81 and host 10.0.0.1", tcp())).isFalse();
    assertThat(accepts("", tcp())).isTrue();
    assertThat(accepts(" \n", new byte[0])).isTrue();
  }

  @Test
  void shouldReadPacketsThatAreSplitAnywhere() {
    PacketFilter filter = PacketFilter.compile("tcp src port 1024 and dst port 80 and net 10");
    byte[] frame = tcp();
    for (int split = 1; split < frame.length; split++) {
      Packet packet = packets.ofSegments(frame, split, frame.length - split);
      assertThat(filter.accepts(packet)).as("split at %d", split).isTrue();
    }
  }

  @Test
  void shouldInterpretWhatNoMethodHasRoomFor() {
    int depth = 40;
    String filter =
        IntStream.range(0, 45)
            .mapToObj(i ->
                "ether["
                    + "ether[".repeat(depth)
                    + i
                    + "]"
                    + ":4]".repeat(depth - 1)
                    + ":4] = "
                    + (70_000 + i))
            .collect(Collectors.joining(" or "));
    assertThat(accepts(filter, tcp())).isFalse();
    assertThat(accepts("tcp or " + filter, tcp())).isTrue();
  }

  @Test
  void shouldJudgeAllPacketsOfABurst() {
    PacketFilter filter = PacketFilter.compile("tcp dst port 80 and len >= 60");
    byte[] ip = Arrays.copyOfRange(tcp(), IP, 60);
    byte[] web = tcp();
    byte[] other = tcp();
    other[IP + 23] = 81;
    Random random = new Random(1);
    try (Packets many = new Packets(400)) {
      for (int i = 0; i < 150; i++) {
        switch (random.nextInt(6)) {
          case 0 -> many.append(other);
          case 1 -> many.append(Arrays.copyOf(web, random.nextInt(60)));
          case 2 -> many.append(ip).linkType(i % 2 == 0 ? LinkType.RAW : LinkType.IEEE802_11);
          case 3 -> many.append(web, 1 + random.nextInt(58));
          default -> many.append(web);
        }
      }
      assertJudged(filter, many);
      for (int i = 0; i < 150; i += 1 + random.nextInt(5)) {
        many.burst().packet(i).drop(DropReason.CONSUMED);
      }
      assertJudged(filter, many);
      assertJudged(PacketFilter.compile("type ctl"), many);
      many.burst().dropAll(DropReason.CONSUMED);
      assertThat(filter.accepted(many.burst(), 0)).isZero();
      assertThatThrownBy(() -> filter.accepted(many.burst(), 151))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static void assertJudged(PacketPredicate filter, Packets packets) {
    Burst burst = packets.burst();
    List<Integer> each = new ArrayList<>();
    burst.forEach(packet -> {
      if (filter.accepts(packet)) {
        each.add(packet.index());
      }
    });
    List<Integer> together = new ArrayList<>();
    for (int from = 0; from < burst.size(); from += Long.SIZE) {
      for (long left = filter.accepted(burst, from); left != 0; left &= left - 1) {
        together.add(from + Long.numberOfTrailingZeros(left));
      }
    }
    assertThat(together).isNotEmpty().isEqualTo(each);
  }

  @Test
  void shouldRejectPacketsThatEndBeforeWhatItReads() {
    PacketFilter filter = PacketFilter.compile("tcp dst port 80");
    byte[] frame = tcp();
    for (int length = 0; length <= frame.length; length++) {
      Packet packet = packets.of(Arrays.copyOf(frame, length));
      assertThat(filter.accepts(packet)).as("length %d", length).isEqualTo(length >= IP + 24);
    }
  }

  @Test
  void shouldTakeThePacketsLinkType() {
    byte[] ip = Arrays.copyOfRange(tcp(), IP, 60);
    byte[] cooked = new byte[16 + ip.length];
    cooked[14] = 8;
    System.arraycopy(ip, 0, cooked, 16, ip.length);
    assertThat(accepts("tcp dst port 80", LinkType.RAW, ip)).isTrue();
    assertThat(accepts("tcp dst port 81", LinkType.RAW, ip)).isFalse();
    assertThat(accepts("tcp dst port 80", LinkType.LINUX_SLL, cooked)).isTrue();
    assertThat(accepts("tcp dst port 80", LinkType.RAW, tcp())).isFalse();
  }

  @Test
  void shouldRejectPacketsOfLinkTypesThatTheFilterSaysNothingOf() {
    PacketFilter wireless = PacketFilter.compile("type mgt subtype beacon");
    byte[] beacon = new byte[40];
    beacon[0] = (byte) 0x80;
    assertThat(wireless.accepts(packets.of(beacon))).isFalse();
    assertThat(accepts("type mgt subtype beacon", LinkType.IEEE802_11, beacon)).isTrue();
    assertThat(accepts("type mgt subtype beacon", LinkType.RAW, beacon)).isFalse();
    assertThatThrownBy(() -> wireless.forLink(LinkType.ETHERNET))
        .isInstanceOf(FilterException.class)
        .hasMessageContaining("linktype=ETHERNET, found=type, subtype or dir");
  }

  @Test
  void shouldRefuseWhatAcceptsNothing() {
    assertThatThrownBy(() -> PacketFilter.compile("ip and arp"))
        .isInstanceOf(FilterException.class)
        .hasMessageContaining("the filter accepts no packet at all");
  }

  @Test
  void shouldTakeFiltersThatAreTooLargeForOneMethod() {
    String hosts =
        IntStream.range(0, 700)
            .mapToObj(i -> "10.1.%d.%d".formatted(i / 250, i % 250))
            .collect(Collectors.joining(" or "));
    assertThat(accepts("host " + hosts, tcp())).isFalse();
    assertThat(accepts("host " + hosts + " or 10.0.0.2", tcp())).isTrue();
  }

  @Test
  void shouldFollowAuthenticationHeaders() {
    byte[] frame = Arrays.copyOf(tcp(), 100);
    frame[IP + 9] = 51;
    frame[IP + 20] = 51; // Of 24 bytes, and one of 12 bytes behind it.
    frame[IP + 21] = 4;
    frame[IP + 44] = 17;
    frame[IP + 45] = 1;
    assertThat(accepts("ip protochain 17", frame)).isTrue();
    assertThat(accepts("ip protochain 6", frame)).isFalse();
    frame[IP + 44] = 51;
    frame[IP + 56] = 17;
    assertThat(accepts("ip protochain 17", frame)).isTrue();
  }

  @Test
  void shouldEndWhateverChainOfHeadersAPacketHas() {
    byte[] frame = new byte[2_000];
    Arrays.fill(frame, (byte) 51);
    frame[12] = (byte) 0x08;
    frame[13] = 0;
    assertThat(accepts("protochain 17", frame)).isFalse();
    Arrays.fill(frame, IP, frame.length, (byte) 0);
    frame[12] = (byte) 0x86;
    frame[13] = (byte) 0xDD;
    assertThat(accepts("protochain 17", frame)).isFalse();
  }

  @Test
  void shouldMeanWhatItSaysWhereLibpcapDoesNot() {
    byte[] atm = {0, 5, 0, 3, 0, 0};
    assertThat(accepts("vpi != 5", LinkType.of(123), atm)).isFalse();
    assertThat(accepts("vpi != 6", LinkType.of(123), atm)).isTrue();
    assertThat(accepts("byte 1 & 4", atm)).isTrue();
    assertThat(accepts("byte 1 & 2", atm)).isFalse();
    assertThat(accepts("byte 0 | 0", atm)).isFalse();
    assertThat(accepts("link src host $1f", LinkType.of(7), new byte[] {0x1F, 0})).isTrue();
    for (int family : new int[] {10, 24, 28, 30}) {
      assertThat(accepts("ip6", LinkType.LOOP, new byte[] {0, 0, 0, (byte) family})).isTrue();
      assertThat(accepts("ip6", LinkType.of(117), new byte[] {61, (byte) family})).isTrue();
    }
  }

  @Test
  void shouldTellGatewaysFromWhatTheySend() {
    FilterNames names = new Names();
    PacketFilter filter =
        PacketFilter.compile("gateway gate", FilterOptions.defaults().withNames(names));
    byte[] frame = tcp();
    System.arraycopy(Names.ETHERNET, 0, frame, 6, 6);
    assertThat(filter.accepts(packets.of(frame))).isTrue();
    ByteBuffer.wrap(frame).putInt(IP + 12, 0x0A00_00FE);
    assertThat(filter.accepts(packets.of(frame))).isFalse();
    assertThat(filter.accepts(packets.of(tcp()))).isFalse();
  }

  @Test
  void shouldAllocateNothingForAPacket() {
    PacketFilter filter = PacketFilter.compile("tcp dst port 80 and ip[2:2] > 10 or vlan and udp");
    Packet packet = packets.of(tcp());
    FilterProgram program = PacketFilter.compile("tcp").program(LinkType.ETHERNET);
    AllocationMeter meter = new AllocationMeter(20_000);
    int accepted = 0;
    while (!meter.isDone()) {
      for (int i = 0; i < 1_000; i++) {
        accepted += filter.accepts(packet) ? 1 : 0;
        accepted += (int) filter.accepted(packets.burst(), 0);
        accepted += program.accepts(packet) ? 1 : 0;
      }
      meter.add(1_000);
    }
    meter.assertQuiet();
    assertThat(accepted).isPositive();
  }
}
