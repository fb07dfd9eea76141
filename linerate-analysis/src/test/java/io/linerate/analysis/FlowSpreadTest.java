package io.linerate.analysis;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Ethernet;
import io.linerate.wire.Icmp;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FlowSpreadTest {
  private static final long SECRET = 0x0123_4567_89AB_CDEFL;
  private static final long SECOND_NS = 1_000_000_000;
  private static final long DELAY_NS = SECOND_NS / 5;
  private static final int OUTPUTS = 4;
  private static final int MARK_BYTES = 16;

  private final ElementHarness harness = harness(5);

  private static ElementHarness harness(long seed) {
    AnalysisSettings settings = AnalysisSettings.DEFAULT.withDelay(Duration.ofNanos(DELAY_NS));
    return new ElementHarness(new FlowSpread(OUTPUTS, settings, new TimeMark(SECRET), seed));
  }

  @AfterEach
  void close() {
    harness.close();
  }

  /** What has come out there, marks as what they say. */
  private List<Object> out(int output) {
    List<Object> out = new ArrayList<>();
    for (byte[] bytes : harness.out("out" + output)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      boolean isMark = bytes.length == MARK_BYTES && buffer.getLong() == SECRET;
      out.add(isMark ? (Object) buffer.getLong() : "packet");
    }
    return out;
  }

  private static int outputOf(ElementHarness of, FrameBuilder frame) {
    of.push(frame);
    int output = 0;
    for (int i = 1; i <= OUTPUTS; i++) {
      boolean isThere = of.out("out" + i).stream().anyMatch(one -> one.length > MARK_BYTES);
      output = isThere ? i : output;
    }
    assertThat(output).isPositive();
    return output;
  }

  private int outputOf(FrameBuilder frame) {
    return outputOf(harness, frame);
  }

  /** The way of the packet, before it, and those that it does not go. */
  @Test
  void shouldTellAllOutputsWhenAPacketEndsAWindow() {
    int output = outputOf(udp4());
    shouldEnd(0, false, output);
    shouldEnd(DELAY_NS - 1, false, output);
    shouldEnd(1, true, output);
    shouldEnd(SECOND_NS - 1, false, output);
    shouldEnd(1, true, output);
    shouldEnd(5 * SECOND_NS, true, output);
  }

  /** Two packets after some time: whether the first ends a window. */
  private void shouldEnd(long afterNs, boolean isEnd, int output) {
    harness.advance(afterNs);
    harness.push(udp4(), udp4());
    List<Object> marks = isEnd ? List.of(harness.nowNs()) : List.of();
    for (int i = 1; i <= OUTPUTS; i++) {
      List<Object> expected = new ArrayList<>(marks);
      expected.addAll(i == output ? List.of("packet", "packet") : List.of());
      assertThat(out(i)).isEqualTo(expected);
    }
  }

  @Test
  void shouldTellWithTheNextPacketWhereNoBufferIsFree() {
    try (ElementHarness poor =
        new ElementHarness(
            new FlowSpread(OUTPUTS, AnalysisSettings.DEFAULT, new TimeMark(SECRET), 5), 2)) {
      int marks = 0;
      for (int packet = 0; packet < 2; packet++) {
        poor.push(udp4());
        for (int i = 1; i <= OUTPUTS; i++) {
          marks +=
              (int) poor.out("out" + i).stream().filter(one -> one.length == MARK_BYTES).count();
        }
      }
      assertThat(marks).isEqualTo(OUTPUTS);
    }
  }

  @Test
  void shouldSendBothDirectionsOfAFlowOneWayAndFlowsAllWays() {
    Set<Integer> outputs = new HashSet<>();
    for (int port = 1; port <= 200; port++) {
      int output = outputOf(tcp4().ports(port, 80));
      assertThat(outputOf(tcp4().between(B4, A4).ports(80, port))).isEqualTo(output);
      outputs.add(output);
    }
    assertThat(outputs).hasSize(OUTPUTS);
  }

  /** Nobody can foresee which flows go one way. */
  @Test
  void shouldSpreadOtherwiseByAnotherSeed() {
    try (ElementHarness other = harness(6)) {
      int same = 0;
      for (int port = 1; port <= 200; port++) {
        FrameBuilder frame = tcp4().ports(port, 80);
        same += outputOf(frame) == outputOf(other, frame) ? 1 : 0;
      }
      assertThat(same).isBetween(10, 120);
    }
  }

  /** Fragments and errors of ICMP, which have no identifier, are all that is between two hosts. */
  @Test
  void shouldSendErrorsByTheirOwnHeaders() {
    Set<Integer> outputs = new HashSet<>();
    for (int port = 1; port <= 100; port++) {
      byte[] frame = udp4().ports(port, 53).payload(8).toBytes();
      byte[] quoted = Arrays.copyOfRange(frame, Ethernet.HEADER_BYTES, frame.length);
      outputs.add(
          outputOf(
              icmp4().icmp(icmp -> icmp.type(Icmp.TIME_EXCEEDED)).between(B4, A4).payload(quoted)));
    }
    outputs.add(outputOf(icmp4().fragment(1, 0, true).payload(64)));
    assertThat(outputs).hasSize(1);
  }
}
