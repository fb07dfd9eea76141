package io.linerate.driver.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.PortException;
import io.linerate.core.port.SteeringRule;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.VethPair;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of the configuration, and ports that can have none. */
class SteeringSetupTest {
  private static final String NEAR = "lsq" + ProcessHandle.current().pid();
  private static final String FAR = "lsr" + ProcessHandle.current().pid();
  private static final long TIMEOUT_NS = 120_000_000_000L;
  private static final SteeringRule DNS = SteeringRule.parse("udp dport 53 queue 1");

  private VethPair veth;

  @BeforeEach
  void makeInterfaces() {
    veth = makeVeth("numrxqueues", "2", "numtxqueues", "2");
  }

  private static VethPair makeVeth(String... options) {
    VethPair made = VethPair.make(NEAR, FAR, options);
    made.run("link", "set", NEAR, "mtu", "1500");
    made.run("link", "set", FAR, "mtu", "1500");
    return made;
  }

  @AfterEach
  void removeInterfaces() {
    veth.close();
  }

  private static Engine engine(String steer) {
    return new Engine(EngineConfig.DEFAULT.withQueues(2).with("steer", steer));
  }

  @Test
  void shouldSteerAsTheConfigurationSays() {
    try (Engine engine =
        engine(" in=UDP  dport 53 queue 1; in=vlan 7 queue 0; out=arp queue 1 ;")) {
      DriverPort in = engine.drivers().open("in", "packet:" + NEAR);

      assertThat(Objects.requireNonNull(in.steering()).rules())
          .containsExactly(DNS, SteeringRule.parse("vlan 7 queue 0"));
      assertThat(engine.samples())
          .filteredOn(sample -> sample.name().equals("linerate_port_steering_info"))
          .extracting(sample -> sample.label("port") + " " + sample.label("rule"))
          .containsExactly(
              "Optional[in] Optional[udp dport 53 queue 1]",
              "Optional[in] Optional[vlan 7 queue 0]");
      assertThatThrownBy(engine::start)
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("port=out", "ports=in");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          steer | in udp queue 1 | write PORT=RULE
          steer | in=udp dport 53 | no queue
          steer | in=udp dport 70000 queue 1 | dport=70000; 0 to 65535
          steer | in=dport 53 queue 1 | say tcp, udp or sctp
          """)
  void shouldSayWhatIsWrongWithTheConfiguration(String key, String value, String message) {
    assertThatThrownBy(() -> EngineConfig.DEFAULT.with(key, value))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(key, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          packet:%s,queues=1 | port cannot steer packets: port=in
          packet:%s,fanout=hash | open it with fanout=rules
          packet:%s,queues=2,fanout=rules | no such receive queue
          xdp:%s,queues=0 | port cannot steer packets: port=in
          xdp:%s | open it with queues=0,spread=2
          tap:lst | port cannot steer packets: port=in
          """)
  void shouldRefuseRulesOfPortsThatCannotAndCloseThem(String address, String message) {
    String steer = message.contains("no such") ? "in=udp queue 2" : "in=" + DNS;
    try (Engine engine = engine(steer)) {
      assertThatThrownBy(() -> engine.port("in", address.formatted(NEAR)))
          .hasMessageContainingAll(message, "rule=");
      DriverPort other = engine.drivers().open("other", address.formatted(NEAR));
      assertThat(other.rxQueues()).isPositive();
    }
  }

  @Test
  void shouldSayThatOnlyOneQueueOfTheDeviceCanBeSharedOut() {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("xdp:" + NEAR + ",spread=2"))
          .isInstanceOf(PortException.class)
          .hasMessageContainingAll("spread=2", "queues=2", "set queues=0");
    }
  }

  @ParameterizedTest
  @CsvSource({"'packet:%s,fanout=rules'", "'xdp:%s,queues=0,spread=2'"})
  void shouldKeepRulesWhenItsInterfaceIsMadeAgain(String address) {
    veth.close();
    veth = makeVeth();
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withQueues(2))) {
      DriverPort port = engine.drivers().open("in", address.formatted(NEAR) + ",reopen=on");
      port.start();
      FlowSteering steering = Objects.requireNonNull(port.steering());
      steering.add(SteeringRule.parse("udp queue 0"));
      veth.close();
      await(() -> !port.isLinkUp());
      steering.add(DNS);
      steering.remove(SteeringRule.parse("udp queue 0"));
      veth = makeVeth();
      await(port::isLinkUp);

      assertThat(steering.rules()).containsExactly(DNS);
      DriverPort far = engine.drivers().open("far", "packet:" + FAR + ",queues=1");
      far.start();
      for (int i = 0; i < 20; i++) {
        send(engine, far, FlowFrames.udp("10.0.0." + i, "10.0.0.77", 7, 53));
      }
      receive(engine, port, 1, 20);
    }
  }

  /** The kernel's VLAN device leaves the tag beside the frame. */
  @Test
  void shouldKnowATagThatStandsBesideThePacket() {
    String vlan = "lsv" + ProcessHandle.current().pid();
    assumeTrue(
        VethPair.ip(List.of("link", "add", "link", FAR, "name", vlan, "type", "vlan", "id", "100")),
        "the kernel has no VLAN devices");
    veth.run("link", "set", vlan, "addrgenmode", "none");
    veth.run("link", "set", vlan, "up");
    try (Engine engine = engine("in=vlan 100 udp dport 53 queue 1; in=queue 0")) {
      DriverPort near = engine.drivers().open("in", "packet:" + NEAR);
      DriverPort far = engine.drivers().open("far", "packet:" + vlan + ",queues=1");
      near.start();
      far.start();
      for (int i = 0; i < 20; i++) {
        send(engine, far, FlowFrames.udp("10.0.0." + i, "10.0.0.77", 7, 53));
      }
      receive(engine, near, 1, 20);
      assertThat(near.statistics().extended()).containsEntry("rx_vlan_tags_restored", 20L);
    }
  }

  private static void send(Engine engine, DriverPort port, byte[] frame) {
    OwnedBurst burst = new OwnedBurst(new MbufArray(1));
    PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
    assertThat(maker.append(burst.array(), frame)).isTrue();
    assertThat(port.txQueue(0).send(burst.array(), 0)).isEqualTo(1);
    port.txQueue(0).flush();
    burst.clear();
  }

  private static void receive(Engine engine, DriverPort port, int queue, int wanted) {
    OwnedBurst burst = new OwnedBurst(new MbufArray(64));
    int[] count = {0};
    await(() -> {
      for (int other = 0; other < port.rxQueues(); other++) {
        int received = port.rxQueue(other).receive(burst.array());
        assertThat(other == queue || received == 0).as("by queue %d", other).isTrue();
        count[0] += received;
        burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
      }
      return count[0] == wanted;
    });
  }

  private static void await(BooleanSupplier done) {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(TIMEOUT_NS);
      Thread.onSpinWait();
    }
  }
}
