package io.linerate.track;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.Soak;
import io.linerate.wire.FlowKey;
import io.linerate.wire.Tcp;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a copy of a table is made of: changes, and images of connections. */
class ConnectionImageTest {
  private static final long SECOND = 1_000_000_000;
  private static final int CAPACITY = 64;

  private final SplittableRandom random = new SplittableRandom(Soak.seed(17));
  private final FlowKey flow = new FlowKey();
  private final FlowKey reply = new FlowKey();
  private final long[] image = new long[ConnectionImage.WORDS];

  private void choose(long id) {
    flow.protocol((id & 1) == 0 ? 4 : 6, 17);
    flow.source(0, id & 0xFF, (int) (id >>> 8) & 0xFF);
    flow.destination((id & 1) == 0 ? 0 : id >>> 32, (id >>> 32) & 0xFFFF_FFFFL, 80);
    reply.reverseOf(flow);
  }

  @Test
  void shouldMakeTheSameTableOfTheImagesOfAllChanges() {
    ConnectionTable table = new ConnectionTable(CAPACITY, 0, random);
    ConnectionChanges changes = table.changes();
    Map<Integer, long[]> images = new HashMap<>();
    long now = 0;
    for (int i = 0; i < 20_000; i++) {
      now += random.nextLong(SECOND / 10);
      choose(random.nextLong(200));
      int place = table.find(flow, now);
      if (place == ConnectionTable.NONE) {
        int number = table.add(flow, reply, now, now + random.nextLong(10 * SECOND));
        assertThat(number).isNotEqualTo(ConnectionTable.NONE);
        table.records().mark(number, i);
      } else if (random.nextInt(3) == 0) {
        table.remove(place >>> 1);
      }
      table.expire(now, 4);
      if (random.nextInt(10) == 0) {
        assertThat(changes.count()).isLessThanOrEqualTo(CAPACITY);
        takeAll(table, changes, images, now);
      }
    }
    takeAll(table, changes, images, now);
    assertSame(table, images, now);
  }

  private void takeAll(
      ConnectionTable table, ConnectionChanges changes, Map<Integer, long[]> images, long now) {
    for (int number = changes.take(); number >= 0; number = changes.take()) {
      ConnectionImage.write(table.records(), number, now, image);
      images.put(number, image.clone());
    }
    assertThat(changes.count()).isZero();
  }

  private void assertSame(ConnectionTable table, Map<Integer, long[]> images, long now) {
    long later = 7_000 * SECOND; // Of another clock.
    ConnectionTable copy = new ConnectionTable(CAPACITY, later, random);
    ConnectionRecords records = copy.records();
    int restored = 0;
    for (long[] each : images.values()) {
      restored += copy.restore(each, later) == ConnectionTable.NONE ? 0 : 1;
    }
    assertThat(restored).isEqualTo(table.size()).isEqualTo(copy.size()).isPositive();
    for (long id = 0; id < 200; id++) {
      choose(id);
      int place = table.find(flow);
      int there = copy.find(flow);
      assertThat(there == ConnectionTable.NONE).isEqualTo(place == ConnectionTable.NONE);
      if (place != ConnectionTable.NONE) {
        assertThat(copy.find(reply)).isEqualTo(there + 1);
        assertThat(records.mark(there >>> 1)).isEqualTo(table.records().mark(place >>> 1));
        // As it was when it was written, at the latest now.
        assertThat(records.expiresNs(there >>> 1) - later)
            .isGreaterThanOrEqualTo(table.records().expiresNs(place >>> 1) - now);
        assertThat(later - records.beganNs(there >>> 1))
            .isLessThanOrEqualTo(now - table.records().beganNs(place >>> 1));
      }
    }
    while (copy.size() > 0) {
      later += SECOND;
      copy.expire(later, CAPACITY);
    }
    assertThat(copy.expired()).isEqualTo(restored);
  }

  @Test
  void shouldTellAllThatIsThereToWhoAsksLater() {
    ConnectionTable table = new ConnectionTable(CAPACITY, 0, random);
    for (int id = 0; id < 10; id++) {
      choose(2L * id);
      table.add(flow, reply, 0, SECOND);
    }
    ConnectionChanges changes = table.changes();
    assertThat(changes.count()).isEqualTo(10);
    while (changes.take() != ConnectionTable.NONE) {
      // All of them.
    }
    changes.refresh(CAPACITY / 2);
    int half = changes.count();
    changes.refresh(CAPACITY / 2);
    assertThat(changes.count()).isEqualTo(10).isGreaterThan(half);
  }

  @Test
  void shouldRestoreAFlowOnce() {
    ConnectionTable table = new ConnectionTable(CAPACITY, 0, random);
    choose(4);
    ConnectionImage.write(table.records(), table.add(flow, reply, 0, SECOND), 0, image);
    ConnectionTable copy = new ConnectionTable(CAPACITY, 0, random);
    assertThat(copy.restore(image, 0)).isNotEqualTo(ConnectionTable.NONE);
    for (int i = 0; i < 2 * CAPACITY; i++) {
      assertThat(copy.restore(image, 0)).isEqualTo(ConnectionTable.NONE);
    }
    assertThat(copy.size()).isEqualTo(1);
    choose(6);
    assertThat(copy.add(flow, reply, 0, SECOND)).isNotEqualTo(ConnectionTable.NONE);
  }

  /** A record that was never written, or was written by somebody else. */
  @Test
  void shouldTakeNoConnectionFromOtherBytes() {
    ConnectionTable copy = new ConnectionTable(CAPACITY, 0, random);
    assertThat(copy.restore(new long[ConnectionImage.WORDS], 0)).isEqualTo(ConnectionTable.NONE);
    int taken = 0;
    for (int i = 0; i < Soak.times(100_000, 10_000_000); i++) {
      for (int word = 0; word < image.length; word++) {
        image[word] = random.nextLong();
      }
      if (i % 2 == 0) { // As far as can be told it is one.
        image[1] = (4L << 48) | (image[1] & 0xFFFF_FFFF_FFFFL);
        image[3] = (6L << 48) | (image[3] & 0xFFFF_FFFF_FFFFL);
        image[5] = (image[5] & ~0xFF00L) | 1 | (random.nextLong(8) << 8);
      }
      int number = copy.restore(image, 0);
      if (number != ConnectionTable.NONE) {
        taken++;
        copy.remove(number);
      }
    }
    assertThat(taken).isPositive();
    assertThat(copy.size()).isZero();
  }

  @Test
  void shouldFollowATcpConnectionThatHasGoneOnMeanwhile() {
    try (Segments segments = new Segments()) {
      ConnectionTable table = new ConnectionTable(CAPACITY, 0, random);
      ConnectionTracker tracker = new ConnectionTracker(table, TrackSettings.DEFAULT);
      track(tracker, segments, true, Tcp.SYN, 1_000, 0);
      track(tracker, segments, false, Tcp.SYN | Tcp.ACK, 9_000, 1_001);
      track(tracker, segments, true, Tcp.ACK, 1_001, 9_001);
      ConnectionImage.write(table.records(), tracker.place() >>> 1, 0, image);
      ConnectionTable copy = new ConnectionTable(CAPACITY, 0, random);
      int number = copy.restore(image, 0);
      assertThat(copy.records().phase(number)).isEqualTo(Phase.TCP_ESTABLISHED);
      assertThat(copy.records().isAssured(number)).isTrue();
      ConnectionTracker next = new ConnectionTracker(copy, TrackSettings.DEFAULT);
      long far = 1_000_000_000; // As much as that was sent before it took over.
      assertThat(track(next, segments, false, Tcp.ACK, 9_001 + far, 1_001))
          .isEqualTo(Relation.ESTABLISHED);
      assertThat(track(next, segments, true, Tcp.ACK, 1_001, 9_001 + far))
          .isEqualTo(Relation.ESTABLISHED);
      assertThat(track(next, segments, true, Tcp.FIN | Tcp.ACK, 1_001, 9_001 + far))
          .isEqualTo(Relation.ESTABLISHED);
      assertThat(copy.records().phase(number)).isEqualTo(Phase.TCP_CLOSING);
    }
  }

  private static Relation track(
      ConnectionTracker tracker,
      Segments segments,
      boolean isFromClient,
      int flags,
      long sequence,
      long acknowledgment) {
    var packet = segments.tcp(isFromClient, flags, sequence, acknowledgment, 1_000, 0, -1);
    tracker.lookUp(segments.burst());
    Relation relation = tracker.track(packet, 0);
    if (relation == Relation.NEW) {
      assertThat(tracker.admit(0)).isNotEqualTo(ConnectionTable.NONE);
    }
    return relation;
  }
}
