package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * DPDK's drivers of PCI devices without such devices: the conformance suite, {@code linerate
 * capture} and {@code linerate firewall} run in a virtual machine on network cards that QEMU
 * emulates. Two cards of each model are joined by a cable; two have cables to this process.
 */
@EnabledIfSystemProperty(
    named = VirtualMachine.FILES,
    matches = ".+",
    disabledReason =
        "skipped: boots a virtual machine for some minutes; ./linerate test --machine runs it")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MachineTest {
  /** Frames sent at once, which any socket's buffer has room for. */
  private static final int CHUNK = 16;

  private static final int SHORTEST_BYTES = 60;
  private static final int LONGEST_BYTES = 1_514;
  private static final Pattern RECEIVED = Pattern.compile("([\\d,]+) received");

  /**
   * Models of cards, and the slots of the bus for four of each. The virtual functions of an igb
   * take two slots, 16 later.
   */
  enum Model {
    IGB("igb", 4, 2),
    E1000E("e1000e", 12, 1),
    VIRTIO("virtio-net-pci,iommu_platform=on,disable-legacy=on", 16, 1);

    private final String device;
    private final int slot;
    private final int step;

    Model(String device, int slot, int step) {
      this.device = device;
      this.slot = slot;
      this.step = step;
    }

    boolean isThere() {
      return VirtualMachine.knows(device.replaceFirst(",.*", ""));
    }

    /** The cards that a cable joins are the first two. */
    NetworkCard card(int index, String backend) {
      return new NetworkCard(
          name().toLowerCase(Locale.ROOT) + index, device, slot + index * step, backend);
    }
  }

  /** The cards of a model, and the cables to the last two. */
  private record Cards(
      NetworkCard near,
      NetworkCard far,
      NetworkCard left,
      NetworkCard right,
      HostCable leftCable,
      HostCable rightCable) {
    static Cards of(Model model) {
      String hub = NetworkCard.hub(model.slot);
      HostCable left = new HostCable();
      HostCable right = new HostCable();
      return new Cards(
          model.card(0, hub),
          model.card(1, hub),
          model.card(2, left.backend()),
          model.card(3, right.backend()),
          left,
          right);
    }

    Stream<NetworkCard> all() {
      return Stream.of(near, far, left, right);
    }
  }

  private final Map<Model, Cards> cards = new EnumMap<>(Model.class);
  private VirtualMachine machine;

  @BeforeAll
  void boot() {
    Lab.requireDpdk();
    for (Model model : Model.values()) {
      if (model.isThere()) {
        cards.put(model, Cards.of(model));
      }
    }
    machine =
        VirtualMachine.start("cards", "", cards.values().stream().flatMap(Cards::all).toList());
  }

  @AfterAll
  void end() {
    if (machine != null) {
      machine.close();
    }
    cards
        .values()
        .forEach(some -> {
          some.leftCable.close();
          some.rightCable.close();
        });
  }

  private Cards require(Model model) {
    assumeTrue(
        cards.containsKey(model),
        "skipped: this QEMU does not emulate "
            + model.device
            + "; one that does is given by -Dlinerate.test.qemu=PROGRAM");
    return Objects.requireNonNull(cards.get(model));
  }

  @ParameterizedTest
  @EnumSource
  void shouldPassThePortConformance(Model model) throws IOException {
    Cards some = require(model);
    GuestTests.Result result =
        GuestTests.run(
            machine,
            "conformance-" + model,
            "io.linerate.driver.dpdk.PciConformanceTest",
            some.near.address() + "," + some.far.address());
    assertThat(result.status()).as(result.output()).isZero();
    assertThat(result.skipped())
        .as("tests skipped: one for waiting would mean that the card has no interrupts")
        .isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "E1000E, backoff",
    "E1000E, interrupt",
    "VIRTIO, backoff",
    "VIRTIO, interrupt",
    "IGB, interrupt"
  })
  void shouldCaptureEveryFrame(Model model, String idle) throws IOException {
    Cards some = require(model);
    List<byte[]> frames = Frames.ofOddSizes(SHORTEST_BYTES, LONGEST_BYTES);
    Path file = machine.folder().resolve("capture-" + model + "-" + idle + ".pcap");
    GuestCommand capture =
        start(
            "capture-" + model + "-" + idle,
            "capture",
            "--port",
            some.left.port(),
            "--set",
            "idle=" + idle,
            "--write",
            file.toString(),
            "--json",
            "--stats",
            "200ms");
    send(some.leftCable, frames, capture);
    Summary summary = end(capture);
    assertThat(summary.received()).as(summary.json()).isEqualTo(frames.size());
    assertThat(summary.dropped()).as(summary.json()).containsOnlyKeys("consumed");
    assertThat(summary.number("rxPackets")).as(summary.json()).isEqualTo(frames.size());
    assertThat(CapturedFrames.of(file)).containsExactlyElementsOf(frames);
    assertThat(capture.errors()).doesNotContain("cannot tell when packets come");
  }

  /** Each next frames when the program has counted those before. */
  private static void send(HostCable cable, List<byte[]> frames, GuestCommand program) {
    for (int from = 0; from < frames.size(); from += CHUNK) {
      int to = Math.min(from + CHUNK, frames.size());
      frames.subList(from, to).forEach(cable::send);
      program.awaitError(to + " received", text -> lastReceived(text) >= to);
    }
  }

  private static long lastReceived(String statistics) {
    Matcher matcher = RECEIVED.matcher(statistics);
    long last = 0;
    while (matcher.find()) {
      last = Long.parseLong(matcher.group(1).replace(",", ""));
    }
    return last;
  }

  @ParameterizedTest
  @EnumSource
  void shouldForwardWhatTheRulesPass(Model model) {
    Cards some = require(model);
    GuestCommand firewall = startFirewall("firewall-" + model, some);
    for (int number = 0; number < 100; number++) {
      pass(some.leftCable, some.rightCable, number);
      pass(some.rightCable, some.leftCable, number);
    }
    Summary summary = end(firewall);
    assertThat(summary.received()).as(summary.json()).isEqualTo(400);
    assertThat(summary.sent()).as(summary.json()).isEqualTo(200);
    assertThat(summary.droppedTotal()).as(summary.json()).isEqualTo(200);
    assertThat(summary.isConserved()).as(summary.json()).isTrue();
    assertThat(summary.numbers("rxPackets")).as(summary.json()).containsExactly(200L, 200L);
    assertThat(summary.numbers("txPackets")).as(summary.json()).containsExactly(100L, 100L);
  }

  /** Sends a datagram that the rules drop, and one that they pass, which has to come out. */
  private static void pass(HostCable from, HostCable to, int number) {
    from.send(datagram(66, number));
    byte[] frame = datagram(1, number);
    from.send(frame);
    assertThat(to.receive()).as("frame %d", number).isEqualTo(frame);
  }

  /** A frame with a UDP datagram from 10.0.0.{@code host} to 10.0.0.2, of various lengths. */
  @SuppressWarnings("ByteBufferBackingArray") // Allocated here.
  private static byte[] datagram(int host, int number) {
    int lengthBytes = SHORTEST_BYTES + number * 14;
    ByteBuffer frame = ByteBuffer.allocate(lengthBytes);
    frame.putShort(0, (short) -1).putInt(2, -1).put(6, (byte) 2).putShort(12, (short) 0x0800);
    frame.putInt(14, 0x4500_0000 | (lengthBytes - 14)).putInt(22, 0x4011_0000);
    frame.putInt(26, 0x0A00_0000 | host).putInt(30, 0x0A00_0002);
    frame.putInt(34, 0x0400_0035).putShort(38, (short) (lengthBytes - 34)).putInt(42, number);
    return frame.array();
  }

  @ParameterizedTest
  @EnumSource
  void shouldNoticeACableThatIsUnplugged(Model model) {
    Cards some = require(model);
    GuestCommand firewall = startFirewall("link-" + model, some);
    pass(some.leftCable, some.rightCable, 1);
    for (int time = 1; time <= 2; time++) {
      int times = time;
      machine.monitor("set_link " + some.left.id() + " off");
      firewall.awaitError("that the link is down", text -> count(text, "link is down") == times);
      machine.monitor("set_link " + some.left.id() + " on");
      firewall.awaitError("that the link is up", text -> count(text, "link is up") == times);
      pass(some.leftCable, some.rightCable, time);
      pass(some.rightCable, some.leftCable, time);
    }
    String samples =
        GuestCommand.run(
            machine, "samples-" + model, List.of("curl", "-s", "http://127.0.0.1:8080/metrics"));
    assertThat(samples)
        .containsPattern("linerate_port_link_downs_total\\{[^}]*port=\"left\"[^}]*} 2")
        .containsPattern("linerate_port_link_downs_total\\{[^}]*port=\"right\"[^}]*} 0");
    Summary summary = end(firewall);
    assertThat(summary.isConserved()).as(summary.json()).isTrue();
    assertThat(summary.sent()).as(summary.json()).isEqualTo(5);
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  private GuestCommand startFirewall(String name, Cards some) {
    Path rules = Lab.write(machine.folder().resolve(name + ".rules"), "drop 10.0.0.66");
    Path config =
        Lab.write(
            machine.folder().resolve(name + ".properties"),
            "ports=left=" + some.left.port() + "; right=" + some.right.port(),
            "rules=" + rules);
    return start(
        name,
        "firewall",
        config.toString(),
        "--json",
        "--stats",
        "200ms",
        "--dashboard=127.0.0.1:8080");
  }

  private GuestCommand start(String name, String... arguments) {
    List<String> words = new ArrayList<>(Command.linerate(arguments));
    GuestCommand command = GuestCommand.start(machine, name, words);
    command.awaitError("what it has received", text -> RECEIVED.matcher(text).find());
    return command;
  }

  private static Summary end(GuestCommand command) {
    command.terminate();
    assertThat(command.awaitExit()).as(command.errors()).isZero();
    return new Summary(command.output());
  }
}
