package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ArpResponderTest {
  private static final String OWN = "02:00:5e:00:00:01";
  private static final String NOBODY = "00:00:00:00:00:00";
  private static final ArpResponder RESPONDER =
      ArpResponder.of(OWN, "192.0.2.1", "198.51.100.0/24");

  private static FrameBuilder request(String sender, String target) {
    return FrameBuilder.arp(Arp.REQUEST, MAC_A, sender, NOBODY, target);
  }

  private static FrameBuilder reply(String sender, String target) {
    return FrameBuilder.arp(Arp.REPLY, OWN, sender, MAC_A, target);
  }

  @Test
  void shouldAnswerForItsAddresses() {
    FrameBuilder padded = request("192.0.2.9", "198.51.100.77").padding(18);
    FrameBuilder tagged = request("192.0.2.9", "192.0.2.1").vlan(9);
    try (var harness = new ElementHarness(RESPONDER)) {
      harness.push(
          request("192.0.2.9", "192.0.2.1"), padded, tagged, request("0.0.0.0", "192.0.2.1"));
      harness.expect(
          "out",
          reply("192.0.2.1", "192.0.2.9"),
          reply("198.51.100.77", "192.0.2.9").padding(18),
          reply("192.0.2.1", "192.0.2.9").vlan(9),
          reply("192.0.2.1", "0.0.0.0"));
      assertThat(harness.read("replies")).isEqualTo("4");
    }
  }

  @Test
  void shouldSendEverythingElseOn() {
    byte[][] others = {
      request("192.0.2.9", "192.0.2.2").toBytes(),
      request("192.0.2.9", "198.51.101.0").toBytes(),
      FrameBuilder.arp(2, MAC_A, "192.0.2.1", OWN, "192.0.2.1").toBytes(),
      udp4().payload(1).toBytes(),
      new byte[5]
    };
    try (var harness = new ElementHarness(RESPONDER)) {
      harness.push(others);
      assertThat(harness.out("rest")).containsExactly(others);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropWhatIsNoWholeMessage() {
    FrameBuilder request = request("192.0.2.9", "192.0.2.1");
    byte[] right = request.toBytes();
    try (var harness = new ElementHarness(RESPONDER).disconnect("rest")) {
      for (int length = 14; length < right.length; length++) {
        harness.push(Arrays.copyOf(right, length));
      }
      harness.push(request.bytes(15, 6), request.bytes(18, 7), request.bytes(22, 1), udp4());
      harness.expectNothing("out");
      assertThat(harness.drops()).containsOnly(entry("malformed", 31L), entry("not_answered", 1L));
    }
  }

  @Test
  void shouldRefuseWhatIsNoAddress() {
    assertThat(ArpResponder.of("02:00", "192.0.2.1/33", "192.0.2").problems())
        .hasSize(3)
        .anyMatch(text -> text.contains("text=192.0.2.1/33") && text.contains("0 to 32"));
    assertThat(ArpResponder.of(OWN).problems())
        .containsExactly("no address: addresses=; write one, such as 192.0.2.1");
    assertThat(ArpResponder.of(OWN, "0.0.0.0/0").problems()).isEmpty();
  }
}
