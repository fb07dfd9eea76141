package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetSourceTest {
  private static final List<String> OLD = List.of("10.0.0.1", "fd00::1");
  private static final String MAC = FrameBuilder.MAC_A;

  @Test
  void shouldWriteTheSourceAndWhatChecksIt() {
    try (var harness = new ElementHarness(new SetSource("192.0.2.1", "2001:db8::1", OLD))) {
      harness.push(
          udp4().between("10.0.0.1", "10.0.0.2").payload(9),
          icmp4().between("10.0.0.1", "10.0.0.2").vlan(5).payload(9),
          udp6().between("fd00::1", "fd00::2").payload(9),
          udp4().between("10.0.0.3", "10.0.0.2").payload(9),
          FrameBuilder.arp(Arp.REQUEST, MAC, "10.0.0.1", MAC, "10.0.0.2"));
      harness.expect(
          "out",
          udp4().between("192.0.2.1", "10.0.0.2").payload(9),
          icmp4().between("192.0.2.1", "10.0.0.2").vlan(5).payload(9),
          udp6().between("2001:db8::1", "fd00::2").payload(9),
          udp4().between("10.0.0.3", "10.0.0.2").payload(9),
          FrameBuilder.arp(Arp.REQUEST, MAC, "10.0.0.1", MAC, "10.0.0.2"));
    }
  }

  @Test
  void shouldLeaveAVersionAloneOfWhichItHasNoAddress() {
    try (var harness = new ElementHarness(new SetSource("", "2001:db8::1", OLD))) {
      byte[] frame = udp4().between("10.0.0.1", "10.0.0.2").payload(9).toBytes();
      harness.push(frame);
      assertThat(harness.out("out")).containsExactly(frame);
    }
  }
}
