package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.A6;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.driver.pcap.CaptureTap;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameKinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every element, whatever packets come. */
class EveryElementTest {
  private static final Path SOURCES =
      Path.of("../linerate-graph/src/main/java/io/linerate/graph/element");
  private static final Pattern ELEMENT =
      Pattern.compile("implements (?:Element|NumberedOutputs) \\{");
  private static final int BURST = 32;
  private static final int ROUND_PACKETS = 20_000;

  private static final NeighborLimits NEIGHBORS =
      new NeighborLimits(8, 2, 3, 1_000, 1_000_000_000, 1_000_000_000);

  @TempDir static Path folder;

  private static CaptureTap tap;

  @BeforeAll
  static void openTap() {
    tap = new CaptureTap(CaptureWriter.create(folder.resolve("tap.pcap"), 0), _ -> {});
  }

  @AfterAll
  static void closeTap() {
    tap.close();
  }

  /** One or more of each class, named by class and parameters. */
  static Stream<Element> elements() {
    return Stream.of(
        new Capture(folder.resolve("every.pcap").toString(), 64),
        new CheckEthernet(),
        new CheckIpv4(),
        new CheckIpv6(),
        new ArpQuerier(MAC_B, "203.0.113.9/24", A4),
        new ArpQuerier(MAC_B, "198.51.100.9/24", "", NEIGHBORS),
        ArpResponder.of(MAC_B, B4),
        Classifier.of("ip 12/0800", "rest -"),
        new Counter(),
        new DecrementTtl(),
        new Delay(5_000, 64),
        new Discard(),
        new EtherMirror(),
        new Filter("ip and len < 200"),
        new FixChecksums(),
        new FileTap(tap),
        new Fragment(68),
        new Fragment(1_280, true),
        new FlowTable(64, 1_000_000),
        new HashSwitch(3),
        IcmpError.timeExceeded(B4, B6),
        IcmpPingResponder.of(B4, B6),
        NeighborDiscovery.of(MAC_B, A6, B6 + "/64"),
        new NeighborDiscovery(MAC_B, List.of("2001:db8:1::9/64"), A6, NEIGHBORS),
        new Print("every", 14, 2),
        new RandomDrop(0.5),
        RateLimit.packets(1_000_000, 64),
        RateLimit.bits(1_000_000_000, 100_000),
        new Reassemble(4, 4, 1_000_000),
        new RoundRobinSwitch(3),
        new SetEthernet(MAC_A, MAC_B),
        new SetSource(A4, A6, List.of(B4, B6)),
        new TcpReset(1_000),
        new TcpReset(1_000, true),
        new Tee(2),
        new ToEthernet(),
        new VlanPop(),
        new VlanPush(7));
  }

  @Test
  void shouldKnowEveryElement() throws IOException {
    List<String> known = elements().map(e -> e.getClass().getSimpleName()).distinct().toList();
    assertThat(known).containsExactlyInAnyOrderElementsOf(withPackets(classes()));
  }

  /** Those of ports need an engine, and are tested on one; Announce takes no packets. */
  private static List<String> withPackets(List<String> classes) {
    List<String> rest = new ArrayList<>(classes);
    rest.removeAll(List.of("Announce", "FromPort", "ToPort", "Queue"));
    return rest;
  }

  static List<String> classes() throws IOException {
    List<String> classes = new ArrayList<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.sorted().toList()) {
        String source = Files.readString(file);
        if (source.contains("\npublic ") && ELEMENT.matcher(source).find()) {
          classes.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    return classes;
  }

  @ParameterizedTest
  @MethodSource("elements")
  void shouldEndEveryPacketOfEveryLengthWithoutFailure(Element element) {
    try (var harness = new ElementHarness(element)) {
      for (byte[] frame : FrameKinds.all()) {
        for (int length = 0; length <= frame.length; length++) {
          pushToAll(harness, element, Arrays.copyOf(frame, length));
        }
      }
      harness.advance(1_000_000_000);
      assertThat(harness.drops()).doesNotContainKeys("handler_error", "forgotten");
      assertThat(harness.counts().packetsIn()).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("elements")
  @Tag("sampled")
  void shouldEndEveryBrokenPacketWithoutFailure(Element element) {
    Random random = new Random(Soak.seed(1));
    List<byte[]> frames = FrameKinds.all();
    try (var harness = new ElementHarness(element)) {
      int packets = Soak.times(4_000, 2_000_000);
      for (int i = 0; i < packets; i++) {
        byte[] frame = frames.get(i % frames.size()).clone();
        for (int change = random.nextInt(4); change >= 0; change--) {
          int header = Math.min(frame.length, 90);
          frame[12 + random.nextInt(header - 12)] = (byte) random.nextInt(256);
        }
        pushToAll(harness, element, Arrays.copyOf(frame, frame.length - random.nextInt(3)));
        if (i % 100 == 0) {
          harness.advance(50_000_000);
          discardOutputs(harness, element);
        }
      }
      assertThat(harness.drops()).doesNotContainKeys("handler_error", "forgotten");
    }
  }

  private static void discardOutputs(ElementHarness harness, Element element) {
    element.shape().outputs().forEach(output -> harness.out(output.name()));
  }

  private static void pushToAll(ElementHarness harness, Element element, byte[]... frames) {
    element.shape().inputs().forEach(input -> harness.pushTo(input.name(), frames));
  }

  @ParameterizedTest
  @MethodSource("elements")
  void shouldMakeNoObjectForPackets(Element element) {
    byte[][] frames = new byte[BURST][];
    List<byte[]> kinds = FrameKinds.all();
    for (int i = 0; i < BURST; i++) {
      frames[i] = kinds.get(i % kinds.size());
    }
    try (var harness = new ElementHarness(element)) {
      element.shape().outputs().forEach(output -> harness.disconnect(output.name()));
      List<String> inputs = element.shape().inputs().stream().map(input -> input.name()).toList();
      AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
      while (!meter.isDone()) {
        for (int i = 0; i < inputs.size(); i++) {
          harness.pushTo(inputs.get(i), frames);
        }
        harness.advance(10_000);
        meter.add(BURST * inputs.size());
      }
      meter.assertQuiet();
    }
  }
}
