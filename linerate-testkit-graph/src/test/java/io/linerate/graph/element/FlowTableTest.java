package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FlowTableTest {
  private static byte[] flow(int number, int payloadBytes) {
    return udp4().ports(number, 53).payload(payloadBytes).toBytes();
  }

  @Test
  void shouldCountPacketsAndBytesOfEachFlow() {
    try (var harness = new ElementHarness(new FlowTable(64))) {
      harness.push(flow(1, 10), flow(1, 20), udp6().payload(5).toBytes());
      harness.push(tcp4().payload(100), udp4().between(B4, A4).ports(53, 1));
      harness.push(udp6().payload(5).vlan(1).toBytes(), new byte[20]);
      assertThat(harness.out("out")).hasSize(7);
      assertThat(harness.read("top").lines())
          .containsExactly(
              "tcp 192.0.2.1:1000 > 198.51.100.2:80 packets=1 bytes=154",
              "udp [2001:db8::1]:1000 > [2001:db8:1::2]:2000 packets=2 bytes=138",
              "udp 192.0.2.1:1 > 198.51.100.2:53 packets=2 bytes=114",
              "udp 198.51.100.2:53 > 192.0.2.1:1 packets=1 bytes=42");
      assertThat(harness.read("flows")).isEqualTo("4");
      assertThat(harness.read("non_ip")).isEqualTo("1");
      assertThat(harness.read("untracked")).isEqualTo("0");
    }
  }

  @Test
  @Tag("sampled")
  void shouldAgreeWithAMap() {
    Random random = new Random(Soak.seed(5));
    Map<Integer, Integer> packets = new HashMap<>();
    try (var harness = new ElementHarness(new FlowTable(65_536))) {
      int count = Soak.times(5_000, 1_000_000);
      for (int i = 0; i < count; i++) {
        int flow = 1 + random.nextInt(500);
        packets.merge(flow, 1, Integer::sum);
        harness.push(flow(flow, 0));
        if (i % 500 == 0) {
          harness.out("out");
        }
      }
      assertThat(harness.read("flows")).isEqualTo("" + packets.size());
      assertThat(harness.read("top").lines())
          .hasSize(10)
          .allSatisfy(line -> {
            int flow = Integer.parseInt(line.replaceAll(".*192.0.2.1:(\\d+) >.*", "$1"));
            assertThat(line).contains("packets=" + packets.get(flow) + " ");
          });
    }
  }

  @Test
  void shouldForgetIdleFlows() {
    long second = 1_000_000_000;
    try (var harness = new ElementHarness(new FlowTable(1_000, second))) {
      harness.round();
      harness.push(flow(1, 0), flow(2, 0));
      for (int i = 0; i < 90; i++) {
        harness.advance(second / 100);
      }
      harness.push(flow(2, 0));
      for (int i = 0; i < 120; i++) {
        harness.advance(second / 100);
        if (i == 80) {
          harness.push(flow(2, 0));
        }
      }
      assertThat(harness.read("forgotten")).isEqualTo("1");
      assertThat(harness.read("top"))
          .contains("192.0.2.1:2 ")
          .contains("packets=3")
          .doesNotContain("192.0.2.1:1 ");
    }
  }

  @Test
  void shouldCountWhatItHasNoRoomFor() {
    try (var harness = new ElementHarness(new FlowTable(8))) {
      for (int flow = 1; flow <= 20; flow++) {
        harness.push(flow(flow, 0));
      }
      harness.push(flow(1, 0), flow(20, 0));
      assertThat(harness.out("out")).hasSize(22);
      assertThat(harness.read("flows")).isEqualTo("8");
      assertThat(harness.read("untracked")).isEqualTo("13");
    }
  }

  @Test
  void shouldRefuseNumbersThatCannotBe() {
    assertThat(new FlowTable(7, 0).problems()).hasSize(2);
  }
}
