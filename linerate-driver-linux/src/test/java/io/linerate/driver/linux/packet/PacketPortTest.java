package io.linerate.driver.linux.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.ThreadCalls;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.VethPair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cable between two interfaces of the kernel shows of {@code packet:} ports. */
class PacketPortTest {
  private static final String NEAR = "lpc" + ProcessHandle.current().pid();
  private static final String FAR = "lpd" + ProcessHandle.current().pid();
  private static final long TIMEOUT_NS = 120_000_000_000L;

  private VethPair veth;
  private Engine engine;
  private PacketMaker maker;

  @BeforeEach
  void makeInterfaces() {
    veth = VethPair.make(NEAR, FAR, "numrxqueues", "2", "numtxqueues", "2");
    engine = new Engine(EngineConfig.DEFAULT.withBuffers(4_096));
    maker = new PacketMaker("maker", engine.drivers().pools(), 4_096);
  }

  @AfterEach
  void removeInterfaces() {
    try {
      engine.close();
    } finally {
      veth.close();
    }
  }

  private DriverPort open(String address) {
    DriverPort port = engine.drivers().open(address);
    port.start();
    return port;
  }

  private void send(DriverPort port, List<byte[]> frames) {
    OwnedBurst burst = new OwnedBurst(new MbufArray(64));
    for (byte[] frame : frames) {
      assertThat(maker.append(burst.array(), frame)).isTrue();
      if (burst.room() == 0) {
        sendAll(port, burst);
      }
    }
    sendAll(port, burst);
  }

  private static void sendAll(DriverPort port, OwnedBurst burst) {
    int[] sent = {0};
    await(() -> (sent[0] += port.txQueue(0).send(burst.array(), sent[0])) == burst.size());
    port.txQueue(0).flush();
    burst.clear();
  }

  /** Waits until the burst holds so many packets. */
  private static void receive(DriverPort port, OwnedBurst burst, int count) {
    await(() -> {
      port.rxQueue(0).receive(burst.array());
      return burst.size() >= count;
    });
  }

  private static void await(BooleanSupplier done) {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(TIMEOUT_NS);
      Thread.onSpinWait();
    }
  }

  private void free(OwnedBurst burst) {
    burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
  }

  @Test
  void shouldRestoreVlanTags() {
    DriverPort near = open("packet:" + NEAR);
    DriverPort far = open("packet:" + FAR);
    List<byte[]> frames =
        List.of(
            tagged("8100" + "6007" + "0800"),
            tagged("88a8" + "0fff" + "0800"),
            tagged("88a8" + "0001" + "8100" + "0002" + "0800"));

    send(far, frames);

    OwnedBurst burst = new OwnedBurst(new MbufArray(3));
    receive(near, burst, 3);
    for (int i = 0; i < 3; i++) {
      assertThat(burst.packet(i).toBytes()).isEqualTo(frames.get(i));
    }
    assertThat(near.statistics().extended()).containsEntry("rx_vlan_tags_restored", 3L);
    assertThat(near.statistics().rxBytes()).isEqualTo(3 * 100);
    free(burst);
  }

  private static byte[] tagged(String typeAndTags) {
    byte[] frame = new byte[100];
    byte[] head = HexFormat.of().parseHex("020000000002" + "020000000001" + typeAndTags);
    System.arraycopy(head, 0, frame, 0, head.length);
    return frame;
  }

  @Test
  void shouldCompleteTheChecksumsThatTheKernelLeftToHardware() throws Exception {
    veth.run("address", "add", "10.199.7.1/24", "dev", FAR);
    veth.run("neigh", "add", "10.199.7.2", "lladdr", "02:00:00:00:00:02", "dev", FAR);
    DriverPort near = open("packet:" + NEAR);
    OwnedBurst burst = new OwnedBurst(new MbufArray(8));
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName("10.199.7.1"))) {
      for (int length = 0; length < 7; length++) {
        byte[] payload = new byte[] {1, 2, 3, 4, 5, 6, 7};
        socket.send(new DatagramPacket(payload, length, InetAddress.getByName("10.199.7.2"), 9));
      }
    }

    await(() -> {
      near.rxQueue(0).receive(burst.array());
      return udpPackets(burst) == 7;
    });

    assertThat(near.statistics().extended().get("rx_checksums_completed"))
        .as("the kernel completed them itself: is offload of %s off?", FAR)
        .isGreaterThanOrEqualTo(7);
    for (Packet packet : burst) {
      if (isUdp(packet)) {
        assertThat(udpSum(packet)).as("UDP sum").isEqualTo(0xFFFF);
      }
    }
    free(burst);
  }

  private static int udpPackets(OwnedBurst burst) {
    int count = 0;
    for (Packet packet : burst) {
      count += isUdp(packet) ? 1 : 0;
    }
    return count;
  }

  private static boolean isUdp(Packet packet) {
    return packet.length() >= 42 && packet.u16(12) == 0x0800 && packet.u8(23) == 17;
  }

  /** The sum of pseudo-header and datagram: 0xFFFF when the checksum is right (RFC 768). */
  private static int udpSum(Packet packet) {
    int length = packet.u16(38);
    long sum = 17L + length;
    for (int at = 26; at < 34; at += 2) {
      sum += packet.u16(at);
    }
    for (int at = 34; at < 34 + length; at++) {
      sum += (long) packet.u8(at) << ((at & 1) == 0 ? 8 : 0);
    }
    while (sum > 0xFFFF) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return (int) sum;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldNotReceiveWhatItSends(int queues) {
    DriverPort near = open("packet:" + NEAR + ",queues=" + queues);
    DriverPort far = open("packet:" + FAR);

    send(near, Frames.numbered(10, 64));
    OwnedBurst burst = new OwnedBurst(new MbufArray(10));
    receive(far, burst, 10);

    for (int i = 0; i < queues; i++) {
      OwnedBurst own = new OwnedBurst(new MbufArray(10));
      near.rxQueue(i).receive(own.array());
      assertThat(own.isEmpty()).as("queue %d", i).isTrue();
    }
    free(burst);
  }

  @Test
  void shouldCopyOutOfTheRingOnceAProgramStoresPackets() {
    // 16 blocks: more than the kernel can spread ten packets over, however long the sender sleeps.
    DriverPort near = open("packet:" + NEAR + ",rx=1024");
    DriverPort far = open("packet:" + FAR);
    List<byte[]> frames = Frames.numbered(1_000, 1_000);
    OwnedBurst first = new OwnedBurst(new MbufArray(40));
    // A block each: once half of the ring has passed, the program is known to store them.
    while (copied(near) == 0) {
      send(far, frames.subList(0, 1));
      receive(near, first, first.size() + 1);
    }
    free(first);

    OwnedBurst stored = new OwnedBurst(new MbufArray(1_000));
    for (int i = 0; i < frames.size(); i += 10) {
      send(far, frames.subList(i, i + 10));
      receive(near, stored, i + 10);
    }

    assertThat(copied(near)).isGreaterThanOrEqualTo(1_000);
    assertThat(near.statistics().missed()).isZero();
    for (int i = 0; i < 1_000; i++) {
      assertThat(stored.packet(i).toBytes()).isEqualTo(frames.get(i));
    }
    free(stored);
  }

  private static long copied(DriverPort port) {
    return port.statistics().extended().getOrDefault("rx_copied", 0L);
  }

  @Test
  void shouldCountWhatTheRingHasNoRoomFor() {
    DriverPort near = open("packet:" + NEAR + ",rx=256");
    DriverPort far = open("packet:" + FAR);
    List<byte[]> frames = Frames.numbered(10, 1_500);

    await(() -> {
      send(far, frames);
      return near.statistics().missed() > 0;
    });

    long missed = near.statistics().missed();
    assertThat(near.statistics().missed()).as("read again").isEqualTo(missed);
    OwnedBurst burst = new OwnedBurst(new MbufArray(64));
    while (near.rxQueue(0).receive(burst.array()) > 0) {
      free(burst);
    }
    assertThat(near.statistics().rxPackets() + missed)
        .isLessThanOrEqualTo(far.statistics().txPackets());
  }

  @Test
  void shouldKeepPacketsReadableThatAreHeldWhenItIsClosed() {
    DriverPort near = open("packet:" + NEAR);
    DriverPort far = open("packet:" + FAR);
    List<byte[]> frames = Frames.numbered(10, 64);
    send(far, frames);
    OwnedBurst burst = new OwnedBurst(new MbufArray(10));
    receive(near, burst, 10);

    near.close();

    for (int i = 0; i < 10; i++) {
      assertThat(burst.packet(i).toBytes()).isEqualTo(frames.get(i));
    }
    free(burst);
  }

  @Test
  void shouldBringEachPacketOnceAndEachFlowToOneQueue() {
    DriverPort near = open("packet:" + NEAR + ",queues=3,fanout=hash");
    DriverPort far = open("packet:" + FAR);
    List<byte[]> frames = new ArrayList<>();
    for (int flow = 0; flow < 40; flow++) {
      frames.add(datagram(flow, false));
      frames.add(datagram(flow, true));
    }

    send(far, frames);

    List<OwnedBurst> bursts =
        List.of(
            new OwnedBurst(new MbufArray(100)),
            new OwnedBurst(new MbufArray(100)),
            new OwnedBurst(new MbufArray(100)));
    await(() -> {
      int size = 0;
      for (int i = 0; i < 3; i++) {
        near.rxQueue(i).receive(bursts.get(i).array());
        size += own(bursts.get(i)).size();
      }
      return size >= frames.size();
    });
    List<String> received = bursts.stream().flatMap(burst -> own(burst).stream()).toList();
    assertThat(received)
        .containsExactlyInAnyOrderElementsOf(
            frames.stream().map(HexFormat.of()::formatHex).toList());
    int used = 0;
    for (OwnedBurst burst : bursts) {
      List<Integer> flows = new ArrayList<>();
      for (String frame : own(burst)) {
        int from = Integer.parseInt(frame.substring(68, 72), 16);
        int to = Integer.parseInt(frame.substring(72, 76), 16);
        flows.add(Math.min(from, to));
      }
      // Both directions of a flow, and nothing else of it anywhere.
      for (int flow : flows) {
        assertThat(flows.stream().filter(it -> it == flow).count()).isEqualTo(2);
      }
      used += flows.isEmpty() ? 0 : 1;
      free(burst);
    }
    assertThat(used).as("queues that packets came to").isGreaterThan(1);
  }

  /** The datagrams of this test: others of the machine may send where they like. */
  private static List<String> own(OwnedBurst burst) {
    List<String> own = new ArrayList<>();
    for (Packet packet : burst) {
      if (packet.length() == 60 && packet.u32(26) >>> 16 == 0x0A01) {
        own.add(HexFormat.of().formatHex(packet.toBytes()));
      }
    }
    return own;
  }

  private static byte[] datagram(int flow, boolean reverse) {
    String client = "0a010101";
    String server = "0a010102";
    String port = "%04x".formatted(1_000 + flow);
    String head =
        "020000000002020000000001" + "0800" + "4500002e00000000401100000000".substring(0, 24);
    byte[] frame = new byte[60];
    String ip = reverse ? server + client : client + server;
    String ports = reverse ? "ffff" + port : port + "ffff";
    byte[] bytes = HexFormat.of().parseHex(head + ip + ports + "001a0000");
    System.arraycopy(bytes, 0, frame, 0, bytes.length);
    return frame;
  }

  @Test
  void shouldWakeAWaiterWhenAPacketComes() {
    DriverPort near = open("packet:" + NEAR);
    DriverPort far = open("packet:" + FAR);
    OwnedBurst burst = new OwnedBurst(new MbufArray(4));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wait = arena.allocate(8, 8); // struct pollfd
      long atOnce = arena.allocate(16, 8).address(); // struct timespec
      long soon = arena.allocateFrom(ValueLayout.JAVA_LONG, 10, 0).address();
      for (int i = 0; i < 3; i++) {
        near.rxQueue(0).receive(burst.array());
        wait.set(ValueLayout.JAVA_INT, 0, near.rxQueue(0).waitFor(() -> {}));
        wait.set(ValueLayout.JAVA_SHORT, 4, (short) 1);
        assertThat(ThreadCalls.ppoll(wait.address(), 1, atOnce)).as("nothing yet").isZero();

        send(far, Frames.numbered(1, 64));

        assertThat(ThreadCalls.ppoll(wait.address(), 1, soon)).isEqualTo(1);
        assertThat(near.rxQueue(0).receive(burst.array())).isEqualTo(1);
        assertThat(near.rxQueue(0).waitFor(() -> {}))
            .as("a block is in use")
            .isEqualTo(RxQueue.CANNOT_TELL);
        free(burst);
      }
    }
  }

  @Test
  void shouldGoOnWhenItsInterfaceWasDownForAWhile() {
    DriverPort near = open("packet:" + NEAR);
    DriverPort far = open("packet:" + FAR);
    veth.run("link", "set", NEAR, "down");
    send(near, Frames.numbered(5, 64));
    veth.run("link", "set", NEAR, "up");
    assertThat(near.statistics().errors()).isEqualTo(5);

    OwnedBurst burst = new OwnedBurst(new MbufArray(64));
    await(() -> {
      send(far, Frames.numbered(1, 64));
      return near.rxQueue(0).receive(burst.array()) > 0;
    });
    free(burst);
  }

  @Test
  void shouldFailWhenItsInterfaceIsGone() {
    DriverPort near = open("packet:" + NEAR);
    veth.close();

    OwnedBurst burst = new OwnedBurst(new MbufArray(4));
    assertThatThrownBy(() -> await(() -> near.rxQueue(0).receive(burst.array()) > 0))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("interface is gone: interface=" + NEAR);
    assertThat(maker.append(burst.array(), new byte[64])).isTrue();
    near.txQueue(0).send(burst.array(), 0);
    burst.clear();
    assertThatThrownBy(() -> near.txQueue(0).send(burst.array(), 0))
        .isInstanceOf(PortException.class);
    assertThat(near.statistics().errors()).isEqualTo(1);
  }

  @Test
  void shouldCountPacketsLongerThanTheInterfaceCarries() {
    DriverPort near = open("packet:" + NEAR);

    send(near, List.of(new byte[9_100], new byte[64]));

    assertThat(near.statistics().errors()).isEqualTo(1);
    assertThat(near.statistics().extended()).containsEntry("tx_too_long", 1L);
    assertThat(near.statistics().txPackets()).isEqualTo(1);
    assertThat(near.txQueue(0).refused().of(DropReason.TX_TOO_LONG)).isEqualTo(1);
  }

  /** What the kernel has to cut behind its queues it drops, and says that there was no room. */
  @Test
  void shouldLeaveNothingToCutToAKernelWhoseQueuesArePassedBy() {
    TxQueue usual = open("packet:" + NEAR).txQueue(0);
    TxQueue direct = open("packet:" + FAR + ",bypass=on").txQueue(0);
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    assertThat(maker.pool().allocate(one.array(), 1)).isTrue();
    long mbuf = one.handle(0);
    assertThat(direct.finishes(mbuf)).isTrue();
    Mbuf.superPacket(mbuf, 1_000);
    assertThat(usual.finishes(mbuf)).isTrue();
    assertThat(direct.finishes(mbuf)).isFalse();
    assertThat(direct.cutsDatagrams()).isFalse();
    maker.pool().free(one.array().address(), 1);
  }

  @Test
  void shouldKeepTheLawWhenTheKernelTakesNothing() {
    DriverPort near = engine.drivers().open("packet:" + NEAR + ",bypass=on");
    veth.run("link", "set", FAR, "down"); // No carrier.
    Output output = engine.worker().output(near);
    engine
        .worker()
        .input(
            new PacketSource(engine.drivers().pools(), Frames.numbered(40, 64)), output::sendAll);
    PacketCounts counts = engine.run().packets();
    assertThat(counts).isEqualTo(new PacketCounts(40, 0, Map.of("tx_full", 40L), 0));
    assertThat(near.statistics().txPackets()).isZero();
  }

  /** Appends a packet of segments of one byte each. */
  private void appendChain(OwnedBurst burst, int segments, int number) {
    OwnedBurst parts = new OwnedBurst(new MbufArray(segments));
    assertThat(maker.pool().allocate(parts.array(), segments)).isTrue();
    for (int i = 0; i < segments; i++) {
      long part = parts.handle(i);
      Mbuf.dataLength(part, 1);
      Mbuf.next(part, i + 1 < segments ? parts.handle(i + 1) : 0);
    }
    long head = parts.handle(0);
    parts.clear();
    Mbuf.packetLength(head, segments);
    Mbuf.segments(head, segments);
    burst.array().append(head);
    Packet packet = burst.packet(burst.size() - 1);
    for (int i = 0; i < segments; i++) {
      packet.u8(i, i < 14 ? 0x02 : number);
    }
  }

  @Test
  void shouldSendPacketsOfManySegmentsAsRoomComesAndDropWhatNeverFits() {
    DriverPort near = open("packet:" + NEAR + ",tx=16"); // Room for 64 segments.
    DriverPort far = open("packet:" + FAR);
    OwnedBurst sent = new OwnedBurst(new MbufArray(16));
    for (int i = 0; i < 10; i++) {
      appendChain(sent, 60, i);
    }
    appendChain(sent, 65, 10);
    appendChain(sent, 64, 11);

    assertThat(near.txQueue(0).send(sent.array(), 0)).as("packets taken at once").isEqualTo(12);
    near.txQueue(0).flush();
    sent.clear();

    OwnedBurst received = new OwnedBurst(new MbufArray(16));
    receive(far, received, 11);
    for (int i = 0; i < 10; i++) {
      assertThat(received.packet(i).length()).isEqualTo(60);
      assertThat(received.packet(i).u8(59)).isEqualTo(i);
    }
    assertThat(received.packet(10).u8(63)).isEqualTo(11);
    free(received);
    assertThat(near.statistics().errors()).isEqualTo(1);
    assertThat(near.statistics().extended()).containsEntry("tx_too_many_segments", 1L);
  }

  @Test
  void shouldSayWhatIsWrongWithAnAddress() {
    assertThatThrownBy(() -> engine.port("packet:" + NEAR + "x"))
        .isInstanceOf(PortException.class)
        .hasMessageContaining("did you mean " + NEAR);
    assertThatThrownBy(() -> engine.port("packet:"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("write packet:INTERFACE");
    assertThatThrownBy(() -> engine.port("packet:" + NEAR + ",queues=0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("queues=0");
    assertThatThrownBy(() -> engine.port("packet:" + NEAR + ",fanout=best"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("write one of hash, lb, cpu, rollover, rnd, qm, rules");
    assertThatThrownBy(() -> engine.port("packet:" + NEAR + ",queues=3,fanout=qm"))
        .isInstanceOf(PortException.class)
        .hasMessageContaining("too many queues: queues=3");
    veth.run("link", "set", NEAR, "down");
    assertThatThrownBy(() -> engine.port("packet:" + NEAR))
        .isInstanceOf(PortException.class)
        .hasMessageStartingWith("interface is down: interface=" + NEAR)
        .hasMessageContaining("ip link set dev " + NEAR + " up");
  }
}
