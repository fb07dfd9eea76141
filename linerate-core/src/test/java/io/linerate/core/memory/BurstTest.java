package io.linerate.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.time.EpochClock;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BurstTest {
  private static final DropReason RULE = DropReason.named("rule");
  private static final DropReason NON_IP = DropReason.named("non_ip");
  private final TestBuffers buffers = new TestBuffers(200);
  private final Burst burst = buffers.burst;

  @AfterEach
  void buffersAreFree() {
    buffers.close();
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      buffers.append(new byte[] {(byte) i}, 1);
    }
  }

  private List<Integer> content() {
    List<Integer> content = new ArrayList<>();
    for (Packet packet : burst) {
      content.add(packet.u8(0));
    }
    return content;
  }

  /** Recurses until the stack ends, and does something so many calls above the end. */
  private static final class Deep {
    private int above;
    private boolean ended;
    private Runnable action = () -> {};

    /** Of every depth once, each on a stack that is as deep. */
    static void forEachDepth(Consumer<Runnable> body, Runnable action) {
      Thread thread =
          new Thread(
              null,
              () -> {
                for (int depth = 0; depth < 120; depth++) {
                  Deep deep = new Deep();
                  deep.above = depth;
                  deep.action = action;
                  body.accept(deep::run);
                }
              },
              "deep",
              256 << 10);
      Throwable[] failed = new Throwable[1];
      thread.setUncaughtExceptionHandler((_, e) -> failed[0] = e);
      thread.start();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      assertThat(failed[0]).isNull();
    }

    private void run() {
      try {
        descend(0);
      } catch (StackOverflowError e) {
        above = -1; // In the action.
      }
    }

    private void descend(int level) {
      try {
        if (level < Integer.MAX_VALUE) {
          descend(level + 1);
        }
      } catch (StackOverflowError e) {
        ended = true;
      }
      if (ended && above-- == 0) {
        action.run();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void shouldCountEachPacketOnceWhereverTheStackEnds(int way) {
    TestBuffers[] own = new TestBuffers[1];
    DropCounts drops = new DropCounts();
    Deep.forEachDepth(
        deep -> {
          try (TestBuffers mine = new TestBuffers(4)) {
            own[0] = mine;
            for (int i = 0; i < 4; i++) {
              mine.append(new byte[] {(byte) i}, 1);
            }
            mine.burst.drops(drops);
            long before = drops.total();
            deep.run();
            mine.owned.finish(mine.freeBuffer);
            assertThat(drops.total() - before).as("packets counted").isEqualTo(4);
          }
        },
        () -> {
          Burst mine = own[0].burst;
          switch (way) {
            case 0 -> mine.packet(1).drop(RULE);
            case 1 -> mine.drop(1, 3, RULE);
            case 2 -> mine.dropAll(RULE);
            default -> mine.forEach(packet -> packet.drop(RULE));
          }
        });
  }

  @Test
  void shouldLeaveTheCursorAtOnePacketWhereverTheStackEnds() {
    TestBuffers[] own = new TestBuffers[1];
    Packet[] cursor = new Packet[1];
    Deep.forEachDepth(
        deep -> {
          try (TestBuffers mine = new TestBuffers(2)) {
            own[0] = mine;
            mine.append(new byte[] {0, 0}, 2);
            mine.append(new byte[] {1}, 1);
            cursor[0] = mine.burst.packet(0);
            deep.run();
            assertThat(cursor[0].length()).isEqualTo(2 - cursor[0].index());
            assertThat(cursor[0].u8(0)).isEqualTo(cursor[0].index());
            mine.owned.finish(mine.freeBuffer);
          }
        },
        () -> own[0].burst.packet(1));
  }

  @Test
  void shouldSayThatAPacketHasAnotherShape() {
    fill(1);
    for (Packet packet : burst) {
      burst.packet(0).shrinkTail(1);
      assertThatIllegalStateException()
          .isThrownBy(packet::length)
          .withMessageContaining("or lengthened or shortened by another cursor");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 65_536})
  void shouldRefuseBadCapacities(int capacity) {
    assertThatIllegalArgumentException().isThrownBy(() -> new OwnedBurst(new MbufArray(capacity)));
  }

  @Test
  void shouldRefuseLessMemoryThanItsCapacity() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MbufArray(8, 7))
        .withMessage("burst has too little memory: slots=7, capacity=8; give it as many or more");
  }

  @Test
  void shouldSkipPacketsThatAreGone() {
    fill(6);
    burst.packet(0).drop(RULE);
    burst.packet(3).drop(NON_IP);
    long taken = burst.packet(5).take();
    assertThat(content()).containsExactly(1, 2, 4);
    assertThat(burst.size()).isEqualTo(6);
    assertThat(burst.live()).isEqualTo(3);
    assertThat(burst.drops().of(RULE)).isEqualTo(1);
    assertThat(burst.drops().of(NON_IP)).isEqualTo(1);
    assertThat(burst.drops().total()).isEqualTo(2);
    buffers.owned.array().append(taken);
    assertThat(content()).containsExactly(1, 2, 4, 5);
  }

  /**
   * @param slots that the target has memory for: as many as the source, which it takes over then,
   *     or not
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 200})
  void shouldGiveAllItsPacketsAwayAtOnceWhenNoneIsGone(int slots) {
    fill(3);
    long before = burst.handle(1);
    long bytes = burst.bytes();
    Packet packet = burst.packet(1);
    Iterator<Packet> loop = burst.iterator();
    loop.next();
    OwnedBurst target =
        new OwnedBurst(
            new MbufArray(3, slots), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    assertThat(target.addAll(burst)).isTrue();
    assertThat(target.handle(1)).isEqualTo(before);
    assertThat(target.burst().bytes()).isEqualTo(bytes);
    assertThat(loop.hasNext()).as("a loop over packets that were given away").isFalse();
    assertThat(burst.isEmpty()).isTrue();
    assertThat(content()).isEmpty();
    assertThat(packet.isLive()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> packet.u8(0)).withMessageContaining("gone");
    assertThat(target.packet(2).u8(0)).isEqualTo(2);
    target.forEach(buffers.owned::add);
    assertThat(content()).containsExactly(0, 1, 2);
    burst.packet(0).drop(RULE);
    assertThat(target.addAll(burst)).as("one is gone").isFalse();
    assertThat(content()).containsExactly(1, 2);
  }

  @Test
  void shouldGiveAwayAtOnceWhatIsLeftOfIt() {
    fill(6);
    OwnedBurst target =
        new OwnedBurst(
            new MbufArray(8), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    target.add(burst.packet(1));
    burst.packet(0).drop(RULE);
    burst.packet(4).drop(RULE);
    Packet kept = burst.packet(3);
    long bytes = burst.bytes();
    assertThat(target.addLeft(burst)).isTrue();
    assertThat(burst.live()).isZero();
    assertThat(burst.bytes()).isZero();
    assertThat(kept.isLive()).isFalse();
    assertThat(content()).isEmpty();
    assertThat(target.burst().bytes()).isEqualTo(bytes + target.packet(0).length());
    assertThat(target.addLeft(burst)).as("of nothing, nothing").isTrue();
    List<Integer> moved = new ArrayList<>();
    target.forEach(packet -> moved.add(packet.u8(0)));
    assertThat(moved).containsExactly(1, 2, 3, 5);
    FreeBuffer freeBuffer = new FreeBuffer(buffers.pools, 8);
    assertThat(buffers.owned.finish(freeBuffer)).as("dropped, to be freed").isEqualTo(2);
    assertThat(target.finish(freeBuffer)).isEqualTo(4);
    freeBuffer.flush();
  }

  @Test
  void shouldGiveAwayNothingOfWhatIsLeftWithoutRoomForAll() {
    fill(6);
    burst.packet(2).drop(RULE);
    OwnedBurst target =
        new OwnedBurst(
            new MbufArray(4), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    assertThat(target.addLeft(burst)).isFalse();
    assertThat(content()).containsExactly(0, 1, 3, 4, 5);
    assertThat(target.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 200})
  void shouldNotGiveAwayMoreThanThereIsRoomFor(int slots) {
    fill(4);
    OwnedBurst target =
        new OwnedBurst(
            new MbufArray(3, slots), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    assertThat(target.addAll(burst)).isFalse();
    assertThat(content()).containsExactly(0, 1, 2, 3);
    assertThat(target.isEmpty()).isTrue();
  }

  /** What a burst has handed over stays the other's, whatever comes into the burst then. */
  @Test
  void shouldReceiveAnewIntoTheMemoryThatItGotInExchange() {
    fill(2);
    OwnedBurst target =
        new OwnedBurst(
            new MbufArray(3, 200), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    assertThat(target.addAll(burst)).isTrue();
    buffers.append(new byte[] {7}, 1);
    assertThat(content()).containsExactly(7);
    assertThat(target.packet(0).u8(0)).isZero();
    assertThat(target.addAll(burst)).as("behind what is there, by copying").isTrue();
    assertThat(target.packet(2).u8(0)).isEqualTo(7);
    target.forEach(buffers.owned::add);
    assertThat(content()).containsExactly(0, 1, 7);
  }

  /** A port that fills the array that it is given does so through a burst of its own. */
  @Test
  void shouldSeeTheExchangedMemoryThroughASecondBurstOverTheSameArray() {
    OwnedBurst second =
        new OwnedBurst(
            buffers.owned.array(), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    fill(2);
    OwnedBurst target =
        new OwnedBurst(
            new MbufArray(3, 200), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    assertThat(target.addAll(burst)).isTrue();
    buffers.append(new byte[] {7}, 1);
    assertThat(second.packet(0).u8(0)).isEqualTo(7);
    assertThat(target.packet(0).u8(0)).isZero();
    target.forEach(buffers.owned::add);
  }

  /** Its memory still holds the packets that the next call to a driver frees. */
  @Test
  void shouldKeepItsMemoryWhenItHasNothingToGive() {
    fill(2);
    FreeBuffer freeBuffer = new FreeBuffer(buffers.pools, 8);
    buffers.owned.finishInPlace(freeBuffer);
    OwnedBurst target =
        new OwnedBurst(
            new MbufArray(3, 200), new DropCounts(), EpochClock.SYSTEM, buffers.owned.owner());
    assertThat(target.addAll(burst)).isTrue();
    assertThat(buffers.owned.array().address()).isEqualTo(freeBuffer.spent());
    freeBuffer.flush();
  }

  @Test
  void shouldKeepItsPacketsFromThoseWhoDoNotOwnIt() {
    fill(3);
    OwnedBurst stranger = new OwnedBurst(new MbufArray(3));
    Packet packet = burst.packet(0);
    List<Runnable> attempts =
        List.of(
            () -> stranger.add(packet),
            () -> stranger.addAll(burst),
            () -> stranger.owner().take(packet),
            () -> stranger.owner().requireOwn(burst));
    for (Runnable attempt : attempts) {
      assertThatIllegalArgumentException()
          .isThrownBy(attempt::run)
          .withMessageStartingWith("packets belong to another worker: thread=");
    }
    assertThat(stranger.isEmpty()).isTrue();
    assertThat(content()).containsExactly(0, 1, 2);
  }

  @Test
  void shouldShowNothingOfAnEarlierBurstToALoopThatWasKept() {
    fill(5);
    Iterator<Packet> kept = burst.iterator();
    kept.next();
    OwnedBurst others = new OwnedBurst(new MbufArray(5));
    for (int i = 0; i < 5; i++) {
      others.array().append(burst.handle(i));
    }
    burst.clear();
    buffers.owned.array().append(others.handle(0));
    assertThat(kept.hasNext()).isFalse();
    others.clear();
    for (int i = 1; i < 5; i++) {
      buffers.owned.array().append(burst.handle(i));
    }
  }

  @Test
  void shouldLetLoopsGoOnWhenAnotherPacketIsLookedAt() {
    fill(4);
    List<Integer> seen = new ArrayList<>();
    for (Packet packet : burst) {
      assertThat(burst.packet(3).u8(0)).isEqualTo(3);
      seen.add(packet.u8(0));
    }
    assertThat(seen).containsExactly(0, 1, 2, 3);
  }

  @Test
  void shouldEndAPacketForBothCursors() {
    fill(2);
    for (Packet packet : burst) {
      Packet same = burst.packet(packet.index());
      packet.drop(RULE);
      assertThatIllegalStateException()
          .isThrownBy(() -> same.u8(0))
          .withMessageContaining("dropped");
    }
  }

  @Test
  void shouldDropAndTakeWhileIterating() {
    fill(130);
    int at = 0;
    for (Packet packet : burst) {
      assertThat(packet.index()).isEqualTo(at);
      if (at % 3 == 0) {
        packet.drop(RULE);
      }
      at++;
    }
    assertThat(at).isEqualTo(130);
    assertThat(burst.live()).isEqualTo(130 - 44);
  }

  @Test
  void shouldRefuseSlotsThatDoNotExistOrAreGone() {
    fill(2);
    burst.packet(1).drop(RULE);
    assertThatIllegalStateException()
        .isThrownBy(() -> burst.packet(1))
        .withMessageContaining("index=1, state=dropped");
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> burst.packet(2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> burst.packet(-1));
    Iterator<Packet> iterator = burst.iterator();
    iterator.next();
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 128, 129})
  void shouldTakeFurtherPacketsAfterAllWereDropped(int before) {
    fill(before);
    burst.dropAll(DropReason.CONSUMED);
    assertThat(content()).isEmpty();
    buffers.append(new byte[] {99}, 1);
    assertThat(burst.live()).isEqualTo(1);
    assertThat(content()).containsExactly(99);
    assertThat(burst.packet(before).u8(0)).isEqualTo(99);
    burst.finish(buffers.freeBuffer);
    assertThat(burst.drops().of(DropReason.CONSUMED)).isEqualTo(before);
    assertThat(burst.drops().of(DropReason.FORGOTTEN)).isEqualTo(1);
  }

  @Test
  void shouldDropWhatWasForgottenAndSendAllDroppedHome() {
    fill(70);
    long taken = burst.packet(10).take();
    burst.packet(20).drop(RULE);
    assertThat(burst.finish(buffers.freeBuffer)).isEqualTo(69);
    assertThat(burst.drops().of(DropReason.FORGOTTEN)).isEqualTo(68);
    assertThat(burst.isEmpty()).isTrue();
    assertThat(burst.live()).isZero();
    assertThat(buffers.pool.available()).isEqualTo(199);
    buffers.owned.array().append(taken);
    assertThat(content()).containsExactly(10);
  }

  @Test
  void shouldCountEachPacketOnce() {
    fill(5);
    Packet packet = burst.packet(2);
    packet.drop(RULE);
    assertThatIllegalStateException().isThrownBy(() -> packet.drop(RULE));
    assertThatIllegalStateException().isThrownBy(packet::take);
    burst.dropAll(NON_IP);
    burst.dropAll(NON_IP);
    burst.finish(buffers.freeBuffer);
    burst.finish(buffers.freeBuffer);
    assertThat(burst.drops().total()).isEqualTo(5);
  }

  @Test
  void shouldDropTheCurrentPacketOnlyIfItIsLive() {
    fill(2);
    burst.dropCurrent(DropReason.HANDLER_ERROR);
    assertThat(burst.live()).isEqualTo(1);
    burst.dropCurrent(DropReason.HANDLER_ERROR);
    assertThat(burst.live()).isEqualTo(1);
    assertThat(burst.drops().of(DropReason.HANDLER_ERROR)).isEqualTo(1);
  }

  @Test
  void shouldBringHomeTheSegmentsCutOffAPacketThatWasTaken() {
    Packet packet = buffers.append(TestBuffers.counting(30), 10, 10, 10);
    packet.shrinkHead(12);
    packet.shrinkTail(10);
    long mbuf = packet.take();
    assertThat(Mbuf.segments(mbuf)).isEqualTo(1);
    assertThat(burst.finish(buffers.freeBuffer)).isZero();
    assertThat(buffers.pool.available()).isEqualTo(199);
    buffers.owned.array().append(mbuf);
    assertThat(burst.packet(0).length()).isEqualTo(8);
    assertThat(burst.packet(0).u8(0)).isEqualTo(13);
  }

  @Test
  void shouldRefuseMoreThanItsRoom() {
    fill(199);
    assertThat(buffers.owned.room()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> buffers.owned.array().reserve(2));
    assertThatIllegalArgumentException().isThrownBy(() -> buffers.owned.array().reserve(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> buffers.pool.allocate(buffers.owned.array(), 2));
  }

  @Test
  void shouldReadTheClockOnceABurst() {
    long[] reads = {0};
    OwnedBurst timed =
        new OwnedBurst(
            new MbufArray(2), new DropCounts(), () -> 1_000 + reads[0]++, new BurstOwner());
    buffers.append(new byte[1], 1);
    timed.array().append(burst.packet(0).take());
    assertThat(timed.packet(0).timestampNs()).isEqualTo(1_000);
    assertThat(timed.burst().receivedNs()).isEqualTo(1_000);
    timed.finish(buffers.freeBuffer);
    assertThat(timed.burst().receivedNs()).isEqualTo(1_001);
  }

  @Test
  void shouldDropRunsOfPackets() {
    fill(6);
    Packet first = burst.packet(1);
    burst.drop(1, 3, RULE);
    assertThat(first.isLive()).isFalse();
    burst.drop(4, 4, RULE);
    assertThat(content()).containsExactly(0, 3, 4, 5);
    assertThat(burst.bytes()).isEqualTo(4);
    assertThatIllegalStateException().isThrownBy(() -> burst.drop(0, 2, RULE));
    assertThat(burst.live()).isEqualTo(4);
    for (Packet packet : burst) {
      if (packet.index() == 3) {
        burst.drop(4, 6, NON_IP);
      }
    }
    assertThat(content()).containsExactly(0, 3);
    assertThat(burst.drops().of(RULE)).isEqualTo(2);
    assertThat(burst.drops().of(NON_IP)).isEqualTo(2);
    assertThatIndexOutOfBounds(() -> burst.drop(3, 7, RULE));
  }

  @Test
  void shouldDropTheWholeBurstAsOneRun() {
    fill(6);
    burst.drop(0, 6, RULE);
    assertThat(burst.live()).isZero();
    assertThat(burst.drops().of(RULE)).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 60, 127, 128, 129, 256})
  void shouldGiveTheSameBytesToAllEmptyPackets(int bytes) {
    byte[] pattern = TestBuffers.counting(300);
    fill(1);
    buffers.pool.allocate(buffers.owned.array(), 3);
    assertThat(burst.fill(1, MemorySegment.ofArray(pattern), 3, bytes)).isTrue();
    assertThat(burst.bytes()).isEqualTo(1 + 3L * bytes);
    for (int i = 1; i < 4; i++) {
      byte[] filled = new byte[bytes];
      assertThat(burst.packet(i).length()).isEqualTo(bytes);
      burst.packet(i).get(0, filled, 0, bytes);
      assertThat(filled).isEqualTo(Arrays.copyOfRange(pattern, 3, 3 + bytes));
    }
  }

  @Test
  void shouldFillNoPacketUnlessAllAreEmptyAndHaveTheRoom() {
    MemorySegment source = MemorySegment.ofArray(new byte[1_000]);
    fill(1);
    buffers.pool.allocate(buffers.owned.array(), 2);
    assertThat(burst.fill(0, source, 0, 60)).isFalse();
    assertThat(burst.fill(1, source, 0, 1_000)).isFalse();
    assertThat(burst.packet(1).length()).isZero();
    assertThat(burst.packet(2).length()).isZero();
    assertThatIndexOutOfBounds(() -> burst.fill(-1, source, 0, 60));
    assertThatIndexOutOfBounds(() -> burst.fill(4, source, 0, 60));
    assertThatIndexOutOfBounds(() -> burst.fill(1, source, 950, 60));
    assertThatIndexOutOfBounds(() -> burst.fill(1, source, 0, -1));
    burst.packet(0).drop(DropReason.CONSUMED);
    assertThat(burst.fill(1, source, 0, 60)).isFalse();
  }

  @Test
  void shouldSayOf64PacketsAtATimeWhichAreLeft() {
    fill(100);
    assertThat(burst.live(0)).isEqualTo(-1L);
    assertThat(burst.live(64)).isEqualTo((1L << 36) - 1);
    assertThat(burst.live(100)).isZero();
    burst.packet(3).drop(RULE);
    burst.packet(70).drop(RULE);
    assertThat(burst.live(0)).isEqualTo(~(1L << 3));
    assertThat(burst.live(10)).isEqualTo(~(1L << 60));
    assertThat(burst.live(65)).isEqualTo((1L << 35) - 1 - (1L << 5));
    burst.dropAll(RULE);
    assertThat(burst.live(0)).isZero();
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> burst.live(101));
  }

  @Test
  void shouldAskAPredicateAboutPacketsThatAreLeft() {
    PacketPredicate isEven = packet -> packet.u8(0) % 2 == 0;
    fill(70);
    burst.packet(2).drop(RULE);
    assertThat(isEven.accepted(burst, 0)).isEqualTo(0x5555_5555_5555_5551L);
    assertThat(isEven.accepted(burst, 64)).isEqualTo(0b010101);
    assertThat(isEven.accepted(burst, 70)).isZero();
  }

  @Test
  void shouldGiveEachPacketThatIsLeftToAnActionOnce() {
    try (TestBuffers buffers = new TestBuffers(5)) {
      fill(buffers, 20, 21, 22, 23, 24);
      Burst burst = buffers.burst;
      burst.packet(0).drop(DropReason.CONSUMED);
      List<Integer> lengths = new ArrayList<>();
      burst.forEach(packet -> {
        lengths.add(packet.length());
        if (packet.index() == 1) {
          packet.drop(DropReason.CONSUMED);
          burst.packet(2).drop(DropReason.CONSUMED);
        }
      });
      assertThat(lengths).containsExactly(21, 23, 24);
      assertThat(burst.live()).isEqualTo(2);
    }
  }

  @Test
  void shouldGiveNoPacketToAnActionThatHasDroppedThemAll() {
    try (TestBuffers buffers = new TestBuffers(3)) {
      fill(buffers, 20, 21, 22);
      List<Integer> lengths = new ArrayList<>();
      buffers.burst.forEach(packet -> {
        lengths.add(packet.length());
        buffers.burst.dropAll(DropReason.CONSUMED);
      });
      buffers.burst.forEach(packet -> lengths.add(packet.length()));
      assertThat(lengths).containsExactly(20);
    }
  }

  @Test
  void shouldNotLetAnActionKeepThePacket() {
    try (TestBuffers buffers = new TestBuffers(2)) {
      fill(buffers, 20, 21);
      List<Packet> kept = new ArrayList<>();
      buffers.burst.forEach(kept::add);
      assertThatIllegalStateException().isThrownBy(() -> kept.getLast().u8(0));
    }
  }

  @Test
  void shouldSayWhichPacketAnActionWasAtWhenItThrew() {
    try (TestBuffers buffers = new TestBuffers(3)) {
      fill(buffers, 20, 21, 22);
      assertThatIllegalStateException()
          .isThrownBy(() ->
              buffers.burst.forEach(packet -> {
                if (packet.index() == 1) {
                  throw new IllegalStateException("no");
                }
              }));
      buffers.owned.owner().dropCurrent(buffers.burst, DropReason.HANDLER_ERROR);
      assertThat(buffers.burst.live()).isEqualTo(2);
      assertThatIllegalStateException().isThrownBy(() -> buffers.burst.packet(1));
    }
  }

  private static void fill(TestBuffers buffers, int... lengths) {
    buffers.pool.allocate(buffers.owned.array(), lengths.length);
    for (Packet packet : buffers.burst) {
      packet.growTail(lengths[packet.index()]);
    }
  }

  private static void assertThatIndexOutOfBounds(ThrowingCallable call) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(call);
  }

  @Test
  void shouldKnowItsBytesFromItsDriverAndFromWhatLeavesAndChanges() {
    try (TestBuffers buffers = new TestBuffers(5)) {
      fill(buffers, 10, 20, 30);
      Burst burst = buffers.burst;
      OwnedBurst target = new OwnedBurst(new MbufArray(5));
      for (int i = 0; i < 3; i++) {
        Handles.set(target.array().reserve(1), 0, burst.packet(i).take());
        target.array().extend(1, buffers.pool, 10L * (i + 1));
      }
      assertThat(burst.bytes()).isZero();
      assertThat(target.burst().bytes()).isEqualTo(60);
      target.packet(1).drop(DropReason.CONSUMED);
      assertThat(target.burst().bytes()).isEqualTo(40);
      target.packet(2).growTail(5);
      assertThat(target.burst().bytes()).isEqualTo(45);
      target.finish(buffers.freeBuffer);
    }
  }

  @Test
  void shouldJoinPacketsWithoutCopyingThem() {
    buffers.append(new byte[] {1, 2}, 1, 1);
    buffers.append(new byte[] {9}, 1);
    buffers.append(new byte[] {3, 4, 5}, 2, 1);
    assertThat(burst.join(0, 2, DropReason.CONSUMED)).isTrue();
    assertThat(burst.packet(0).toBytes()).containsExactly(1, 2, 3, 4, 5);
    assertThat(burst.packet(0).segments()).isEqualTo(4);
    assertThat(burst.live()).isEqualTo(2);
    assertThat(burst.bytes()).isEqualTo(6);
    assertThat(burst.drops().of(DropReason.CONSUMED)).isEqualTo(1);
    assertThatIllegalStateException().isThrownBy(() -> burst.packet(2));
    assertThatIllegalStateException().isThrownBy(() -> burst.join(1, 2, RULE));
    assertThatIllegalArgumentException().isThrownBy(() -> burst.join(1, 1, RULE));
  }

  @Test
  void shouldNotJoinPacketsOfDifferentPools() {
    fill(2);
    BufferPool other = buffers.pools.create("other", 1, 0, 64);
    assertThat(other.allocate(buffers.owned.array(), 1)).isTrue();
    assertThat(burst.join(0, 2, DropReason.CONSUMED)).isFalse();
    assertThat(burst.join(2, 0, DropReason.CONSUMED)).isFalse();
    assertThat(burst.live()).isEqualTo(3);
    assertThat(burst.drops().total()).isZero();
  }
}
