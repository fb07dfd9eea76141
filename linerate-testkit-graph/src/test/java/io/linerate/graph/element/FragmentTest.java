package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.numbers;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.IpProtocol;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentTest {
  private static List<byte[]> fragments(Fragment element, byte[]... frames) {
    try (var harness = new ElementHarness(element)) {
      harness.push(frames);
      assertThat(harness.drops()).isEmpty();
      return harness.out("out");
    }
  }

  /** The fragments that {@link FrameBuilder#udp4} is to be cut into. */
  private static byte[][] parts4(int payloadBytes, int mtu) {
    byte[] udp = behind(34, udp4().payload(payloadBytes));
    int most = (mtu - 20) / 8 * 8;
    byte[][] parts = new byte[Math.ceilDiv(udp.length, most)][];
    for (int i = 0; i < parts.length; i++) {
      int end = Math.min(udp.length, (i + 1) * most);
      parts[i] =
          part4(0x1234, i * most, end < udp.length)
              .payload(Arrays.copyOfRange(udp, i * most, end))
              .toBytes();
    }
    return parts;
  }

  private static FrameBuilder part4(int identification, int offsetBytes, boolean isMoreToCome) {
    return ipv4().protocol(IpProtocol.UDP).fragment(identification, offsetBytes, isMoreToCome);
  }

  private static byte[] behind(int offset, FrameBuilder frame) {
    byte[] bytes = frame.toBytes();
    return Arrays.copyOfRange(bytes, offset, bytes.length);
  }

  @Test
  void shouldCutIpv4OfEveryLength() {
    for (int bytes = 0; bytes < 400; bytes++) {
      byte[] frame = udp4().payload(bytes).padding(bytes % 3).toBytes();
      assertThat(fragments(new Fragment(99), frame))
          .containsExactly(28 + bytes <= 99 ? new byte[][] {frame} : parts4(bytes, 99));
    }
  }

  /** Of several buffers before and after. */
  @Test
  void shouldCutTheLongestPacket() {
    assertThat(fragments(new Fragment(9_000), udp4().payload(65_493).toBytes()))
        .containsExactly(parts4(65_493, 9_000));
  }

  @Test
  void shouldCutFragmentsAgain() {
    byte[] piece = numbers(160);
    assertThat(fragments(new Fragment(100), part4(7, 160, true).payload(piece).toBytes()))
        .containsExactly(
            FrameBuilder.bytesOf(
                part4(7, 160, true).payload(Arrays.copyOf(piece, 80)),
                part4(7, 240, true).payload(Arrays.copyOfRange(piece, 80, 160))));
  }

  @Test
  void shouldCopyOptionsOnlyIfTheySaySo() {
    int[] options = {7, 7, 4, 0, 0, 0, 0, 1, 0x88, 4, 5, 6};
    int[] later = {1, 1, 1, 1, 1, 1, 1, 1, 0x88, 4, 5, 6};
    byte[] payload = numbers(100);
    assertThat(
            fragments(
                new Fragment(80), part4(3, 0, false).options(options).payload(payload).toBytes()))
        .containsExactly(
            FrameBuilder.bytesOf(
                part4(3, 0, true).options(options).payload(Arrays.copyOf(payload, 48)),
                part4(3, 48, true).options(later).payload(Arrays.copyOfRange(payload, 48, 96)),
                part4(3, 96, false).options(later).payload(Arrays.copyOfRange(payload, 96, 100))));
  }

  @Test
  void shouldCutIpv6ForItsSource() {
    byte[] udp = behind(54, udp6().payload(3_000));
    FrameBuilder plain = ipv6().protocol(IpProtocol.UDP);
    for (FrameBuilder headers : List.of(plain, plain.extension(IpProtocol.HOPOPT, 1, 4))) {
      byte[] whole = headers.payload(udp).padding(5).toBytes();
      List<byte[]> fragments = fragments(new Fragment(1_280, true), whole);
      byte[] first = fragments.getFirst();
      int header = whole.length - udp.length - 5;
      int identification = ByteBuffer.wrap(first).getInt(header + 4);
      int most = (1_280 + 14 - header - 8) / 8 * 8;
      assertThat(fragments)
          .containsExactly(
              FrameBuilder.bytesOf(
                  headers.fragment(identification, 0, true).payload(Arrays.copyOf(udp, most)),
                  headers
                      .fragment(identification, most, true)
                      .payload(Arrays.copyOfRange(udp, most, 2 * most)),
                  headers
                      .fragment(identification, 2 * most, false)
                      .payload(Arrays.copyOfRange(udp, 2 * most, udp.length))));
    }
  }

  @Test
  void shouldSendWhatMustNotBeCutToItsOutput() {
    byte[] whole = udp4().ipv4(ip -> ip.dontFragment(true)).payload(200).toBytes();
    byte[] six = udp6().payload(1_400).toBytes();
    byte[] fragment6 =
        ipv6().protocol(IpProtocol.UDP).fragment(1, 0, true).payload(new byte[1_400]).toBytes();
    try (var harness = new ElementHarness(new Fragment(100));
        var source = new ElementHarness(new Fragment(1_280, true))) {
      harness.push(whole, six);
      source.push(fragment6);
      assertThat(harness.out("toobig")).containsExactly(whole, six);
      assertThat(source.out("toobig")).containsExactly(fragment6);
    }
    try (var harness = new ElementHarness(new Fragment(100)).disconnect("toobig")) {
      harness.push(whole);
      assertThat(harness.drops()).containsExactly(entry("too_big", 1L));
    }
  }

  @Test
  void shouldDropWhatIsTooLongAndNotSound() {
    FrameBuilder frame = udp4().payload(200);
    try (var harness = new ElementHarness(new Fragment(68))) {
      harness.push(
          frame.bytes(14, 0x44),
          part4(1, 8 * 8_190, false).payload(200),
          ethernet().payload(300).vlan(1));
      harness.push(Arrays.copyOf(frame.toBytes(), 150));
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.drops())
          .containsOnly(
              entry("bad_header_length", 1L),
              entry("truncated_payload", 1L),
              entry("malformed", 1L));
    }
  }

  @Test
  void shouldDropThePacketWhenABufferIsMissing() {
    try (var harness = new ElementHarness(new Fragment(68), 2)) {
      harness.push(udp4().payload(200));
      assertThat(harness.out("out")).hasSize(2);
      assertThat(harness.drops()).containsExactly(entry("no_buffer", 1L));
    }
  }

  @Test
  void shouldRefuseLengthsThatCannotBe() {
    assertThat(new Fragment(67).problems())
        .containsExactly("number out of range: mtuBytes=67; write 68 to 65535");
    assertThat(new Fragment(1_279, true).problems())
        .containsExactly("number out of range: mtuBytes=1279; write 1280 to 65535");
  }
}
