package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.VethPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that an interface cannot carry cost only themselves. */
class UnsendableFramesTest {
  private static final long PID = ProcessHandle.current().pid();
  private static final String NEAR = "lrd" + PID;
  private static final String FAR = "lre" + PID;
  private static final String TAP = "lrt" + PID;

  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"net_af_packet0,iface=", "net_pcap0,iface="})
  void shouldRefuseWhatTheInterfaceCannotCarry(String devargs) {
    try (VethPair veth = VethPair.make(NEAR, FAR)) {
      veth.run("link", "set", NEAR, "mtu", "1400");
      veth.run("link", "set", FAR, "mtu", "1400");
      PacketCounts counts = send(devargs + NEAR, 1_414, 1_415);
      assertThat(counts.sent()).isEqualTo(31);
      assertThat(counts.dropped())
          .containsExactlyInAnyOrderEntriesOf(Map.of("tx_too_long", 3L, "tx_too_short", 1L));
      assertThat(counts.isConserved()).isTrue();
    }
  }

  /** It knows its MTU itself, and carries some bytes more. */
  @ParameterizedTest
  @ValueSource(strings = "net_tap0,iface=")
  void shouldRefuseWhatTheDeviceStopsAt(String devargs) {
    assumeTrue("root".equals(System.getProperty("user.name")), "making an interface needs root");
    PacketCounts counts = send(devargs + TAP, 1_522, 1_523);
    assertThat(counts.sent()).isEqualTo(31);
    assertThat(counts.dropped())
        .containsExactlyInAnyOrderEntriesOf(Map.of("tx_too_long", 3L, "tx_too_short", 1L));
    assertThat(counts.isConserved()).isTrue();
  }

  /** Sends 30 short frames, the longest possible one, and between them four that are impossible. */
  private static PacketCounts send(String devargs, int longest, int tooLong) {
    List<byte[]> frames = new ArrayList<>(Frames.numbered(30, 64));
    frames.add(10, new byte[tooLong]);
    frames.add(15, new byte[65_000]);
    frames.add(20, new byte[13]);
    frames.add(25, new byte[longest]);
    frames.add(new byte[9_000]);
    try (Engine engine = new Engine(EngineConfig.DEFAULT)) {
      Port port = engine.port("dpdk-shared:" + devargs);
      Output output = engine.worker().output(port);
      engine.worker().input(new PacketSource(engine.drivers().pools(), frames), output::sendAll);
      PacketCounts counts = engine.run().packets();
      assertThat(port.statistics().txPackets()).isEqualTo(counts.sent());
      assertThat(port.statistics().errors()).isEqualTo(counts.droppedTotal());
      return counts;
    }
  }
}
