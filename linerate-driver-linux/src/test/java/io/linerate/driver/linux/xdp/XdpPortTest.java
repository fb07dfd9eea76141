package io.linerate.driver.linux.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.counter.SampleKind;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.VethPair;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only {@code xdp:} ports do. */
class XdpPortTest {
  private static final long TIMEOUT_NS = 120_000_000_000L;
  private static final long SILENCE_NS = 100_000_000;
  private static final int FRAMES = 100;

  private final OwnedBurst burst = new OwnedBurst(new MbufArray(32));

  private static DriverPort open(Engine engine, String name, String options) {
    return engine.drivers().open("xdp:" + Lab.name(name) + options);
  }

  /** Sends a frame through a queue and waits until it is on its way. */
  private void send(PacketMaker maker, DriverPort port, int queue, byte[] frame) {
    assertThat(maker.append(burst.array(), frame)).isTrue();
    assertThat(port.txQueue(queue).send(burst.array(), 0)).isEqualTo(1);
    port.txQueue(queue).flush();
    burst.clear();
  }

  /** Frames that a queue brings until there are {@code count}, or for a while if there are not. */
  private List<byte[]> receive(Engine engine, DriverPort port, int queue, int count) {
    List<byte[]> frames = new ArrayList<>();
    long start = System.nanoTime();
    long patienceNs = count == 0 ? SILENCE_NS : TIMEOUT_NS;
    while (System.nanoTime() - start < patienceNs && (count == 0 || frames.size() < count)) {
      port.rxQueue(queue).receive(burst.array());
      for (Packet packet : burst) {
        frames.add(packet.toBytes());
      }
      burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
    }
    return frames;
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldForwardBetweenPortsWithoutACopy(String mode) {
    try (VethPair left = Lab.veth("l");
        VethPair right = Lab.veth("r");
        Engine engine = new Engine()) {
      String options = ",mode=" + mode;
      DriverPort source = open(engine, "la", options);
      DriverPort in = open(engine, "lb", options);
      DriverPort out = open(engine, "ra", options);
      DriverPort sink = open(engine, "rb", options);
      Output output = engine.worker().output(out);
      engine.worker().input(in, output::sendAll);
      engine.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 1_024);
      for (byte[] frame : Frames.numbered(FRAMES, 64)) {
        send(maker, source, 0, frame);
        assertThat(receive(engine, sink, 0, 1)).containsExactly(frame);
      }
      Map<String, Long> counted = out.statistics().extended();
      assertThat(counted.get("tx_copies")).isZero();
      assertThat(counted.get("tx_calls")).isBetween(1L, (long) FRAMES + 10);
      assertThat(counted.get("is_native")).isEqualTo(mode.equals("native") ? 1 : 0);
      assertThat(engine.samples())
          .filteredOn(sample -> sample.label("statistic").orElse("").equals("is_native"))
          .hasSize(4)
          .allMatch(sample ->
              sample.kind() == SampleKind.GAUGE
                  && sample.name().equals("linerate_port_device_flag"));
      assertThat(out.statistics().txPackets()).isEqualTo(FRAMES);
      assertThat(left).isNotSameAs(right);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldForwardFramesOfManyBuffersWithoutACopy(String mode) {
    try (VethPair left = Lab.veth("l");
        VethPair right = Lab.veth("r");
        Engine engine = new Engine(EngineConfig.DEFAULT.withMtu(9_000).withDescriptors(256))) {
      for (String end : List.of("la", "lb", "ra", "rb")) {
        left.run("link", "set", Lab.name(end), "mtu", "9000");
      }
      String options = ",mode=" + mode;
      DriverPort source = open(engine, "la", options);
      DriverPort in = open(engine, "lb", options);
      DriverPort out = open(engine, "ra", options);
      DriverPort sink = open(engine, "rb", options);
      engine.drivers().ports().forEach(DriverPort::start);
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 1_024);
      OwnedBurst forwarded = new OwnedBurst(new MbufArray(1));
      for (byte[] frame : Frames.ofOddSizes(15, 9_000)) {
        send(maker, source, 0, frame);
        receive(in, forwarded);
        assertThat(out.txQueue(0).send(forwarded.array(), 0)).isEqualTo(1);
        out.txQueue(0).flush();
        forwarded.clear();
        assertThat(receive(engine, sink, 0, 1)).containsExactly(frame);
      }
      assertThat(out.statistics().extended().get("tx_copies")).isZero();
      assertThat(out.statistics().errors()).isZero();
      assertThat(in.statistics().missed()).isZero();
      assertThat(left).isNotSameAs(right);
    }
  }

  private static void receive(DriverPort port, OwnedBurst full) {
    long start = System.nanoTime();
    while (full.room() > 0) {
      port.rxQueue(0).receive(full.array());
      assertThat(System.nanoTime() - start).as("ns without a frame").isLessThan(TIMEOUT_NS);
    }
  }

  @Test
  void shouldSendFromAndReceiveOnEveryQueue() {
    try (VethPair _ = Lab.veth("q", "numrxqueues", "3", "numtxqueues", "3");
        Engine engine = new Engine()) {
      DriverPort far = open(engine, "qa", "");
      DriverPort near = open(engine, "qb", ",queues=1-2");
      assertThat(far.rxQueues()).isEqualTo(3);
      assertThat(near.rxQueues()).isEqualTo(2);
      assertThat(near.txQueues()).isEqualTo(2);
      far.start();
      near.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      List<byte[]> frames = Frames.numbered(3, 64);
      for (int queue = 0; queue < 3; queue++) {
        send(maker, far, queue, frames.get(queue)); // veth keeps the number of the queue.
      }
      assertThat(receive(engine, near, 0, 1)).containsExactly(frames.get(1));
      assertThat(receive(engine, near, 1, 1)).containsExactly(frames.get(2));
      assertThat(near.statistics().rxPackets()).as("queue 0 is the kernel's").isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "filter=udp/53",
        "filter=udp",
        "filter=tcp+udp/53",
        "filter=tcp/1024+udp/1024",
        "filter=vlan/7+udp/53",
        "leave=tcp/22+arp",
        "leave=vlan+icmp+arp+tcp"
      })
  void shouldTakeChosenTrafficOnly(String filter) {
    byte[] dns =
        HexFormat.of()
            .parseHex(
                "020000000002020000000001"
                    + "08004500001f00004000401126cc0a0000010a000002"
                    + "04000035000b0000616263");
    byte[] arp = new byte[60];
    arp[12] = 0x08;
    arp[13] = 0x06;
    try (VethPair _ = Lab.veth("f");
        Engine engine = new Engine()) {
      DriverPort far = open(engine, "fa", "");
      DriverPort near = open(engine, "fb", "," + filter);
      far.start();
      near.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      send(maker, far, 0, arp);
      send(maker, far, 0, dns);
      assertThat(receive(engine, near, 0, 1)).containsExactly(dns);
      assertThat(receive(engine, near, 0, 0)).isEmpty();
    }
  }

  @Test
  void shouldTakeAVlanOfItsChoice() {
    byte[] tagged = new byte[64];
    tagged[12] = (byte) 0x81;
    tagged[14] = (byte) 0xE0; // Priority 7: not part of the number.
    tagged[15] = 7;
    byte[] other = tagged.clone();
    other[15] = 8;
    try (VethPair _ = Lab.veth("v");
        Engine engine = new Engine()) {
      DriverPort far = open(engine, "va", "");
      DriverPort near = open(engine, "vb", ",filter=vlan/7");
      far.start();
      near.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      send(maker, far, 0, other);
      send(maker, far, 0, tagged);
      assertThat(receive(engine, near, 0, 1)).containsExactly(tagged);
    }
  }

  @Test
  void shouldCountWhatItCannotSend() {
    try (VethPair _ = Lab.veth("o");
        Engine engine = new Engine()) {
      DriverPort near = open(engine, "oa", "");
      near.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      assertThat(maker.append(burst.array(), new byte[13])).isTrue();
      assertThat(maker.append(burst.array(), new byte[1_519])).isTrue();
      assertThat(maker.append(burst.array(), new byte[1_518])).isTrue();
      assertThat(near.txQueue(0).send(burst.array(), 0)).isEqualTo(3);
      burst.clear();
      settle(near);
      assertThat(near.statistics().txPackets()).isEqualTo(1);
      assertThat(near.statistics().txBytes()).isEqualTo(1_518);
      assertThat(near.statistics().errors()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldRefuseWhatADownLinkDoesNotSendUntilItCloses(String mode) {
    try (VethPair veth = Lab.veth("e");
        Engine engine = new Engine()) {
      DriverPort near = open(engine, "ea", ",mode=" + mode);
      near.start();
      veth.run("link", "set", Lab.name("ea"), "down");
      sendAll(new PacketMaker("maker", engine.drivers().pools(), 64), near, 40);
      assertThat(near.txQueue(0).undecided()).isEqualTo(40);
      assertThat(near.statistics().txPackets()).isZero();
      near.close();
      assertThat(near.txQueue(0).undecided()).isZero();
      assertThat(near.txQueue(0).refused().of(DropReason.TX_LINK_DOWN)).isEqualTo(40);
      assertThat(near.statistics().txPackets()).isZero();
      assertThat(near.statistics().txBytes()).isZero();
      assertThat(near.statistics().errors()).isEqualTo(40);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldSendWhatWaitedForALinkWhenItIsFlushed(String mode) {
    try (VethPair veth = Lab.veth("u");
        Engine engine = new Engine()) {
      DriverPort near = open(engine, "ua", ",mode=" + mode);
      near.start();
      veth.run("link", "set", Lab.name("ua"), "down");
      sendAll(new PacketMaker("maker", engine.drivers().pools(), 64), near, 40);
      assertThat(near.txQueue(0).undecided()).isEqualTo(40);
      veth.run("link", "set", Lab.name("ua"), "up");
      settle(near);
      near.close();
      assertThat(near.txQueue(0).refused().total()).isZero();
      assertThat(near.statistics().txPackets()).isEqualTo(40);
      assertThat(near.statistics().txBytes()).isEqualTo(40 * 64);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldKeepTheLawWhenTheLinkIsDownAtTheEnd(String mode) {
    try (VethPair veth = Lab.veth("w");
        Engine engine = new Engine()) {
      DriverPort near = open(engine, "wa", ",mode=" + mode);
      Output output = engine.worker().output(near);
      veth.run("link", "set", Lab.name("wa"), "down");
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(40, 64)), output::sendAll);
      PacketCounts counts = engine.run().packets();
      assertThat(counts).isEqualTo(new PacketCounts(40, 0, Map.of("tx_link_down", 40L), 0));
      assertThat(near.statistics().txPackets()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldCountAsSentOnlyWhatWasNotGivenUpBefore(String mode) {
    try (VethPair veth = Lab.veth("y");
        Engine engine = new Engine()) {
      DriverPort near = open(engine, "ya", ",mode=" + mode);
      near.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      sendAll(maker, near, 10);
      send(maker, near, 0, segmentOf(5_000));
      settle(near);
      veth.run("link", "set", Lab.name("ya"), "down");
      send(maker, near, 0, segmentOf(5_000));
      assertThat(near.txQueue(0).refused().of(DropReason.TX_LINK_DOWN)).as("at once").isEqualTo(1);
      sendAll(maker, near, 20);
      near.txQueue(0).decide();
      assertThat(near.txQueue(0).undecided()).isZero();
      assertThat(near.txQueue(0).refused().of(DropReason.TX_LINK_DOWN)).isEqualTo(21);
      veth.run("link", "set", Lab.name("ya"), "up");
      sendAll(maker, near, 5);
      settle(near);
      assertThat(near.txQueue(0).refused().total()).isEqualTo(21);
      assertThat(near.statistics().txPackets()).isEqualTo(16);
      assertThat(near.statistics().txBytes()).isEqualTo(15 * 64 + 5_000);
    }
  }

  /** Ethernet, IPv4 and TCP, longer than the MTU. */
  private static byte[] segmentOf(int bytes) {
    byte[] frame = new byte[bytes];
    byte[] headers =
        HexFormat.of()
            .parseHex(
                "02000000000202000000000108004500000000004000400600000a0000010a000002"
                    + "0400005000000001000000005010ffff00000000");
    System.arraycopy(headers, 0, frame, 0, headers.length);
    frame[16] = (byte) ((bytes - 14) >>> 8);
    frame[17] = (byte) (bytes - 14);
    return frame;
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "generic"})
  void shouldSendWhatTheKernelCutsBehindWhatWasSentBefore(String mode) {
    try (VethPair _ = Lab.veth("c");
        Engine engine = new Engine()) {
      DriverPort near = open(engine, "ca", ",mode=" + mode);
      DriverPort far = open(engine, "cb", ",mode=generic");
      near.start();
      far.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      byte[] small = Frames.numbered(1, 64).getFirst();
      for (byte[] frame : List.of(small, small, segmentOf(20_000), small)) {
        assertThat(maker.append(burst.array(), frame)).isTrue();
      }
      assertThat(near.txQueue(0).finishes(burst.array().handle(2))).isTrue();
      assertThat(near.txQueue(0).send(burst.array(), 0)).isEqualTo(4);
      burst.clear();
      settle(near);
      assertThat(receive(engine, far, 0, 4))
          .extracting(frame -> frame.length)
          .containsExactly(64, 64, 20_000, 64);
      assertThat(near.statistics().txPackets()).isEqualTo(4);
      assertThat(near.statistics().txBytes()).isEqualTo(20_000 + 3 * 64);
      assertThat(near.statistics().extended()).containsEntry("tx_super_packets", 1L);
    }
  }

  /** Flushes until the kernel has completed all. */
  private static void settle(DriverPort port) {
    long start = System.nanoTime();
    while (port.txQueue(0).undecided() > 0 && System.nanoTime() - start < TIMEOUT_NS) {
      port.txQueue(0).flush();
    }
    assertThat(port.txQueue(0).undecided()).isZero();
    port.txQueue(0).flush();
  }

  private void sendAll(PacketMaker maker, DriverPort port, int count) {
    for (byte[] frame : Frames.numbered(count, 64)) {
      send(maker, port, 0, frame);
    }
  }

  @Test
  void shouldCountWhatTheKernelLosesForWantOfBuffers() {
    EngineConfig config = EngineConfig.DEFAULT.withDescriptors(64).withBuffers(512);
    try (VethPair _ = Lab.veth("m");
        Engine engine = new Engine(config)) {
      DriverPort far = open(engine, "ma", "");
      DriverPort near = open(engine, "mb", "");
      far.start();
      near.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 512);
      for (byte[] frame : Frames.numbered(400, 64)) {
        send(maker, far, 0, frame);
      }
      int received = 0;
      long start = System.nanoTime();
      while (received + near.statistics().missed() < 400
          && System.nanoTime() - start < TIMEOUT_NS) {
        received += receive(engine, near, 0, 0).size();
      }
      assertThat(received).isBetween(64, 128);
      assertThat(near.statistics().missed()).isEqualTo(400 - received);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {",busypoll=20", ",zerocopy=off", ",calls=always", ",checksum=off"})
  void shouldReceiveInEveryWay(String options) {
    try (VethPair _ = Lab.veth("w");
        Engine engine = new Engine()) {
      DriverPort far = open(engine, "wa", options);
      DriverPort near = open(engine, "wb", options);
      far.start();
      near.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      byte[] frame = Frames.numbered(1, 64).getFirst();
      send(maker, far, 0, frame);
      assertThat(receive(engine, near, 0, 1)).containsExactly(frame);
    }
  }
}
