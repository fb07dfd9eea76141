package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.TxQueue;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Soak;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.IpProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReassembleTest {
  @TempDir Path folder;

  private static List<byte[]> cut(Fragment element, byte[] frame) {
    try (var harness = new ElementHarness(element)) {
      harness.push(frame);
      return new ArrayList<>(harness.out("out"));
    }
  }

  private static byte[] part4(int id, int offset, boolean isMore, int count) {
    return four(id, offset, isMore).payload(count).toBytes();
  }

  private static FrameBuilder four(int id, int offset, boolean isMore) {
    return ipv4().protocol(IpProtocol.UDP).fragment(id, offset, isMore);
  }

  private static byte[] part6(int id, int offset, boolean isMore, int count) {
    return ipv6().protocol(IpProtocol.UDP).fragment(id, offset, isMore).payload(count).toBytes();
  }

  private static void pushAll(ElementHarness harness, List<byte[]> frames) {
    frames.forEach(harness::push);
  }

  @Test
  @Tag("sampled")
  void shouldPutTogetherWhatWasCutInAnyOrder() {
    Random random = new Random(Soak.seed(3));
    byte[][] frames =
        FrameBuilder.bytesOf(
            udp4().payload(2_000),
            udp4().payload(1_000).vlan(7),
            four(3, 0, false).options(7, 7, 4, 0, 0).payload(999));
    try (var harness = new ElementHarness(new Reassemble())) {
      int packets = Soak.times(30, 30_000);
      for (int i = 0; i < packets; i++) {
        byte[] frame = frames[i % frames.length];
        List<byte[]> fragments = cut(new Fragment(400), frame);
        Collections.shuffle(fragments, random);
        fragments.replaceAll(
            fragment -> Arrays.copyOf(fragment, fragment.length + random.nextInt(3)));
        pushAll(harness, fragments);
        assertThat(harness.out("out")).containsExactly(frame);
      }
      assertThat(harness.read("reassembled")).isEqualTo(String.valueOf(packets));
      assertThat(harness.read("incomplete")).isEqualTo("0");
      assertThat(harness.counts().made()).isZero();
      assertThat(harness.drops()).containsOnlyKeys("joined");
    }
  }

  @Test
  void shouldPutIpv6TogetherWithoutTheFragmentHeader() {
    byte[][] frames =
        FrameBuilder.bytesOf(
            udp6().payload(4_000),
            ipv6().extension(IpProtocol.HOPOPT, 1, 4).udp(_ -> {}).payload(4_000),
            ipv6().extension(IpProtocol.IPV6_OPTS, 1, 4).udp(_ -> {}).payload(4_000));
    try (var harness = new ElementHarness(new Reassemble())) {
      for (byte[] frame : frames) {
        List<byte[]> fragments = cut(new Fragment(1_280, true), frame);
        Collections.reverse(fragments);
        pushAll(harness, fragments);
        assertThat(harness.out("out")).containsExactly(frame);
      }
    }
  }

  @Test
  void shouldPutTheLongestPacketTogether() {
    byte[] frame = udp4().payload(65_493).toBytes();
    try (var harness = new ElementHarness(new Reassemble())) {
      pushAll(harness, cut(new Fragment(1_500), frame));
      assertThat(harness.out("out")).containsExactly(frame);
    }
  }

  @Test
  void shouldKeepApartWhatIsOfDifferentPackets() {
    List<byte[]> parts =
        List.of(
            part4(1, 0, true, 16),
            part4(2, 16, false, 8),
            four(1, 16, false).payload(8).vlan(5).toBytes(),
            four(1, 16, false).protocol(IpProtocol.TCP).payload(8).toBytes(),
            part6(1, 16, false, 8));
    try (var harness = new ElementHarness(new Reassemble())) {
      pushAll(harness, parts);
      harness.expectNothing("out");
      assertThat(harness.read("incomplete")).isEqualTo("5");
    }
  }

  @Test
  void shouldPassEverythingElseOnInItsPlace() {
    byte[] atomic =
        ipv6().protocol(IpProtocol.UDP).fragment(4, 0, false).payload(new byte[9]).toBytes();
    byte[] arp = FrameBuilder.arp(1, MAC_A, "10.0.0.1", MAC_B, "10.0.0.2").toBytes();
    try (var harness = new ElementHarness(new Reassemble())) {
      harness.push(arp, udp4().payload(1).toBytes(), part4(1, 0, true, 8), atomic, new byte[2]);
      assertThat(harness.out("out"))
          .containsExactly(arp, udp4().payload(1).toBytes(), atomic, new byte[2]);
    }
  }

  @Test
  void shouldEndPacketsWhoseFragmentsContradictEachOther() {
    byte[][][] contradictions = {
      {part4(1, 0, true, 16), part4(1, 8, true, 16)},
      {part4(1, 8, true, 16), part4(1, 0, true, 16)},
      {part4(1, 0, true, 24), part4(1, 8, true, 8)},
      {part4(1, 8, true, 8), part4(1, 0, true, 24)},
      {part4(1, 0, true, 16), part4(1, 0, true, 8)},
      {part4(1, 16, false, 8), part4(1, 24, true, 8)},
      {part4(1, 16, false, 8), part4(1, 8, false, 8)},
      {part4(1, 16, true, 8), part4(1, 8, false, 8)},
      {part4(1, 16, true, 8), part4(1, 16, false, 8)},
      {part6(1, 0, true, 16), part6(1, 8, true, 16)},
    };
    for (byte[][] fragments : contradictions) {
      try (var harness = new ElementHarness(new Reassemble())) {
        harness.push(fragments);
        assertThat(harness.drops()).containsExactly(entry("overlap", 2L));
        assertThat(harness.read("incomplete")).isEqualTo("0");
      }
    }
  }

  @Test
  void shouldDropRepetitionsAlone() {
    try (var harness = new ElementHarness(new Reassemble())) {
      harness.push(part4(1, 16, false, 5), part4(1, 16, false, 5), part4(1, 8, true, 8));
      harness.push(part4(1, 8, true, 8), part4(1, 0, true, 8));
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.drops()).containsOnly(entry("duplicate", 2L), entry("joined", 2L));
    }
  }

  @Test
  void shouldDropFragmentsThatCannotBe() {
    byte[] cut = Arrays.copyOf(part4(1, 0, true, 16), 49);
    try (var harness = new ElementHarness(new Reassemble())) {
      harness.push(
          part4(1, 0, true, 15),
          part4(1, 8, true, 0),
          part4(1, 65_528, false, 8),
          part6(1, 0, true, 7),
          cut);
      assertThat(harness.drops())
          .containsOnly(entry("bad_fragment", 4L), entry("truncated_payload", 1L));
    }
  }

  @Test
  void shouldForgetAfterTheTime() {
    long second = 1_000_000_000;
    try (var harness = new ElementHarness(new Reassemble(4, 4, second))) {
      harness.round();
      harness.push(part4(1, 0, true, 16));
      harness.advance(second / 2);
      harness.push(part4(2, 0, true, 16));
      harness.advance(second / 2);
      assertThat(harness.drops()).containsExactly(entry("reassembly_timeout", 1L));
      harness.push(part4(2, 16, false, 1));
      assertThat(harness.out("out")).hasSize(1);
    }
  }

  @Test
  void shouldLetTheOldestGoWhenThereIsNoRoom() {
    try (var harness = new ElementHarness(new Reassemble(2, 8, 1_000_000_000))) {
      for (int id = 1; id <= 3; id++) {
        harness.push(part4(id, 0, true, 16));
        harness.advance(1);
      }
      harness.push(part4(2, 16, false, 8), part4(3, 16, false, 8), part4(1, 16, false, 8));
      assertThat(harness.out("out")).hasSize(2);
      assertThat(harness.drops()).containsOnly(entry("reassembly_full", 1L), entry("joined", 2L));
    }
  }

  /** The harness has 1,024 buffers for what comes in. */
  @Test
  void shouldLeaveMostBuffersForReception() {
    try (var harness = new ElementHarness(new Reassemble(1_024, 8, 1_000_000_000))) {
      for (int id = 1; id <= 300; id++) {
        harness.push(part4(id, 0, true, 16));
        harness.advance(1);
      }
      assertThat(harness.counts().held()).isEqualTo(256);
      assertThat(harness.drops()).containsExactly(entry("reassembly_pool", 44L));
      assertThat(harness.read("given_up")).isEqualTo("44");
      harness.push(part4(45, 16, false, 8), part4(300, 16, false, 8));
      assertThat(harness.read("reassembled")).isEqualTo("2");
      for (int id = 301; id <= 303; id++) {
        harness.push(part4(id, 0, true, 16));
      }
      assertThat(harness.counts().held()).isEqualTo(256);
      assertThat(harness.read("given_up")).isEqualTo("45");
    }
    try (var harness = new ElementHarness(new Reassemble(8, 64, 1_000_000_000, 1))) {
      for (int i = 0; i < 11; i++) {
        harness.push(part4(1, 8 * i, true, 8));
      }
      assertThat(harness.counts().held()).isZero();
      assertThat(harness.drops()).containsExactly(entry("reassembly_pool", 11L));
    }
  }

  @Test
  void shouldLeaveOtherWorkersTheirShareWhenOneHasUsedUpItsOwn() throws Exception {
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("whole", new Reassemble(1_024, 8, 60_000_000_000L)),
                g.add("end", new Discard())));
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.YIELD))) {
      engine.port("in", "ring:lab");
      DriverPort far = engine.drivers().open("far", "ring:lab");
      PacketMaker maker = new PacketMaker("lab", engine.drivers().pools(), 256);
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      for (int id = 1; id <= 64; id++) {
        send(far.txQueue(0), maker, part4(id, 0, true, 16));
      }
      awaitPackets(runner, 64);
      assertThat(runner.read("whole.incomplete").sum()).isEqualTo(32);
      send(far.txQueue(1), maker, part4(100, 0, true, 16));
      send(far.txQueue(1), maker, part4(100, 16, false, 8));
      awaitPackets(runner, 66);
      assertThat(runner.read("whole.reassembled").sum()).isEqualTo(1);
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
    }
  }

  private static void send(TxQueue queue, PacketMaker maker, byte[] frame) {
    MbufArray packets = new MbufArray(1);
    assertThat(maker.append(packets, frame)).isTrue();
    assertThat(queue.send(packets, 0)).isEqualTo(1);
  }

  private static void awaitPackets(GraphRunner runner, long packets) throws InterruptedException {
    while (runner.counts("whole").packetsIn() < packets) {
      Thread.sleep(1);
    }
  }

  @Test
  void shouldDropWhatHasTwoFragmentHeaders() {
    FrameBuilder headers = ipv6().protocol(IpProtocol.UDP).payload(16);
    FrameBuilder[] fragments = {
      headers.fragment(1, 0, true).fragment(9, 0, true),
      headers.fragment(1, 0, false).fragment(9, 0, true),
      headers.protocol(IpProtocol.IPV6_FRAG).fragment(1, 24, false).payload(24)
    };
    try (var harness = new ElementHarness(new Reassemble())) {
      harness.push(fragments);
      harness.expectNothing("out");
      assertThat(harness.drops()).containsExactly(entry("nested_fragment", 2L));
      assertThat(harness.read("incomplete")).isEqualTo("1");
    }
  }

  @Test
  void shouldEndPacketsOfTooManyFragments() {
    try (var harness = new ElementHarness(new Reassemble(2, 3, 1_000_000_000))) {
      for (int i = 0; i < 4; i++) {
        harness.push(part4(1, 8 * i, true, 8));
      }
      assertThat(harness.drops()).containsExactly(entry("too_many_fragments", 4L));
    }
  }

  /** The last fragment lies in a buffer of the port, the others in new ones. */
  @Test
  void shouldCopyFragmentsOfDifferentPools() throws IOException {
    Path in = folder.resolve("in.pcap");
    Path out = folder.resolve("out.pcap");
    try (var harness = new ElementHarness(new Capture(in.toString()))) {
      harness.push(
          udp4().payload(2_000).toBytes(),
          udp6().payload(3_000).toBytes(),
          udp4().payload(100).toBytes());
    }
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("pieces", new Fragment(1_280, true)),
                g.add("whole", new Reassemble()),
                g.add("out", new ToPort("out"))));
    try (Engine engine = new Engine()) {
      engine.port("in", "pcap:rx=" + in);
      engine.port("out", "pcap:tx=" + out);
      GraphRunner runner = GraphRunner.install(graph, engine);
      assertThat(engine.run().packets().isConserved()).isTrue();
      assertThat(runner.counts("whole").dropped()).containsExactly(entry("joined", 5L));
      assertThat(runner.counts("whole").made()).isEqualTo(2);
    }
    assertThat(frames(out)).containsExactlyElementsOf(frames(in));
  }

  /** Of a capture file in pcap format: each has a header of 16 bytes, with its length. */
  private static List<byte[]> frames(Path file) throws IOException {
    ByteBuffer content =
        ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).position(24);
    List<byte[]> frames = new ArrayList<>();
    while (content.hasRemaining()) {
      byte[] frame = new byte[content.position(content.position() + 8).getInt()];
      content.position(content.position() + 4).get(frame);
      frames.add(frame);
    }
    return frames;
  }

  @Test
  void shouldRefuseParametersThatCannotBe() {
    assertThat(new Reassemble(0, 1, 0, 0).problems()).hasSize(4);
  }
}
