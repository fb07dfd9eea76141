package io.linerate.driver.linux.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.ConfigException;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.driver.linux.Capabilities;
import io.linerate.driver.linux.Capabilities.Capability;
import io.linerate.driver.linux.NetInterface;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.VethPair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TapPortTest {
  private static final String NAME = "ltq" + ProcessHandle.current().pid();

  @BeforeEach
  void requireTun() {
    assumeTrue(Files.exists(Path.of("/dev/net/tun")), "no TUN/TAP in this kernel");
    assumeTrue(Capabilities.read().has(Capability.CAP_NET_ADMIN), "needs CAP_NET_ADMIN");
  }

  @Test
  void shouldMakeAnInterfaceAndRemoveIt() {
    try (Engine engine = new Engine()) {
      DriverPort port = engine.drivers().open("tap:" + NAME + ",queues=2");

      NetInterface made = NetInterface.read(NAME);

      assertThat(port.rxQueues()).isEqualTo(2);
      assertThat(made.isUp()).isTrue();
      assertThat(made.mtuBytes()).isEqualTo(1_500);
      assertThat(made.driver()).isEqualTo("tun");
    }
    assertThat(NetInterface.names()).doesNotContain(NAME);
  }

  @Test
  void shouldTakeANameThatIsAKey() {
    assumeTrue(!NetInterface.names().contains("queues"), "there is an interface called queues");
    try (Engine engine = new Engine()) {
      assertThat(engine.port("tap:queues,queues=2").rxQueues()).isEqualTo(2);
      assertThat(NetInterface.names()).contains("queues");
    }
  }

  @Test
  void shouldCountFramesThatTheKernelWillNotHave() {
    try (Engine engine = new Engine()) {
      DriverPort port = engine.drivers().open("tap:" + NAME);
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 16);
      OwnedBurst burst = new OwnedBurst(new MbufArray(4));
      assertThat(maker.append(burst.array(), new byte[3])).isTrue();
      assertThat(maker.append(burst.array(), new byte[60])).isTrue();

      assertThat(port.txQueue(0).send(burst.array(), 0)).isEqualTo(2);

      burst.clear();
      assertThat(port.statistics().errors()).isEqualTo(1);
      assertThat(port.statistics().txPackets()).isEqualTo(1);
      assertThat(port.txQueue(0).refused().of(DropReason.TX_TOO_SHORT)).isEqualTo(1);
    }
  }

  @Test
  void shouldCountWhatItRefusesOnceForTwoOutputsOfAWorker() {
    try (Engine engine = new Engine()) {
      Port port = engine.port("tap", "tap:" + NAME);
      Output first = engine.worker().output(port);
      Output second = engine.worker().output(port);
      List<byte[]> frames = List.of(new byte[3], new byte[60], new byte[3], new byte[60]);
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), frames),
              burst -> {
                for (Packet packet : burst) {
                  (packet.index() < 2 ? first : second).send(packet);
                }
              });
      PacketCounts counts = engine.run().packets();
      assertThat(counts.sent()).isEqualTo(2);
      assertThat(counts.dropped()).containsOnly(Map.entry("tx_too_short", 2L));
      assertThat(counts.isConserved()).isTrue();
    }
  }

  @Test
  void shouldFailWhenItsDeviceIsGone() {
    try (Engine engine = new Engine()) {
      DriverPort port = engine.drivers().open("tap:" + NAME);
      assertThat(VethPair.ip(List.of("link", "del", NAME))).isTrue();

      MbufArray packets = new MbufArray(4);
      assertThatThrownBy(
              () -> {
                for (int polls = 0; polls < 1_000; polls++) {
                  port.rxQueue(0).receive(packets);
                }
              })
          .isInstanceOf(PortException.class)
          .hasMessageStartingWith("tap device is gone: interface=" + NAME);
    }
  }

  @Test
  void shouldSayWhatIsWrong() {
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> engine.port("tap:lo"))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("choose another name");
      assertThatThrownBy(() -> engine.port("tap:"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("write tap:NAME");
      assertThatThrownBy(() -> engine.port("tap:" + NAME + ",queues=300"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("write 1 to 256");
    }
  }
}
