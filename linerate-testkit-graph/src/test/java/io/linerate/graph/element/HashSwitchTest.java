package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.LinkType;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Ethernet;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
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
        FrameBuilder there = udp4().ports(port, 53).payload(port % 9);
        byte[] back = udp4().between(B4, A4).ports(53, port).payload(100).toBytes();
        int output = outputOf(harness, there.toBytes());
        assertThat(outputOf(harness, back)).isEqualTo(output);
        assertThat(outputOf(harness, there.vlan(1).toBytes())).isEqualTo(output);
      }
    }
  }

  @Test
  void shouldSendPacketsWithoutEthernetWhereThoseWithItGo() {
    try (var harness = new ElementHarness(new HashSwitch(OUTPUTS))) {
      for (int port = 1; port <= FLOWS; port++) {
        byte[] frame = udp4().ports(port, 53).payload(port % 9).toBytes();
        int output = outputOf(harness, frame);
        byte[] packet = Arrays.copyOfRange(frame, Ethernet.HEADER_BYTES, frame.length);
        harness.push(LinkType.RAW, packet);
        assertThat(harness.out("out" + output)).containsExactly(packet);
      }
    }
  }

  /** Both ends of VXLAN choose their ports by what is inside. */
  @Test
  void shouldKeepTunnelsBetweenTwoAddressesTogether() {
    byte[] header = {8, 0, 0, 0, 0, 0, 7, 0};
    byte[] inner = udp4().payload(9).toBytes();
    try (var harness = new ElementHarness(new HashSwitch(OUTPUTS, 3, true))) {
      int output = -1;
      for (int port = 1; port <= FLOWS; port++) {
        FrameBuilder there = udp4().ports(port, 4_789).payload(header, inner);
        int own = outputOf(harness, there.toBytes());
        assertThat(output == -1 || own == output).isTrue();
        assertThat(outputOf(harness, there.between(B4, A4).toBytes())).isEqualTo(own);
        output = own;
      }
    }
  }

  /** Whoever looks after a flow is told what becomes of its packets. */
  @Test
  void shouldSendErrorsAndAnswersOfIcmpWhereTheirPacketsGo() {
    try (var harness = new ElementHarness(new HashSwitch(OUTPUTS, 3))) {
      for (int port = 1; port <= FLOWS; port++) {
        byte[] frame = udp4().ports(port, 53).payload(8).toBytes();
        byte[] quoted = Arrays.copyOfRange(frame, Ethernet.HEADER_BYTES, frame.length);
        byte[] error =
            icmp4()
                .between("192.0.2.99", A4)
                .icmp(icmp -> icmp.type(Icmp.TIME_EXCEEDED))
                .payload(quoted)
                .toBytes();
        assertThat(outputOf(harness, error)).isEqualTo(outputOf(harness, frame));
        int identifier = port;
        byte[] request =
            icmp4().icmp(icmp -> icmp.type(Icmp.ECHO).identifier(identifier)).toBytes();
        byte[] reply =
            icmp4()
                .between(B4, A4)
                .icmp(icmp -> icmp.type(Icmp.ECHO_REPLY).identifier(identifier))
                .toBytes();
        assertThat(outputOf(harness, reply)).isEqualTo(outputOf(harness, request));
      }
    }
  }

  @Test
  void shouldSpreadFlowsOfEachKind() {
    List<IntFunction<byte[]>> kinds =
        List.of(
            port -> udp4().ports(port, 53).toBytes(),
            port -> udp6().ports(port, 53).toBytes(),
            host ->
                udp4()
                    .between("10.0." + host / 256 + "." + host % 256, "10.9.9.9")
                    .ports(1, 2)
                    .toBytes());
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
      FrameBuilder udp = ipv4().protocol(IpProtocol.UDP).payload(64);
      int first = outputOf(harness, udp.fragment(1, 0, true).toBytes());
      assertThat(outputOf(harness, udp.fragment(1, 64, false).toBytes())).isEqualTo(first);
      assertThat(outputOf(harness, FrameBuilder.arp(1, MAC_A, A4, MAC_B, B4).toBytes()))
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
        byte[] frame = udp4().ports(port, 53).toBytes();
        moved += outputOf(one, frame) == outputOf(other, frame) ? 0 : 1;
      }
    }
    assertThat(moved).isGreaterThan(FLOWS / 2);
  }
}
