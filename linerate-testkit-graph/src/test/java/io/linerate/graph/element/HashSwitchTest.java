package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class HashSwitchTest {
  private static final int OUTPUTS = 4;
  private static final int FLOWS = 400;

  private static int outputOf(ElementHarness harness, byte[] frame) {
    harness.push(frame);
    for (int i = 1; i <= OUTPUTS; i++) {
      List<byte[]> out = harness.out("out" + i);
      if (!out.isEmpty()) {
        assertThat(out).containsExactly(frame);
        return i;
      }
    }
    throw new AssertionError("packet is lost");
  }

  @Test
  void shouldKeepBothDirectionsOfAFlowTogether() {
    try (var harness = new ElementHarness(new HashSwitch(OUTPUTS))) {
      for (int port = 1; port <= FLOWS; port++) {
        byte[] there = SampleFrames.udp4(SampleFrames.A4, SampleFrames.B4, port, 53, port % 9);
        byte[] back = SampleFrames.udp4(SampleFrames.B4, SampleFrames.A4, 53, port, 100);
        int output = outputOf(harness, there);
        assertThat(outputOf(harness, back)).isEqualTo(output);
        assertThat(outputOf(harness, SampleFrames.tagged(there, EtherType.VLAN, 1)))
            .isEqualTo(output);
      }
    }
  }

  @Test
  void shouldSpreadFlowsOfEachKind() {
    List<IntFunction<byte[]>> kinds =
        List.of(
            port -> SampleFrames.udp4(SampleFrames.A4, SampleFrames.B4, port, 53, 0),
            port -> SampleFrames.udp6(SampleFrames.A6, SampleFrames.B6, port, 53, 0),
            host ->
                SampleFrames.udp4("10.0." + host / 256 + "." + host % 256, "10.9.9.9", 1, 2, 0));
    for (IntFunction<byte[]> kind : kinds) {
      int[] counts = new int[OUTPUTS + 1];
      try (var harness = new ElementHarness(new HashSwitch(OUTPUTS, 7))) {
        for (int flow = 1; flow <= FLOWS; flow++) {
          counts[outputOf(harness, kind.apply(flow))]++;
        }
      }
      for (int i = 1; i <= OUTPUTS; i++) {
        assertThat(counts[i]).as("output %d", i).isBetween(FLOWS / 8, FLOWS / 2);
      }
    }
  }

  @Test
  void shouldKeepFragmentsTogetherAndSendTheRestToTheFirst() {
    try (var harness = new ElementHarness(new HashSwitch(OUTPUTS))) {
      byte[] udp = SampleFrames.numbers(64);
      int flags = SampleFrames.MORE_FRAGMENTS;
      String a = SampleFrames.A4;
      String b = SampleFrames.B4;
      int first = outputOf(harness, SampleFrames.ipv4(a, b, IpProtocol.UDP, 1, flags, udp));
      assertThat(outputOf(harness, SampleFrames.ipv4(a, b, IpProtocol.UDP, 1, 8, udp)))
          .isEqualTo(first);
      assertThat(
              outputOf(harness, SampleFrames.arp(1, SampleFrames.MAC_A, a, SampleFrames.MAC_B, b)))
          .isEqualTo(1);
      assertThat(outputOf(harness, new byte[3])).isEqualTo(1);
    }
  }

  @Test
  void shouldChooseOtherwiseWithAnotherSeed() {
    int moved = 0;
    try (var one = new ElementHarness(new HashSwitch(OUTPUTS, 1));
        var other = new ElementHarness(new HashSwitch(OUTPUTS, 2))) {
      for (int port = 1; port <= FLOWS; port++) {
        byte[] frame = SampleFrames.udp4(SampleFrames.A4, SampleFrames.B4, port, 53, 0);
        moved += outputOf(one, frame) == outputOf(other, frame) ? 0 : 1;
      }
    }
    assertThat(moved).isGreaterThan(FLOWS / 2);
  }
}
