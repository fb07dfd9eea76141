package io.linerate.driver.pcap;

import static io.linerate.driver.pcap.CaptureBuilder.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropPlace;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.ReceiveFilter;
import io.linerate.testkit.CommentedPacket;
import io.linerate.testkit.Packets;
import io.linerate.testkit.VanishedPackets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of dropped packets on their way to a file. */
class DropRingTest {
  private static final DropReason WHY = DropReason.named("why");
  private static final DropPlace HERE = new DropPlace("here", "");
  private static final DropPlace THERE = new DropPlace("there", "out");

  @TempDir Path folder;
  private Path path = Path.of("");
  private final Packets packets = new Packets();
  private CaptureTap file;

  @BeforeEach
  void open() {
    path = folder.resolve("drops.pcapng");
    file = new CaptureTap(CaptureWriter.create(path, 0), _ -> {});
  }

  @AfterEach
  void close() {
    file.close();
    packets.close();
  }

  private void drop(DropRing ring, int number, int length, DropPlace place) {
    packets.of(frame(number, length));
    ring.dropped(packets.owned().handle(0), number, WHY, place);
  }

  private List<CommentedPacket> written() throws IOException {
    file.flush();
    return CommentedPacket.read(path);
  }

  private static DropFilter of(String element) {
    return new DropFilter(Optional.empty(), Optional.of(element));
  }

  @Test
  void shouldSayWhyAndWhere() throws IOException {
    DropRing ring = new DropRing(3, DropFilter.ALL, 96);
    drop(ring, 1, 64, HERE);
    drop(ring, 2, 200, THERE);
    drop(ring, 3, 64, DropPlace.NONE);

    assertThat(ring.drain(file)).isEqualTo(3);
    assertThat(written())
        .extracting(CommentedPacket::comment)
        .containsExactly(
            "reason=why, element=here, worker=3",
            "reason=why, element=there, port=out, worker=3",
            "reason=why, worker=3");
    assertThat(written()).extracting(CommentedPacket::lengthBytes).containsExactly(64, 200, 64);
    assertThat(written()).extracting(packet -> packet.bytes().length).containsExactly(64, 96, 64);
  }

  @Test
  void shouldTakeWhatIsWanted() throws IOException {
    DropRing ring = new DropRing(0, of("here"), 96);
    drop(ring, 1, 64, THERE);
    drop(ring, 2, 64, HERE);
    drop(ring, 3, 64, DropPlace.NONE);
    assertThat(ring.drain(file)).isEqualTo(1);

    DropRing good = new DropRing(0, DropFilter.ALL, 96);
    packets.of(frame(1, 64));
    good.dropped(packets.owned().handle(0), 1, DropReason.CONSUMED, HERE);
    assertThat(good.drain(file)).isZero();
    DropRing asked = new DropRing(0, new DropFilter(Optional.of("consumed"), Optional.empty()), 96);
    asked.dropped(packets.owned().handle(0), 1, DropReason.CONSUMED, HERE);
    asked.dropped(packets.owned().handle(0), 1, WHY, HERE);
    assertThat(asked.drain(file)).isEqualTo(1);
    assertThat(asked.missed()).isZero();
  }

  /** Made on one thread, shown packets on another; what it is shown stays whose it is. */
  @Test
  void shouldAskAFilterWhatPacketsHold() throws Exception {
    ReceiveFilter longer =
        new ReceiveFilter() {
          @Override
          public boolean accepts(Packet packet) {
            return packet.length() > 100;
          }

          @Override
          public boolean judges(LinkType type) {
            return true;
          }

          @Override
          public String expression() {
            return "greater 101";
          }
        };
    DropRing ring =
        new DropRing(
            0, new DropFilter(Optional.empty(), Optional.of("here"), Optional.of(longer)), 96);
    packets.of(frame(1, 64));
    long little = packets.owned().handle(0);
    Thread worker = Thread.ofPlatform().start(() -> ring.dropped(little, 1, WHY, HERE));
    assertThat(worker.join(Duration.ofSeconds(60))).isTrue();
    drop(ring, 2, 200, HERE);
    drop(ring, 3, 200, THERE);

    assertThat(ring.drain(file)).isEqualTo(1);
    assertThat(written()).extracting(CommentedPacket::lengthBytes).containsExactly(200);
    assertThat(ring.missed()).isZero();
  }

  @Test
  void shouldWaitForThePlaceOfAPacketThatHasNone() throws IOException {
    DropRing ring = new DropRing(0, of("here"), 96);
    packets.of(frame(1, 64));
    long mbuf = packets.owned().handle(0);
    ring.dropped(mbuf, 1, WHY, null);
    assertThat(ring.drain(file)).isZero();
    ring.placed(THERE);
    assertThat(ring.drain(file)).isZero();
    ring.dropped(mbuf, 1, WHY, null);
    ring.placed(HERE);
    ring.placed(HERE); // Of a packet that was not taken.
    assertThat(ring.drain(file)).isEqualTo(1);
    assertThat(written())
        .extracting(CommentedPacket::comment)
        .containsExactly("reason=why, element=here, worker=0");
  }

  @Test
  void shouldCountWhatFindsNoRoomAndTakeMoreLater() {
    DropRing ring = new DropRing(0, DropFilter.ALL, 96);
    for (int i = 0; i < DropRing.SLOTS + 10; i++) {
      drop(ring, i, 64, HERE);
    }
    packets.of(frame(1, 64));
    ring.dropped(packets.owned().handle(0), 1, WHY, null);
    assertThat(ring.missed()).isEqualTo(10);
    ring.placed(HERE);
    assertThat(ring.missed()).isEqualTo(11);
    assertThat(ring.drain(file)).isEqualTo(DropRing.SLOTS);
    drop(ring, 1, 64, HERE);
    assertThat(ring.drain(file)).isEqualTo(1);
    assertThat(ring.missed()).isEqualTo(11);
  }

  @Test
  void shouldKeepEveryByteWhereverItsMemoryBeginsAnew() throws IOException {
    DropRing ring = new DropRing(0, DropFilter.ALL, 0x10000);
    Random random = new Random(7);
    List<byte[]> expected = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      byte[] frame = frame(i, 64 + random.nextInt(20_000));
      packets.of(frame);
      long before = ring.missed();
      ring.dropped(packets.owned().handle(0), i, WHY, HERE);
      if (ring.missed() == before) {
        expected.add(frame);
      }
      if (random.nextInt(500) == 0) {
        ring.drain(file);
      }
    }
    ring.drain(file);
    List<CommentedPacket> written = written();
    assertThat(ring.missed()).isPositive();
    assertThat(written).hasSize(expected.size()).hasSizeGreaterThan(1_000);
    for (int i = 0; i < written.size(); i++) {
      assertThat(written.get(i).bytes()).isEqualTo(expected.get(i));
    }
  }

  @Test
  void shouldMissAPacketThatNobodyCanRead() throws IOException {
    DropRing ring = new DropRing(0, DropFilter.ALL, 96);
    try (VanishedPackets vanished = new VanishedPackets()) {
      vanished.append(packets.pools(), packets.owned().array(), 1);
      ring.dropped(packets.owned().handle(0), 1, WHY, HERE);
      drop(ring, 2, 64, HERE);
      packets.clear();
    }
    assertThat(ring.missed()).isEqualTo(1);
    assertThat(ring.drain(file)).isEqualTo(1);
    assertThat(written()).extracting(packet -> packet.bytes().length).containsExactly(64);
  }

  @Test
  void shouldBeShownWhatIsInNoBurst() throws IOException {
    BurstOwner owner = new BurstOwner();
    DropCounts counts = new DropCounts(new DropCounts(owner), THERE);
    DropRing ring = new DropRing(0, DropFilter.ALL, 96);
    owner.addDropTap(ring);
    packets.of(frame(1, 64));
    counts.addPacket(WHY, packets.owned().handle(0));
    counts.addPackets(WHY, packets.owned().array().address(), 1);
    owner.removeDropTap(ring);
    counts.addPacket(WHY, packets.owned().handle(0));

    assertThat(counts.of(WHY)).isEqualTo(3);
    assertThat(ring.drain(file)).isEqualTo(2);
    assertThat(written())
        .extracting(CommentedPacket::comment)
        .containsOnly("reason=why, element=there, port=out, worker=0");
  }
}
