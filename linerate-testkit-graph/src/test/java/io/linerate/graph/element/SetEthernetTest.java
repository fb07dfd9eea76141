package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class SetEthernetTest {
  private static final String OTHER = "02:11:22:33:44:55";

  private static byte[] frame(String destination, String source) {
    return ethernet().ethernet(source, destination).payload(46).toBytes();
  }

  @Test
  void shouldWriteTheAddressesThatItHas() {
    byte[] frame = frame(MAC_A, MAC_B);
    try (var both = new ElementHarness(new SetEthernet(MAC_B, OTHER));
        var destination = new ElementHarness(new SetEthernet(OTHER, ""));
        var source = new ElementHarness(new SetEthernet("", OTHER))) {
      both.push(frame);
      destination.push(frame);
      source.push(frame);
      assertThat(both.out("out")).containsExactly(frame(MAC_B, OTHER));
      assertThat(destination.out("out")).containsExactly(frame(OTHER, MAC_B));
      assertThat(source.out("out")).containsExactly(frame(MAC_A, OTHER));
    }
  }

  @Test
  void shouldDropWhatHasNoWholeHeader() {
    try (var harness = new ElementHarness(new SetEthernet(OTHER, OTHER))) {
      harness.push(new byte[0], new byte[13], new byte[14]);
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.drops()).containsExactly(entry("truncated_ethernet", 2L));
    }
  }

  @Test
  void shouldRefuseWhatIsNoAddress() {
    assertThat(new SetEthernet("02:11", "").problems())
        .singleElement()
        .asString()
        .contains("destination", "text=02:11", "02:00:5e:10:00:01");
  }
}
