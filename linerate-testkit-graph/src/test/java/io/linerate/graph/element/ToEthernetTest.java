package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.memory.LinkType;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ToEthernetTest {
  private static final String NOBODY = "00:00:00:00:00:00";
  private static final String SENDER = "02:00:00:00:00:01";
  private static final int ETHERNET_BYTES = 14;

  private final FrameBuilder first = udp4().payload(10);
  private final FrameBuilder second = tcp6().payload(100);

  /** What follows the Ethernet header, behind another. */
  private static byte[] behind(String headerHex, FrameBuilder frame) {
    byte[] bytes = frame.toBytes();
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.writeBytes(HexFormat.of().parseHex(headerHex.replace(" ", "")));
    packet.writeBytes(Arrays.copyOfRange(bytes, ETHERNET_BYTES, bytes.length));
    return packet.toByteArray();
  }

  @Test
  void shouldPutAnEthernetHeaderInThePlaceOfAnother() {
    try (var harness = new ElementHarness(new ToEthernet())) {
      harness.push(LinkType.RAW, behind("", first), behind("", second));
      harness.push(LinkType.PPP, behind("ff030021", first));
      harness.push(LinkType.LINUX_SLL, behind("0000 0001 0006 0200000000010000 86dd", second));
      harness.expect(
          "out",
          first.ethernet(NOBODY, NOBODY),
          second.ethernet(NOBODY, NOBODY),
          first.ethernet(NOBODY, NOBODY),
          second.ethernet(SENDER, NOBODY));
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldPassEthernetFramesAsTheyAre() {
    try (var harness = new ElementHarness(new ToEthernet())) {
      harness.push(first, second);
      harness.push(new byte[3]);
      assertThat(harness.out("out"))
          .containsExactly(first.toBytes(), second.toBytes(), new byte[3]);
    }
  }

  @Test
  void shouldCopyPacketsWithoutRoomBeforeThem() {
    try (var harness = new ElementHarness(new ToEthernet(), 16, 9)) {
      harness.push(LinkType.NULL, behind("02000000", first));
      harness.push(LinkType.of(166), behind("00030057", second));
      harness.expect("out", first.ethernet(NOBODY, NOBODY), second.ethernet(NOBODY, NOBODY));
      assertThat(harness.drops()).containsExactly(entry("copied", 2L));
    }
    try (var harness = new ElementHarness(new ToEthernet(), 1, 0)) {
      harness.push(LinkType.RAW, behind("", first), behind("", first));
      assertThat(harness.drops()).containsOnly(entry("copied", 1L), entry("no_buffer", 1L));
    }
  }

  @Test
  void shouldSortOutWhatHasNoEtherType() {
    byte[] lcp = behind("ff03c021", first);
    try (var harness = new ElementHarness(new ToEthernet())) {
      harness.push(LinkType.PPP, lcp);
      harness.push(LinkType.of(189), lcp);
      harness.push(LinkType.LINUX_SLL2, new byte[19]);
      assertThat(harness.out("other")).containsExactly(lcp, lcp);
      assertThat(harness.drops()).containsExactly(entry("truncated_link", 1L));
      harness.disconnect("other").push(LinkType.PPP, lcp);
      assertThat(harness.drops()).containsEntry("no_ether_type", 1L);
    }
  }
}
