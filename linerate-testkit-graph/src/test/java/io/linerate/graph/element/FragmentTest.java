package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentTest {
  private static final int MORE = 0x2000;

  private static List<byte[]> fragments(Fragment element, byte[]... frames) {
    try (var harness = new ElementHarness(element)) {
      harness.push(frames);
      assertThat(harness.drops()).isEmpty();
      return harness.out("out");
    }
  }

  /** Checks each fragment of IPv4 without options, and returns what they carry. */
  private static byte[] payload4(List<byte[]> fragments, int mtu) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (int i = 0; i < fragments.size(); i++) {
      byte[] fragment = fragments.get(i);
      boolean isLast = i + 1 == fragments.size();
      assertThat(fragment.length).isLessThanOrEqualTo(14 + mtu);
      assertThat(SampleFrames.get16(fragment, 16)).isEqualTo(fragment.length - 14);
      assertThat(SampleFrames.get16(fragment, 20))
          .isEqualTo(payload.size() / 8 | (isLast ? 0 : MORE));
      assertThat(SampleFrames.hasRightHeaderChecksum(fragment)).isTrue();
      payload.write(fragment, 34, fragment.length - 34);
    }
    return payload.toByteArray();
  }

  @Test
  void shouldCutIpv4OfEveryLength() {
    for (int bytes = 0; bytes < 400; bytes++) {
      byte[] frame = SampleFrames.udp4(bytes);
      List<byte[]> fragments = fragments(new Fragment(99), SampleFrames.padded(frame, bytes % 3));
      if (frame.length - 14 + bytes % 3 <= 99) {
        assertThat(fragments).containsExactly(SampleFrames.padded(frame, bytes % 3));
      } else if (frame.length - 14 <= 99) {
        assertThat(fragments).hasSize(1);
      } else {
        assertThat(fragments).hasSize(Math.ceilDiv(frame.length - 34, 72));
        assertThat(payload4(fragments, 99)).isEqualTo(Arrays.copyOfRange(frame, 34, frame.length));
      }
    }
  }

  /** Of several buffers before and after. */
  @Test
  void shouldCutTheLongestPacket() {
    byte[] frame = SampleFrames.udp4(65_493);
    List<byte[]> fragments = fragments(new Fragment(9_000), frame);
    assertThat(payload4(fragments, 9_000)).isEqualTo(Arrays.copyOfRange(frame, 34, frame.length));
  }

  @Test
  void shouldCutFragmentsAgain() {
    byte[] piece = SampleFrames.numbers(160);
    byte[] fragment =
        SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, IpProtocol.UDP, 7, MORE | 20, piece);
    List<byte[]> fragments = fragments(new Fragment(100), fragment);
    assertThat(fragments.stream().map(part -> SampleFrames.get16(part, 20)))
        .containsExactly(MORE | 20, MORE | 30);
    assertThat(fragments.getLast()).hasSize(34 + 80);
  }

  @Test
  void shouldCopyOptionsOnlyIfTheySaySo() {
    byte[] options = {7, 7, 4, 0, 0, 0, 0, 1, (byte) 0x88, 4, 5, 6};
    byte[] later = {1, 1, 1, 1, 1, 1, 1, 1, (byte) 0x88, 4, 5, 6};
    byte[] payload = SampleFrames.numbers(100);
    byte[] frame =
        SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 3, 0, 64, options, payload);
    List<byte[]> fragments = fragments(new Fragment(80), frame);
    byte[] first = Arrays.copyOf(payload, 48);
    byte[] second = Arrays.copyOfRange(payload, 48, 96);
    byte[] third = Arrays.copyOfRange(payload, 96, 100);
    assertThat(fragments)
        .containsExactly(
            SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 3, MORE, 64, options, first),
            SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 3, MORE | 6, 64, later, second),
            SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 3, 12, 64, later, third));
  }

  @Test
  void shouldCutIpv6ForItsSource() {
    byte[] options = {IpProtocol.UDP, 0, 1, 4, 0, 0, 0, 0};
    byte[] udp =
        SampleFrames.udp(SampleFrames.A6, SampleFrames.B6, 1, 2, SampleFrames.numbers(3_000));
    byte[] hopByHop = SampleFrames.ipv6(IpProtocol.HOP_BY_HOP, SampleFrames.join(options, udp));
    int id = 0;
    for (byte[] frame : List.of(SampleFrames.ipv6(IpProtocol.UDP, udp), hopByHop)) {
      int header = frame.length - udp.length;
      List<byte[]> fragments = fragments(new Fragment(1_280, true), SampleFrames.padded(frame, 5));
      ByteArrayOutputStream payload = new ByteArrayOutputStream();
      for (byte[] fragment : fragments) {
        boolean isLast = payload.size() + fragment.length - header - 8 == udp.length;
        assertThat(fragment.length).isLessThanOrEqualTo(14 + 1_280);
        assertThat(SampleFrames.get16(fragment, 18)).isEqualTo(fragment.length - 54);
        assertThat(fragment[header == 54 ? 20 : 54]).isEqualTo((byte) IpProtocol.IPV6_FRAG);
        assertThat(SampleFrames.get16(fragment, header)).isEqualTo(IpProtocol.UDP << 8);
        assertThat(SampleFrames.get16(fragment, header + 2))
            .isEqualTo(payload.size() | (isLast ? 0 : 1));
        int fragmentId = Arrays.hashCode(Arrays.copyOfRange(fragment, header + 4, header + 8));
        assertThat(payload.size() == 0 || fragmentId == id).isTrue();
        id = fragmentId;
        payload.write(fragment, header + 8, fragment.length - header - 8);
      }
      assertThat(fragments).hasSize(3);
      assertThat(payload.toByteArray()).isEqualTo(udp);
    }
  }

  @Test
  void shouldSendWhatMustNotBeCutToItsOutput() {
    byte[] whole =
        SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 1, 0x4000, new byte[200]);
    byte[] six = SampleFrames.udp6(1_400);
    byte[] fragment6 = SampleFrames.fragment6(IpProtocol.UDP, 1, 0, true, new byte[1_400]);
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
    byte[] frame = SampleFrames.udp4(200);
    byte[] beyond =
        SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 1, 8_190, new byte[200]);
    try (var harness = new ElementHarness(new Fragment(68))) {
      harness.push(
          SampleFrames.with(frame, 14, 0x44),
          Arrays.copyOf(frame, 150),
          beyond,
          SampleFrames.tagged(SampleFrames.frame(0x88B5, new byte[300]), EtherType.VLAN, 1));
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
      harness.push(SampleFrames.udp4(200));
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
