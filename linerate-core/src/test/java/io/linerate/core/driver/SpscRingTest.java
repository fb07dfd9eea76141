package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.core.memory.TestBuffers;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class SpscRingTest {
  private final TestBuffers buffers = new TestBuffers(32);
  private final MbufArray packets = buffers.owned.array();

  @AfterEach
  void buffersAreHome() {
    buffers.close();
  }

  private void allocate(int count) {
    assertThat(buffers.pool.allocate(packets, count)).isTrue();
    for (int i = packets.size() - count; i < packets.size(); i++) {
      Mbuf.dataLength(packets.handle(i), 10 + i);
      Mbuf.packetLength(packets.handle(i), 10 + i);
    }
  }

  @Test
  void shouldTakeWhatThereIsRoomForAndGiveItBackInOrder() {
    SpscRing ring = new SpscRing(5);
    allocate(8);
    assertThat(ring.put(packets, 1)).isEqualTo(5);
    assertThat(ring.put(packets, 6)).isZero();
    MbufArray taken = new MbufArray(3);
    assertThat(ring.take(taken)).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(taken.handle(i)).isEqualTo(packets.handle(1 + i));
    }
    assertThat(ring.size()).isEqualTo(2);
    taken.clear();
    assertThat(ring.take(taken)).isEqualTo(2);
    taken.clear();
    assertThat(ring.take(taken)).isZero();
  }

  @Test
  void shouldCountPacketsAndBytesWithoutThoseThatWereLost() {
    SpscRing ring = new SpscRing(8);
    allocate(4);
    assertThat(ring.put(packets, 0)).isEqualTo(4);
    packets.clear();
    MbufArray taken = new MbufArray(1);
    assertThat(ring.take(taken)).isEqualTo(1);
    assertThat(taken.bytes()).isEqualTo(10);
    buffers.pools.free(taken.address(), 1);
    ring.freeAll(buffers.pools);
    assertThat(ring.packetsIn()).isEqualTo(4);
    assertThat(ring.bytesIn()).isEqualTo(10 + 11 + 12 + 13);
    assertThat(ring.packetsOut()).isEqualTo(1);
    assertThat(ring.bytesOut()).isEqualTo(10);
    assertThat(ring.lostPackets()).isEqualTo(3);
    assertThat(buffers.pool.available()).isEqualTo(32);
  }

  @Test
  void shouldShowPacketsWithTheirTimesWhenTheyArePublished() {
    SpscRing ring = new SpscRing(2, true);
    assertThat(ring.room(1)).isEqualTo(2);
    ring.add(8, 100);
    ring.add(16, 200);
    assertThat(ring.room(1)).isZero();
    assertThat(ring.waiting(1)).isZero();
    ring.publish();
    assertThat(ring.waiting(1)).isEqualTo(2);
    assertThat(ring.first()).isEqualTo(8);
    assertThat(ring.firstReceivedNs()).isEqualTo(100);
    ring.removeFirst();
    assertThat(ring.first()).isEqualTo(16);
    assertThat(ring.firstReceivedNs()).isEqualTo(200);
    assertThat(ring.room(1)).isEqualTo(1);
  }

  @Test
  void shouldLetWhoeverClosesLastEmptyIt() {
    SpscRing ring = new SpscRing(4);
    allocate(2);
    assertThat(ring.put(packets, 0)).isEqualTo(2);
    assertThat(ring.closeProducer()).isFalse();
    assertThat(ring.closeProducer()).isFalse();
    assertThat(ring.isExhausted()).isFalse();
    assertThat(ring.closeConsumer()).isTrue();
    assertThat(ring.closeConsumer()).isFalse();
    packets.clear();
    ring.freeAll(buffers.pools);
    assertThat(ring.isExhausted()).isTrue();
  }

  @Test
  void shouldTakeNothingMoreWhenTheConsumerHasClosed() {
    SpscRing ring = new SpscRing(4);
    assertThat(ring.closeConsumer()).isFalse();
    allocate(1);
    assertThat(ring.put(packets, 0)).isZero();
    assertThat(ring.closeProducer()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 64})
  void shouldKeepTheOrderFromOneThreadToAnother(int capacity) {
    SpscRing ring = new SpscRing(capacity, true);
    long count = 1_000L * capacity;
    CompletableFuture<Long> consumer =
        CompletableFuture.supplyAsync(() -> {
          long next = 0;
          while (next < count) {
            for (int i = ring.waiting(7); i > 0; i--) {
              if (ring.first() != next || ring.firstReceivedNs() != -next) {
                return ring.first();
              }
              ring.removeFirst();
              next++;
            }
            Thread.onSpinWait();
          }
          return next;
        });
    for (long next = 0; next < count && !consumer.isDone(); ) {
      for (int i = (int) Math.min(count - next, ring.room(5)); i > 0; i--) {
        ring.add(next, -next);
        next++;
      }
      ring.publish();
    }
    assertThat(consumer.join()).isEqualTo(count);
    assertThat(ring.size()).isZero();
  }

  @Test
  void shouldRefuseToHoldNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SpscRing(0))
        .withMessageContaining("capacity=0");
  }

  /** Objects that nobody else has are gone once they were taken, or dropped. */
  @Test
  void shouldNotKeepObjectsThatHaveGone() {
    SpscRing ring = SpscRing.ofTokens(4, true, true);
    List<WeakReference<Object>> gone = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Object object = new Object();
      gone.add(new WeakReference<>(object));
      ring.addObject(object);
      ring.publish();
    }
    assertThat(ring.dropOldest()).isTrue();
    assertThat(ring.claimFirst()).isTrue();
    assertThat(ring.claimedObject()).isNotNull();
    while (gone.get(0).get() != null || gone.get(1).get() != null) {
      System.gc();
    }
    assertThat(ring.claimFirst()).isTrue();
    assertThat(ring.claimedObject()).isSameAs(gone.get(2).get());
  }

  /** The same two objects again and again, of which the producer drops some. */
  @Test
  void shouldGiveEachObjectToOneOfTheTwoThatTakeThem() {
    int count = 2_000_000;
    SpscRing ring = SpscRing.ofTokens(2, true, true);
    CompletableFuture<Long> consumer =
        CompletableFuture.supplyAsync(() -> {
          long taken = 0;
          while (!ring.isExhausted()) {
            if (ring.claimFirst()) {
              assertThat(ring.claimedObject()).isInstanceOf(Boolean.class);
              taken++;
            }
          }
          return taken;
        });
    long dropped = 0;
    for (int i = 0; i < count; i++) {
      while (ring.room(1) == 0) {
        dropped += ring.dropOldest() ? 1 : 0;
      }
      ring.addObject(i % 3 == 0);
      ring.publish();
    }
    boolean _ = ring.closeProducer();
    assertThat(consumer.join() + dropped).isEqualTo(count);
  }
}
