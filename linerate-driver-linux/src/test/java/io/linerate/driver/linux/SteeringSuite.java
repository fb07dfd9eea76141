package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.SteeringRule;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.VethPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every port does whose queues are chosen by a program of the kernel's BPF machine. */
public abstract class SteeringSuite {
  private static final long TIMEOUT_NS = 120_000_000_000L;
  private static final int FLOWS = 40;

  /** Frames on their way while rules change: fewer than any ring has room for. */
  private static final int WINDOW = 64;

  private final String near;
  private final String far;
  private final String address;
  private VethPair veth;
  private Engine engine;
  private DriverPort sender;
  private DriverPort port;
  private FlowSteering steering;
  private PacketMaker maker;
  private final OwnedBurst sent = new OwnedBurst(new MbufArray(64));
  private final OwnedBurst received = new OwnedBurst(new MbufArray(64));

  /**
   * @param tag letters that set the interfaces of a class apart
   * @param address of the port, with %s for the interface; it has two queues
   */
  protected SteeringSuite(String tag, String address) {
    near = "ls" + tag + "a" + ProcessHandle.current().pid();
    far = "ls" + tag + "b" + ProcessHandle.current().pid();
    this.address = address.formatted(near);
  }

  @BeforeEach
  void open() {
    veth = VethPair.make(near, far);
    veth.run("link", "set", near, "mtu", "1500");
    veth.run("link", "set", far, "mtu", "1500");
    engine = new Engine(EngineConfig.DEFAULT.withQueues(2));
    port = engine.drivers().open("port", address);
    sender = engine.drivers().open("sender", "packet:" + far + ",queues=1");
    port.start();
    sender.start();
    steering = Objects.requireNonNull(port.steering());
    maker = new PacketMaker("maker", engine.drivers().pools(), 4_096);
  }

  @AfterEach
  void close() {
    try {
      engine.close();
    } finally {
      veth.close();
    }
  }

  private void add(String... rules) {
    for (String rule : rules) {
      steering.add(SteeringRule.parse(rule));
    }
  }

  private void send(byte[] frame) {
    assertThat(maker.append(sent.array(), frame)).isTrue();
    long start = System.nanoTime();
    while (sender.txQueue(0).send(sent.array(), 0) == 0) {
      assertThat(System.nanoTime() - start).as("ns not sent").isLessThan(TIMEOUT_NS);
    }
    sender.txQueue(0).flush();
    sent.clear();
  }

  /** The queue by which each frame comes, in their order; they are sent one after the other. */
  private List<Integer> queues(List<byte[]> frames) {
    List<Integer> queues = new ArrayList<>();
    for (byte[] frame : frames) {
      send(frame);
      queues.add(queue(frame));
    }
    return queues;
  }

  private int queue(byte[] frame) {
    long start = System.nanoTime();
    while (true) {
      for (int queue = 0; queue < port.rxQueues(); queue++) {
        port.rxQueue(queue).receive(received.array());
        for (Packet packet : received) {
          assertThat(packet.toBytes()).isEqualTo(frame);
        }
        boolean isThere = !received.isEmpty();
        received.finish(new FreeBuffer(engine.drivers().pools(), 1));
        if (isThere) {
          return queue;
        }
      }
      assertThat(System.nanoTime() - start)
          .as("ns without %s", HexFormat.of().formatHex(frame))
          .isLessThan(TIMEOUT_NS);
    }
  }

  private void assertQueue(int queue, List<byte[]> frames) {
    assertThat(queues(frames)).containsOnly(queue);
  }

  private static List<byte[]> flows(String network, int destinationPort) {
    return IntStream.range(0, FLOWS)
        .mapToObj(
            i -> FlowFrames.udp(network + (i + 1), network + "77", 1_000 + i, destinationPort))
        .toList();
  }

  private static List<byte[]> tagged(String tags, List<byte[]> frames) {
    return frames.stream().map(frame -> FlowFrames.tagged(tags, frame)).toList();
  }

  @Test
  void shouldBringFlowsOfRulesByTheirQueueAndSpreadOthersAsBefore() {
    List<byte[]> ipv4 = flows("10.1.0.", 53);
    List<byte[]> ipv6 = flows("2001:db8::", 53);
    List<Integer> before4 = queues(ipv4);
    List<Integer> before6 = queues(ipv6);
    assertThat(before4).contains(0, 1);
    assertThat(before6).contains(0, 1);

    add("udp dport 53 queue 1");

    assertQueue(1, ipv4);
    assertQueue(1, ipv6);
    assertThat(queues(flows("10.1.0.", 54))).contains(0, 1);
    assertThat(queues(List.of(FlowFrames.tcp("10.1.0.1", "10.1.0.2", 9, 53))))
        .isEqualTo(queues(List.of(FlowFrames.tcp("10.1.0.2", "10.1.0.1", 53, 9))));
    assertThat(steering.remove(SteeringRule.parse("udp dport 53 queue 0"))).isFalse();
    assertThat(steering.remove(SteeringRule.parse("udp dport 53 queue 1"))).isTrue();
    assertThat(queues(ipv4)).isEqualTo(before4);
    assertThat(queues(ipv6)).isEqualTo(before6);
  }

  @Test
  void shouldBringBothDirectionsOfAFlowByOneQueue() {
    List<byte[]> there = new ArrayList<>();
    List<byte[]> back = new ArrayList<>();
    for (int i = 0; i < FLOWS; i++) {
      there.add(FlowFrames.udp("10.0.0.1", "10.0.0.2", 1_000 + i, 53));
      back.add(FlowFrames.udp("10.0.0.2", "10.0.0.1", 53, 1_000 + i));
      there.add(FlowFrames.tcp("2001:db8::1", "2001:db8:ffff::2", 1_000 + i, 443));
      back.add(FlowFrames.tcp("2001:db8:ffff::2", "2001:db8::1", 443, 1_000 + i));
    }

    List<Integer> queues = queues(there);

    assertThat(queues).contains(0, 1);
    assertThat(queues(back)).isEqualTo(queues);
  }

  @Test
  void shouldTakeTheFirstRuleThatMatches() {
    add("udp src 10.1.0.7 queue 0", "src 10.1.0.0/16 queue 1", "queue 0");

    List<Integer> queues = queues(flows("10.1.0.", 9));

    assertThat(queues.get(6)).isZero();
    assertThat(queues.stream().filter(queue -> queue == 1)).hasSize(FLOWS - 1);
    assertQueue(0, flows("10.2.0.", 9));
    assertQueue(0, List.of(FlowFrames.ofType(0x88F7), FlowFrames.ofType(0x0806)));
    assertThat(steering.rules())
        .containsExactly(
            SteeringRule.parse("udp src 10.1.0.7 queue 0"),
            SteeringRule.parse("src 10.1.0.0/16 queue 1"),
            SteeringRule.parse("queue 0"));
  }

  @Test
  void shouldKnowEveryFieldOfARule() {
    byte[] frame = FlowFrames.udp("10.1.2.3", "10.4.5.6", 1_000, 2_000);
    byte[] frame6 = FlowFrames.udp("2001:db8::1:2:3", "2001:db8:5::6", 1_000, 2_000);
    int before = queue4(frame);
    int other = 1 - before;
    for (String match :
        List.of(
            "ipv4",
            "udp",
            "proto 17",
            "src 10.1.2.3",
            "src 10.1.2.0/23",
            "dst 10.0.0.0/8",
            "dst 0.0.0.0/0",
            "udp sport 1000",
            "udp dport 2000",
            "ipv4 udp src 10.1.2.3/32 dst 10.4.5.6 sport 1000 dport 2000")) {
      assertRule(match, frame, other, true);
    }
    for (String match :
        List.of(
            "ipv6",
            "tcp",
            "src 10.1.2.2",
            "src 10.1.4.0/22",
            "dst 11.0.0.0/8",
            "dst ::/0",
            "udp sport 2000",
            "udp dport 1000",
            "vlan 0",
            "arp")) {
      assertRule(match, frame, other, false);
    }
    int other6 = 1 - queue4(frame6);
    assertRule("ipv6", frame6, other6, true);
    assertRule("src 2001:db8::/33", frame6, other6, true);
    assertRule("src 2001:db8::1:2:3", frame6, other6, true);
    assertRule("dst 2001:db8:5::/127", frame6, other6, false);
    assertRule("dst 2001:db8:5::/48 udp dport 2000", frame6, other6, true);
    assertRule("src 2001:db8:8000::/33", frame6, other6, false);
    assertRule("ipv4", frame6, other6, false);
    byte[] options = FlowFrames.udpBehindOptions("2001:db8::1", "2001:db8::2", 53);
    assertRule("udp dport 53", options, 1 - queue4(options), true);
    assertRule("udp dport 54", options, 1 - queue4(options), false);
    byte[] ptp = FlowFrames.ofType(0x88F7);
    assertRule("ethertype 0x88f7", ptp, 1 - queue4(ptp), true);
    assertRule("ethertype 0x88f8", ptp, 1 - queue4(ptp), false);
  }

  private int queue4(byte[] frame) {
    return queues(List.of(frame)).getFirst();
  }

  private void assertRule(String match, byte[] frame, int queue, boolean isMatch) {
    SteeringRule rule = SteeringRule.parse(match + " queue " + queue);
    steering.add(rule);
    assertThat(queue4(frame)).as(match).isEqualTo(isMatch ? queue : 1 - queue);
    assertThat(steering.remove(rule)).isTrue();
  }

  @Test
  void shouldKnowTheOutermostVlanAndWhatIsBehindTwo() {
    List<byte[]> plain = flows("10.1.0.", 53);
    add("vlan 100 queue 1", "vlan 101 queue 0", "vlan 7 udp dport 53 queue 1");

    assertQueue(1, tagged("81000064", plain));
    assertQueue(1, tagged("8100e064", plain)); // Priority 7.
    assertQueue(0, tagged("81000065", plain));
    assertQueue(1, tagged("88a80064" + "81000065", plain));
    assertQueue(0, tagged("88a80065" + "81000064", plain));
    assertQueue(1, tagged("88a80007" + "81000064", plain));
    assertThat(queues(tagged("81000066", plain))).contains(0, 1);
    assertThat(queues(plain)).contains(0, 1);
  }

  @Test
  void shouldKeepAllFragmentsOfADatagramOnOneQueue() {
    for (String network : List.of("10.1.0.", "2001:db8::")) {
      List<byte[]> first = new ArrayList<>();
      List<byte[]> later = new ArrayList<>();
      for (int i = 1; i <= FLOWS; i++) {
        first.add(FlowFrames.fragment(network + i, network + 77, true, 53));
        later.add(FlowFrames.fragment(network + i, network + 77, false, 53));
      }
      List<Integer> queues = queues(first);
      assertThat(queues).contains(0, 1);
      assertThat(queues(later)).isEqualTo(queues);

      add("udp dport 53 queue 1"); // Fragments have no ports.
      assertThat(queues(first)).isEqualTo(queues);
      assertThat(queues(later)).isEqualTo(queues);
      steering.remove(SteeringRule.parse("udp dport 53 queue 1"));

      add("udp queue 0");
      assertQueue(0, first);
      assertQueue(0, later);
      steering.remove(SteeringRule.parse("udp queue 0"));
    }
  }

  @Test
  void shouldBringWhatIsCutOrMalformed() {
    add(
        "udp dport 53 queue 1",
        "tcp queue 1",
        "vlan 100 dst 2001:db8::/32 queue 1",
        "ipv4 queue 0");
    for (byte[] frame :
        List.of(
            FlowFrames.udp("10.0.0.1", "10.0.0.2", 7, 53),
            FlowFrames.udpBehindOptions("2001:db8::1", "2001:db8::2", 53),
            FlowFrames.tagged(
                "88a80064" + "81000065", FlowFrames.udp("::1", "2001:db8::2", 7, 53)))) {
      // The kernel drops a frame whose tag is cut: skb_vlan_untag of net/core/skbuff.c.
      for (int length = 20; length <= frame.length; length++) {
        queue4(Arrays.copyOf(frame, length));
      }
    }
    byte[] shortHeader = FlowFrames.udp("10.0.0.1", "10.0.0.2", 7, 53);
    shortHeader[14] = 0x44;
    assertQueue(0, List.of(shortHeader));
    byte[] longHeader = FlowFrames.udp("10.0.0.1", "10.0.0.2", 7, 53);
    longHeader[14] = 0x4F; // Its 60 bytes are more than there are.
    assertQueue(0, List.of(Arrays.copyOf(longHeader, 60)));
    byte[] otherVersion = FlowFrames.udp("10.0.0.1", "10.0.0.2", 7, 53);
    otherVersion[14] = 0x65;
    assertQueue(0, List.of(otherVersion));
  }

  @Test
  void shouldLoseNothingWhenRulesChange() throws InterruptedException {
    int frames = 20_000;
    Thread changing =
        Thread.ofPlatform()
            .start(() -> {
              SteeringRule rule = SteeringRule.parse("udp queue 1");
              while (!Thread.currentThread().isInterrupted()) {
                steering.add(rule);
                steering.remove(rule);
              }
            });
    boolean[] seen = new boolean[frames];
    int[] byQueue = new int[2];
    int count = 0;
    long start = System.nanoTime();
    try {
      for (int next = 0; count < frames; ) {
        if (next < frames && next - count < WINDOW) {
          byte[] frame = FlowFrames.udp("10.0.0.1", "10.0.0.2", next % 97, 53);
          frame[60] = (byte) (next >> 16);
          frame[61] = (byte) (next >> 8);
          frame[62] = (byte) next++;
          send(frame);
        }
        for (int queue = 0; queue < 2; queue++) {
          port.rxQueue(queue).receive(received.array());
          for (Packet packet : received) {
            int number = packet.u8(60) << 16 | packet.u16(61);
            assertThat(seen[number]).as("frame %d came before", number).isFalse();
            seen[number] = true;
            byQueue[queue]++;
            count++;
          }
          received.finish(new FreeBuffer(engine.drivers().pools(), 1));
        }
        assertThat(System.nanoTime() - start).as("ns, with %d", count).isLessThan(TIMEOUT_NS);
      }
    } finally {
      changing.interrupt();
      changing.join();
    }
    assertThat(byQueue[0]).isPositive();
    assertThat(byQueue[1]).isPositive();
    assertThat(port.statistics().missed()).isZero();
  }

  @Test
  void shouldRefuseWhatItCannotDoAndKeepItsRules() {
    add("udp queue 1");

    assertThatThrownBy(() -> add("tcp queue 2"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("port=port", "rule=tcp queue 2", "queues=2", "0 to 1");
    assertThatThrownBy(() -> add("udp queue 1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("has the steering rule already");
    for (int i = 1; i < FlowSteering.MOST_RULES; i++) {
      add(
          "udp src 2001:db8::%x/127 dst 2001:db8::/33 sport %d dport 9 queue 0"
              .formatted(2 * i, i));
    }
    assertThatThrownBy(() -> add("tcp queue 1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rules=256");
    assertThat(steering.rules()).hasSize(FlowSteering.MOST_RULES);
    assertQueue(1, flows("10.1.0.", 53));
    port.close();
    assertThatThrownBy(() -> steering.remove(SteeringRule.parse("udp queue 1")))
        .isInstanceOf(IllegalStateException.class);
  }
}
