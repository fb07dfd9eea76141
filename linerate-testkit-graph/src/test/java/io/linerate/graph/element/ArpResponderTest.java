package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ArpResponderTest {
  private static final String OWN = "02:00:5e:00:00:01";
  private static final String NOBODY = "00:00:00:00:00:00";
  private static final ArpResponder RESPONDER =
      ArpResponder.of(OWN, "192.0.2.1", "198.51.100.0/24");

  private static byte[] request(String sender, String target) {
    return SampleFrames.arp(1, SampleFrames.MAC_A, sender, NOBODY, target);
  }

  private static byte[] reply(String sender, String target) {
    return SampleFrames.arp(2, OWN, sender, SampleFrames.MAC_A, target);
  }

  @Test
  void shouldAnswerForItsAddresses() {
    byte[] padded = SampleFrames.padded(request("192.0.2.9", "198.51.100.77"), 18);
    byte[] tagged = SampleFrames.tagged(request("192.0.2.9", "192.0.2.1"), EtherType.VLAN, 9);
    try (var harness = new ElementHarness(RESPONDER)) {
      harness.push(
          request("192.0.2.9", "192.0.2.1"), padded, tagged, request("0.0.0.0", "192.0.2.1"));
      assertThat(harness.out("out"))
          .containsExactly(
              reply("192.0.2.1", "192.0.2.9"),
              SampleFrames.padded(reply("198.51.100.77", "192.0.2.9"), 18),
              SampleFrames.tagged(reply("192.0.2.1", "192.0.2.9"), EtherType.VLAN, 9),
              reply("192.0.2.1", "0.0.0.0"));
      assertThat(harness.read("replies")).isEqualTo("4");
    }
  }

  @Test
  void shouldSendEverythingElseOn() {
    byte[][] others = {
      request("192.0.2.9", "192.0.2.2"),
      request("192.0.2.9", "198.51.101.0"),
      SampleFrames.arp(2, SampleFrames.MAC_A, "192.0.2.1", OWN, "192.0.2.1"),
      SampleFrames.udp4(1),
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
    byte[] right = request("192.0.2.9", "192.0.2.1");
    try (var harness = new ElementHarness(RESPONDER).disconnect("rest")) {
      for (int length = 14; length < right.length; length++) {
        harness.push(Arrays.copyOf(right, length));
      }
      harness.push(
          SampleFrames.with(right, 15, 6),
          SampleFrames.with(right, 18, 7),
          SampleFrames.with(right, 22, 1),
          SampleFrames.udp4(1));
      assertThat(harness.out("out")).isEmpty();
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
