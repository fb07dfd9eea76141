package io.linerate.driver.pcap.libpcap;

import static io.linerate.driver.pcap.libpcap.LibpcapLab.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.ThreadCalls;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.driver.pcap.libpcap.LibpcapLab.Received;
import io.linerate.testkit.Frames;
import io.linerate.testkit.VethPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cable between two interfaces of the kernel shows of {@code libpcap:} ports. */
class LibpcapPortTest {
  private static final String NEAR = "lcc" + ProcessHandle.current().pid();
  private static final String FAR = "lcd" + ProcessHandle.current().pid();

  private VethPair veth;
  private LibpcapLab lab;

  @BeforeEach
  void makeInterfaces() {
    LibpcapLab.assumeLibpcap();
    veth = VethPair.make(NEAR, FAR);
    lab = new LibpcapLab();
  }

  @AfterEach
  void removeInterfaces() {
    try {
      if (lab != null) {
        lab.close();
      }
    } finally {
      if (veth != null) {
        veth.close();
      }
    }
  }

  private DriverPort near(String options) {
    return lab.open("libpcap:" + NEAR + options);
  }

  private DriverPort far() {
    return lab.open("packet:" + FAR);
  }

  private static byte[] frame(int lastByteOfAddress, int number) {
    byte[] frame = Frames.numbered(number + 1, 64).get(number);
    System.arraycopy(new byte[] {2, 0, 0, 0, 0, (byte) lastByteOfAddress}, 0, frame, 0, 6);
    return frame;
  }

  @Test
  void shouldReceiveWhatTheFilterTakes() {
    DriverPort near = near(",filter=ether dst 02:00:00:00:00:07 or (ether[20:2] = 3)");
    lab.send(far(), List.of(frame(6, 0), frame(7, 1), frame(6, 2), frame(6, 3), frame(7, 4)));

    List<Received> received = lab.receive(near, 3);

    assertThat(received.stream().map(it -> (int) it.bytes()[21])).containsExactly(1, 3, 4);
    assertThat(near.statistics().missed()).isZero();
  }

  @Test
  void shouldCutPacketsToTheSnapLength() {
    DriverPort near = near(",snaplen=40");
    List<byte[]> frames = List.of(frame(1, 0), new byte[1_500]);
    lab.send(far(), frames);

    List<Received> received = lab.receive(near, 2);

    for (int i = 0; i < 2; i++) {
      assertThat(received.get(i).bytes()).hasSize(40);
      assertThat(frames.get(i)).startsWith(received.get(i).bytes());
    }
    assertThat(near.statistics().extended()).containsEntry("rx_cut", 2L);
    assertThat(near.statistics().rxBytes()).isEqualTo(80);
  }

  @ParameterizedTest
  @CsvSource({"on,", "on,nano", "off,nano", "on,micro", "off,micro"})
  void shouldStampPacketsInTheUnitAskedFor(String immediate, String precision) {
    DriverPort near =
        near(
            ",timeout=1ms,immediate="
                + immediate
                + (precision == null ? "" : ",precision=" + precision));
    long before = nowNs();
    lab.send(far(), Frames.numbered(64, 64));

    List<Received> received = lab.receive(near, 64);

    long after = nowNs();
    assertThat(received)
        .allSatisfy(it -> assertThat(it.timestampNs()).isBetween(before - 1_000, after));
    // 64 of 64 times are full microseconds by chance never.
    assertThat(received.stream().allMatch(it -> it.timestampNs() % 1_000 == 0))
        .isEqualTo("micro".equals(precision));
  }

  private static long nowNs() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  /** Without immediate mode it would take a minute, or 256 KiB of packets. */
  @Test
  void shouldReceiveAtOnceInImmediateMode() {
    DriverPort near = near(",timeout=1m,tstamp=host");
    lab.send(far(), Frames.numbered(1, 64));
    Received received = lab.receive(near, 1).getFirst();
    assertThat(nowNs() - received.timestampNs()).isLessThan(50_000_000_000L);
  }

  @Test
  void shouldLetPacketsGatherWithoutImmediateMode() {
    DriverPort near = near(",timeout=1m,immediate=off");
    DriverPort far = far();
    List<Received> received = new ArrayList<>();
    await(() -> {
      lab.send(far, Frames.numbered(1, 1_500));
      lab.receiveSome(near.rxQueue(0), received);
      return !received.isEmpty();
    });
    assertThat(far.statistics().txPackets()).isGreaterThan(100);
  }

  @Test
  void shouldSwitchPromiscuousModeOnWhenAskedFor() {
    near(",promisc=off");
    assertThat(promiscuity()).isZero();
    near(",promisc=on");
    assertThat(promiscuity()).isEqualTo(1);
    lab.engine.close();
    assertThat(promiscuity()).isZero();
    lab = null;
  }

  /** How many sockets want the interface to receive everything. */
  private static int promiscuity() {
    try {
      Process process = new ProcessBuilder("ip", "-d", "link", "show", NEAR).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String after = said.substring(said.indexOf("promiscuity ") + "promiscuity ".length());
      return Integer.parseInt(after.substring(0, after.indexOf(' ')));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"in", "out", "inout", ""})
  void shouldReceiveTheDirectionAskedFor(String direction) {
    DriverPort near = near(direction.isEmpty() ? "" : ",direction=" + direction);
    DriverPort other = lab.open("packet:" + NEAR);
    DriverPort far = far();

    lab.send(other, List.of(frame(1, 0)));
    lab.send(near, List.of(frame(1, 1)));
    lab.send(far, List.of(frame(1, 2)));
    // The last that can come.
    int last = direction.equals("out") ? 1 : 2;
    List<Received> received = new ArrayList<>();
    await(() -> {
      lab.receiveSome(near.rxQueue(0), received);
      return !received.isEmpty() && received.getLast().bytes()[21] == last;
    });

    assertThat(received.stream().map(it -> (int) it.bytes()[21]).toList())
        .isEqualTo(
            switch (direction) {
              case "out" -> List.of(0, 1);
              case "inout" -> List.of(0, 1, 2);
              default -> List.of(2);
            });
  }

  @Test
  void shouldReceiveLongPacketsInSeveralSegments() {
    DriverPort near = near("");
    List<byte[]> frames = Frames.ofOddSizes(15, 9_000);
    DriverPort far = far();
    for (byte[] frame : frames) {
      lab.send(far, List.of(frame));
      assertThat(lab.receive(near, 1).getFirst().bytes()).isEqualTo(frame);
    }
  }

  @Test
  void shouldReceiveNothingBeforeItIsStarted() {
    DriverPort near = lab.engine.drivers().open("libpcap:" + NEAR);
    DriverPort far = far();
    lab.send(far, List.of(frame(1, 0)));
    near.start();
    lab.send(far, List.of(frame(1, 1)));

    List<Received> received = lab.receive(near, 1);

    assertThat(received).hasSize(1);
    assertThat(received.getFirst().bytes()[21]).isEqualTo((byte) 1);
  }

  @Test
  void shouldCountWhatTheBufferHasNoRoomFor() {
    DriverPort near = near(",buffer=1");
    DriverPort far = far();

    await(() -> {
      lab.send(far, Frames.numbered(10, 1_500));
      return near.statistics().missed() > 0;
    });

    long missed = near.statistics().missed();
    assertThat(near.statistics().missed()).as("read again").isEqualTo(missed);
    long received = lab.receive(near, 1).size();
    while (near.statistics().rxPackets() + missed < far.statistics().txPackets()) {
      received += lab.receive(near, 1).size();
    }
    assertThat(received + near.statistics().missed()).isEqualTo(far.statistics().txPackets());
    assertThat(near.statistics().extended().get("ps_drop")).isEqualTo(missed);
    near.close();
    assertThat(near.statistics().missed()).as("after the end").isEqualTo(missed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void shouldWakeAWaiterWhenAPacketComes(String immediate) {
    DriverPort near = near(",timeout=1ms,immediate=" + immediate);
    DriverPort far = far();
    assertThat(near.rxQueue(0).canWait()).isTrue();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wait = arena.allocate(8, 8); // struct pollfd
      long atOnce = arena.allocate(16, 8).address(); // struct timespec
      long soon = arena.allocateFrom(ValueLayout.JAVA_LONG, 10, 0).address();
      for (int i = 0; i < 3; i++) {
        lab.receiveSome(near.rxQueue(0), new ArrayList<>());
        wait.set(ValueLayout.JAVA_INT, 0, near.rxQueue(0).waitFor(() -> {}));
        wait.set(ValueLayout.JAVA_SHORT, 4, (short) 1);
        assertThat(ThreadCalls.ppoll(wait.address(), 1, atOnce)).as("nothing yet").isZero();

        lab.send(far, Frames.numbered(1, 64));

        assertThat(ThreadCalls.ppoll(wait.address(), 1, soon)).isEqualTo(1);
        assertThat(lab.receive(near, 1)).hasSize(1);
      }
    }
  }

  @Test
  void shouldSendPacketsOfOneAndOfManySegments() {
    DriverPort near = near("");
    DriverPort far = far();
    List<byte[]> frames = Frames.ofOddSizes(15, 9_000);
    for (byte[] frame : frames) {
      lab.send(near, List.of(frame));
      assertThat(lab.receive(far, 1).getFirst().bytes()).isEqualTo(frame);
    }
    assertThat(near.statistics().txPackets()).isEqualTo(frames.size());
    assertThat(near.statistics().errors()).isZero();
  }

  @Test
  void shouldCountByReasonWhatTheKernelRefuses() {
    DriverPort near = near("");
    lab.send(near, List.of(new byte[9_100], new byte[5], new byte[64]));
    veth.run("link", "set", NEAR, "down");
    lab.send(near, List.of(new byte[64]));

    assertThat(near.txQueue(0).refused().of(DropReason.TX_TOO_LONG)).isEqualTo(1);
    assertThat(near.txQueue(0).refused().of(DropReason.TX_TOO_SHORT)).isEqualTo(1);
    assertThat(near.txQueue(0).refused().of(DropReason.TX_LINK_DOWN)).isEqualTo(1);
    assertThat(near.statistics().errors()).isEqualTo(3);
    assertThat(near.statistics().txPackets()).isEqualTo(1);
    assertThat(near.txQueue(0).mtuBytes()).isEqualTo(9_000);
  }

  @Test
  void shouldTellWhetherItsLinkIsUpAndGoOnAfterwards() {
    DriverPort near = near("");
    DriverPort far = far();
    assertThat(near.hasLink()).isTrue();
    assertThat(near.isLinkUp()).isTrue();
    veth.run("link", "set", NEAR, "down");
    assertThat(near.isLinkUp()).isFalse();
    assertThat(near.rxQueue(0).receive(new MbufArray(1))).isZero();
    veth.run("link", "set", NEAR, "up");

    List<Received> received = new ArrayList<>();
    await(() -> {
      lab.send(far, Frames.numbered(1, 64));
      lab.receiveSome(near.rxQueue(0), received);
      return !received.isEmpty();
    });
  }

  @Test
  void shouldFailWhenItsInterfaceIsGone() {
    DriverPort near = near("");
    OwnedBurst burst = new OwnedBurst(new MbufArray(4));
    assertThat(lab.maker.append(burst.array(), new byte[64])).isTrue();
    assertThat(near.txQueue(0).send(burst.array(), 0)).isEqualTo(1);
    burst.clear();
    veth.close();

    assertThatThrownBy(() -> await(() -> near.rxQueue(0).receive(burst.array()) > 0))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("interface is gone: interface=" + NEAR)
        .hasMessageEndingWith("; make it again and start again, or set reopen=on");
    assertThatThrownBy(() -> near.rxQueue(0).receive(burst.array()))
        .isInstanceOf(PortException.class);
    assertThat(near.isLinkUp()).isFalse();
    assertThat(lab.maker.append(burst.array(), new byte[64])).isTrue();
    near.txQueue(0).send(burst.array(), 0);
    burst.clear();
    assertThatThrownBy(() -> near.txQueue(0).send(burst.array(), 0))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("interface is gone: interface=" + NEAR);
    assertThat(near.statistics().errors()).isEqualTo(1);
  }

  @Test
  void shouldOpenItAgainWhenItsInterfaceIsMadeAgain() {
    DriverPort near = near(",reopen=on");
    veth.close();
    await(() -> {
      lab.receiveSome(near.rxQueue(0), new ArrayList<>());
      return !near.isLinkUp();
    });
    veth = VethPair.make(NEAR, FAR);
    DriverPort far = far();
    List<Received> received = new ArrayList<>();
    await(() -> {
      lab.send(far, Frames.numbered(1, 64));
      lab.receiveSome(near.rxQueue(0), received);
      return !received.isEmpty();
    });
    assertThat(near.statistics().extended()).containsEntry("reopened", 1L);
  }

  @Test
  void shouldHaveOneReceiveQueueAndAsManyToSendAsAskedFor() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2).withQueues(2))) {
      DriverPort port = engine.drivers().open("libpcap:" + NEAR);
      assertThat(port.rxQueues()).isEqualTo(1);
      assertThat(port.txQueues()).isEqualTo(2);
      assertThat(port.txQueue(1)).isNotSameAs(port.txQueue(0));
      assertThatThrownBy(() -> port.txQueue(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void shouldHaveOneReceiveQueueAndThrowAfterItIsClosed() {
    DriverPort near = near("");
    assertThat(near.rxQueues()).isEqualTo(1);
    assertThatThrownBy(() -> near.rxQueue(1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageStartingWith("port has one receive queue: ");
    var tx = near.txQueue(0);
    assertThat(near.txQueue(0)).isSameAs(tx);
    near.close();
    near.close();
    OwnedBurst burst = new OwnedBurst(new MbufArray(1));
    assertThatThrownBy(() -> near.rxQueue(0).receive(burst.array()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> tx.send(burst.array(), 0)).isInstanceOf(IllegalStateException.class);
  }

  /** A worker sleeps in the kernel until packets come, and sends them back. */
  @Test
  void shouldServeAWorkerThatWaits() throws Exception {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.INTERRUPT))) {
      var port = engine.port("libpcap:" + NEAR + ",filter=ether proto 0x88b5");
      Output output = engine.worker().output(port);
      engine.worker().input(port, output::sendAll);
      engine.start();
      DriverPort far = far();
      for (byte[] frame : Frames.numbered(20, 64)) {
        lab.send(far, List.of(frame));
        assertThat(lab.receive(far, 1).getFirst().bytes()).isEqualTo(frame);
      }
      engine.stop();
      assertThat(engine.awaitEnd(120_000)).isTrue();
      assertThat(engine.summary().packets()).isEqualTo(new PacketCounts(20, 20, Map.of(), 0));
    }
  }

  @Test
  void shouldWaitForBuffersAndThenReceiveWhatLibpcapHas() {
    DriverPort near = near("");
    List<byte[]> frames = List.of(frame(1, 0), new byte[9_000], frame(1, 2));
    MbufArray all = new MbufArray(4_096);
    assertThat(near.pool().allocate(all, 4_096)).isTrue();
    lab.send(far(), frames);
    List<Received> received = new ArrayList<>();
    await(() -> {
      lab.receiveSome(near.rxQueue(0), received);
      return near.statistics().extended().get("rx_libpcap_calls") > 0;
    });
    assertThat(received).isEmpty();

    near.pool().free(all.address(), 4_096);

    received.addAll(lab.receive(near, 3));
    for (int i = 0; i < 3; i++) {
      assertThat(received.get(i).bytes()).isEqualTo(frames.get(i));
    }
  }

  @Test
  void shouldSayWhatIsWrongWithADevice() {
    assertThatThrownBy(() -> near("x"))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("no such interface: interface=" + NEAR + "x; did you mean " + NEAR);
    assertThatThrownBy(() -> lab.open("libpcap:there-is-none-of-this-name"))
        .isInstanceOf(PortException.class)
        .hasMessageContaining("; there are ")
        .hasMessageContaining(NEAR);
    assertThatThrownBy(() -> near(",filter=tcp prot 80"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("wrong filter: filter=tcp prot 80, interface=" + NEAR)
        .hasMessageContaining("libpcap says=")
        .hasMessageEndingWith("; see man pcap-filter");
    String hosts = " or host 10.0.0.1".repeat(480).substring(4);
    assertThat(near(",filter=" + hosts).rxQueues()).isEqualTo(1);
    assertThatThrownBy(() -> near(",filter=" + hosts + hosts))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("filter is too long: length=");
    assertThatThrownBy(() -> near(",tstamp=sundial"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("interface has no such time stamps: interface=" + NEAR);
    assertThatThrownBy(() -> near(",linktype=PPP"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(
            "interface has no such link type: interface="
                + NEAR
                + ", linktype=PPP; choose one of ETHERNET");
    veth.run("link", "set", NEAR, "down");
    assertThatThrownBy(() -> near(""))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("interface is down: interface=" + NEAR)
        .hasMessageContaining("ip link set dev " + NEAR + " up");
  }

  @Test
  void shouldLetChooseTheLinkType() {
    assertThat(lab.open("libpcap:any").linkTypes()).containsExactly(LinkType.LINUX_SLL);
    DriverPort any = lab.open("libpcap:any,linktype=LINUX_SLL2");
    assertThat(any.linkTypes()).containsExactly(LinkType.LINUX_SLL2);
    assertThat(any.transmits(LinkType.LINUX_SLL2)).isFalse();
    assertThat(lab.open("libpcap:any,reopen=on").transmits(LinkType.LINUX_SLL)).isFalse();
    assertThat(near("").transmits(LinkType.ETHERNET)).isTrue();
    assertThat(near("").transmits(LinkType.RAW)).isFalse();
  }

  @Test
  void shouldListDevicesWithWhatTheyCan() {
    CaptureDevice device =
        CaptureDevice.all().stream().filter(it -> it.name().equals(NEAR)).findFirst().orElseThrow();
    assertThat(device.isUp()).isTrue();
    assertThat(device.isLoopback()).isFalse();
    assertThat(device.linkTypes()).contains("ETHERNET");
    assertThat(device.timestampTypes()).isNotNull();
    assertThat(CaptureDevice.all().stream().filter(CaptureDevice::isLoopback)).isNotEmpty();
  }

  /** Appends a packet of segments of one byte each. */
  private void appendChain(OwnedBurst burst, int segments) {
    MbufArray parts = new MbufArray(segments);
    assertThat(lab.maker.pool().allocate(parts, segments)).isTrue();
    for (int i = 0; i < segments; i++) {
      Mbuf.dataLength(parts.handle(i), 1);
      Mbuf.next(parts.handle(i), i + 1 < segments ? parts.handle(i + 1) : 0);
    }
    Mbuf.packetLength(parts.handle(0), segments);
    Mbuf.segments(parts.handle(0), segments);
    burst.array().append(parts.handle(0));
    for (int i = 0; i < segments; i++) {
      burst.packet(burst.size() - 1).u8(i, i < 14 ? 0x02 : i);
    }
  }

  @Test
  void shouldSendPacketsOfManySegmentsWhole() {
    DriverPort near = near("");
    DriverPort far = far();
    OwnedBurst burst = new OwnedBurst(new MbufArray(1));
    appendChain(burst, 200);
    byte[] expected = burst.packet(0).toBytes();

    LibpcapLab.sendAll(near, burst);

    assertThat(lab.receive(far, 1).getFirst().bytes()).isEqualTo(expected);
  }
}
