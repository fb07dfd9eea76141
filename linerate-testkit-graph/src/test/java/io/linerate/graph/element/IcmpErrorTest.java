package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class IcmpErrorTest {
  private static final String OWN4 = "203.0.113.1";
  private static final String OWN6 = "2001:db8:ffff::1";
  private static final int CONTROL = 0xC0;

  private static byte[] message4(int id, int type, int code, int rest, byte[] quoted) {
    byte[] icmp =
        SampleFrames.join(
            new byte[] {(byte) type, (byte) code, 0, 0}, SampleFrames.u32(rest), quoted);
    SampleFrames.put16(icmp, 2, SampleFrames.checksum(icmp));
    byte[] frame = SampleFrames.ipv4(OWN4, SampleFrames.A4, IpProtocol.ICMP, id, 0, icmp);
    return back(withTypeOfService(frame));
  }

  private static byte[] withTypeOfService(byte[] frame) {
    byte[] changed = SampleFrames.with(frame, 15, CONTROL);
    SampleFrames.put16(changed, 24, 0);
    SampleFrames.put16(changed, 24, SampleFrames.checksum(Arrays.copyOfRange(changed, 14, 34)));
    return changed;
  }

  private static byte[] message6(int type, int code, int rest, byte[] quoted) {
    byte[] icmp =
        SampleFrames.join(
            new byte[] {(byte) type, (byte) code, 0, 0}, SampleFrames.u32(rest), quoted);
    SampleFrames.summed(icmp, 2, OWN6, SampleFrames.A6, IpProtocol.ICMPV6);
    return back(SampleFrames.ipv6(OWN6, SampleFrames.A6, IpProtocol.ICMPV6, 64, icmp));
  }

  private static byte[] back(byte[] frame) {
    byte[] swapped = frame.clone();
    System.arraycopy(frame, 0, swapped, 6, 6);
    System.arraycopy(frame, 6, swapped, 0, 6);
    return swapped;
  }

  private static byte[] ip(byte[] frame) {
    return Arrays.copyOfRange(frame, 14, frame.length);
  }

  private static byte[] cut(byte[] bytes, int length) {
    return Arrays.copyOf(bytes, Math.min(bytes.length, length));
  }

  private static List<byte[]> messages(IcmpError element, byte[]... frames) {
    try (var harness = new ElementHarness(element)) {
      harness.push(frames);
      assertThat(harness.drops()).containsExactly(entry("reported", (long) frames.length));
      return harness.out("out");
    }
  }

  @Test
  void shouldQuoteAsMuchAsThereIsRoomFor() {
    for (int bytes : new int[] {0, 1, 500, 519, 520, 521, 1_203, 1_204, 1_400}) {
      byte[] four = SampleFrames.udp4(bytes);
      byte[] six = SampleFrames.udp6(bytes);
      assertThat(
              messages(IcmpError.timeExceeded(OWN4, OWN6), SampleFrames.padded(four, 3), four, six))
          .containsExactly(
              message4(0, 11, 0, 0, cut(ip(four), 548)),
              message4(1, 11, 0, 0, cut(ip(four), 548)),
              message6(3, 0, 0, cut(ip(six), 1_232)));
    }
  }

  @Test
  void shouldSayWhatIsWrong() {
    byte[] four = SampleFrames.tcp4(9);
    byte[] six = SampleFrames.tcp6(9);
    assertThat(messages(IcmpError.tooBig(1_400, OWN4, OWN6), four, six))
        .containsExactly(message4(0, 3, 4, 1_400, ip(four)), message6(2, 0, 1_400, ip(six)));
    assertThat(messages(IcmpError.unreachable(OWN4, OWN6), four, six))
        .containsExactly(message4(0, 3, 1, 0, ip(four)), message6(1, 3, 0, ip(six)));
    assertThat(messages(IcmpError.prohibited(OWN4, OWN6), four, six))
        .containsExactly(message4(0, 3, 13, 0, ip(four)), message6(1, 1, 0, ip(six)));
    assertThat(messages(IcmpError.portUnreachable(OWN4, OWN6), four, six))
        .containsExactly(message4(0, 3, 3, 0, ip(four)), message6(1, 4, 0, ip(six)));
  }

  @Test
  void shouldAnswerOnTheVlanThatThePacketCameBy() {
    byte[] frame = SampleFrames.echo4(9);
    assertThat(
            messages(
                IcmpError.timeExceeded(OWN4, ""), SampleFrames.tagged(frame, EtherType.VLAN, 5)))
        .containsExactly(SampleFrames.tagged(message4(0, 11, 0, 0, ip(frame)), EtherType.VLAN, 5));
  }

  @Test
  void shouldTellNobodyAboutWhatRfc1812And4443Exempt() {
    byte[] toSeveral = SampleFrames.udp4(9);
    toSeveral[0] = 1;
    byte[] toSeveral6 = SampleFrames.udp6(9);
    toSeveral6[0] = 0x33;
    byte[] unreachable = {3, 0, 0, 0, 0, 0, 0, 0};
    byte[] redirect6 = {(byte) 137, 0, 0, 0, 0, 0, 0, 0};
    byte[] tooBig6 = {2, 0, 0, 0, 0, 0, 0, 0};
    byte[] part = new byte[16];
    byte[][] exempt = {
      toSeveral,
      toSeveral6,
      SampleFrames.udp4("224.0.0.1", SampleFrames.B4, 1, 2, 3),
      SampleFrames.udp4("127.0.0.1", SampleFrames.B4, 1, 2, 3),
      SampleFrames.udp4("0.0.0.0", SampleFrames.B4, 1, 2, 3),
      SampleFrames.udp4(SampleFrames.A4, "239.1.1.1", 1, 2, 3),
      SampleFrames.udp4(SampleFrames.A4, "255.255.255.255", 1, 2, 3),
      SampleFrames.ipv4(IpProtocol.ICMP, unreachable),
      SampleFrames.ipv4(IpProtocol.ICMP, new byte[3]),
      SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, IpProtocol.UDP, 1, 2, part),
      SampleFrames.udp6("ff02::1", SampleFrames.B6, 1, 2, 3),
      SampleFrames.udp6("::", SampleFrames.B6, 1, 2, 3),
      SampleFrames.udp6(SampleFrames.A6, "ff02::1", 1, 2, 3),
      SampleFrames.ipv6(IpProtocol.ICMPV6, redirect6),
      SampleFrames.ipv6(IpProtocol.ICMPV6, tooBig6),
      SampleFrames.fragment6(IpProtocol.UDP, 1, 8, false, part),
      SampleFrames.arp(1, SampleFrames.MAC_A, "10.0.0.1", SampleFrames.MAC_B, "10.0.0.2"),
      Arrays.copyOf(SampleFrames.udp4(9), 33)
    };
    try (var harness = new ElementHarness(IcmpError.timeExceeded(OWN4, OWN6))) {
      harness.push(exempt);
      assertThat(harness.out("out")).isEmpty();
      assertThat(harness.drops()).containsExactly(entry("not_reportable", (long) exempt.length));
    }
    try (var harness = new ElementHarness(IcmpError.timeExceeded(OWN4, ""))) {
      harness.push(SampleFrames.udp6(1));
      assertThat(harness.drops()).containsExactly(entry("not_reportable", 1L));
    }
  }

  @Test
  void shouldReportTheLengthToSendersOfMulticastOverIpv6() {
    byte[] frame = SampleFrames.udp6(SampleFrames.A6, "ff0e::1", 1, 2, 3);
    assertThat(messages(IcmpError.tooBig(1_280, "", OWN6), frame))
        .containsExactly(message6(2, 0, 1_280, ip(frame)));
  }

  @Test
  void shouldKeepToItsRate() {
    byte[] frame = SampleFrames.udp4(1);
    IcmpError slow = new IcmpError(IcmpError.Kind.TIME_EXCEEDED, OWN4, "", 1_500, 20);
    try (var harness = new ElementHarness(slow)) {
      harness.push(frame, frame, frame, frame);
      harness.advance(50_000_000);
      harness.push(frame, frame);
      assertThat(harness.out("out")).hasSize(3);
      assertThat(harness.drops()).containsOnly(entry("reported", 3L), entry("report_limit", 3L));
    }
  }

  @Test
  void shouldCountMessagesWithoutBuffer() {
    try (var harness = new ElementHarness(IcmpError.timeExceeded(OWN4, ""), 1)) {
      harness.push(SampleFrames.udp4(1), SampleFrames.udp4(1));
      assertThat(harness.drops()).containsOnly(entry("reported", 1L), entry("no_buffer", 1L));
    }
  }

  @Test
  void shouldRefuseParametersThatCannotBe() {
    assertThat(IcmpError.tooBig(67, "192.0.2", "x").problems()).hasSize(3);
    assertThat(IcmpError.timeExceeded("", "").problems())
        .containsExactly("no address: ipv4=, ipv6=; write the address that the messages come from");
  }
}
