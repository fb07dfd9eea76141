package io.linerate.driver.ring;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.PartialChecksum;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.QueueCounts;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Loses, repeats, damages and cuts packets of one queue in one direction, and puts what is left on
 * a {@link DelayLine}. One thread's own.
 */
final class FaultMaker {
  /** Packets that are disturbed together. */
  static final int BATCH = 64;

  /** Packets that become of them at most. */
  static final int MOST_ADDED = 2 * BATCH;

  static final int DROPPED = 2;
  static final int DUPLICATED = 3;
  static final int NOT_DUPLICATED = 4;
  static final int REORDERED = 5;
  static final int CORRUPTED = 6;
  static final int TRUNCATED = 7;
  static final int DELAYED = 8;

  /** Packets that were held when the port was closed, or could not be read. */
  static final int LEFT = 9;

  static final int COUNTERS = 10;

  private static final int COPIES = 4_096;
  private static final int ETHERNET_BYTES = 14;

  final QueueCounts counts = new QueueCounts(COUNTERS);
  final DelayLine line;

  private final FaultPlan plan;
  private final SplittableRandom random;
  private final LongSupplier ticker;
  private final DropReason reason;
  private final PacketPools pools;
  private final FreeBuffer freeBuffer;
  private final BurstOwner owner = new BurstOwner();
  private final OwnedBurst burst;
  private final @Nullable PacketChains copies;
  private final PartialChecksum checksum = new PartialChecksum();
  private long lastNs;
  private @Nullable Throwable failure;

  /**
   * @param random of this queue and direction
   * @param ticker counts ns since anything that is past
   * @param reason for which packets are lost
   * @param drops where they are counted
   */
  FaultMaker(
      FaultPlan plan,
      SplittableRandom random,
      LongSupplier ticker,
      PortRequest request,
      String poolName,
      DropReason reason,
      DropCounts drops) {
    this.plan = plan;
    this.random = random;
    this.ticker = ticker;
    this.reason = reason;
    pools = request.pools();
    freeBuffer = new FreeBuffer(pools, 1);
    burst = new OwnedBurst(new MbufArray(BATCH), drops, request.clock(), owner);
    copies = plan.duplicate() > 0 ? new PacketChains(pools, poolName, COPIES) : null;
    line = new DelayLine(plan.isTimed() ? plan.hold() : MOST_ADDED);
  }

  /** Where to put packets that {@link #disturb} is to work on. */
  MbufArray array() {
    return burst.array();
  }

  /** What the ticker says, if anybody wants to know. */
  long nowNs() {
    return plan.isTimed() ? ticker.getAsLong() : 0;
  }

  /** Whether there is room on the line for all that may become of a batch. */
  boolean hasRoom() {
    return plan.isTimed() ? line.room() >= MOST_ADDED : line.isEmpty();
  }

  /**
   * Works on the packets in {@link #array}, which is empty then.
   *
   * @param givesBack whether those that it has not worked on are the caller's: else they are freed
   * @return how many it has worked on: fewer than there were if the next one cannot be read, and
   *     {@link #failure} says why
   */
  int disturb(long nowNs, boolean givesBack) {
    owner.bind();
    int count = burst.size();
    int done = 0;
    try {
      while (done < count) {
        disturb(burst.packet(done), burst.handle(done), nowNs);
        done++;
      }
    } catch (RuntimeException | Error e) {
      failure = e;
      for (int i = done; i < count && givesBack; i++) {
        owner.take(burst.packet(i));
      }
      counts.add(LEFT, givesBack ? 0 : count - done);
    }
    burst.finish(freeBuffer);
    return done;
  }

  /** Why {@link #disturb} did not do all; null if it always did. */
  @Nullable Throwable failure() {
    return failure;
  }

  private void disturb(Packet packet, long mbuf, long nowNs) {
    if (happens(plan.drop())) {
      packet.drop(reason);
      counts.add(DROPPED, 1);
      return;
    }
    long repeat = happens(plan.duplicate()) ? copy(mbuf) : 0;
    try {
      damage(packet, mbuf);
      MappedFileFault.settle(mbuf);
    } catch (Throwable e) {
      if (repeat != 0) {
        freeBuffer.add(repeat);
      }
      throw e;
    }
    long dueNs = dueNs(nowNs);
    add(owner.take(packet), dueNs, nowNs);
    if (repeat != 0) {
      counts.add(DUPLICATED, 1);
      add(repeat, dueNs, nowNs);
    }
  }

  private void add(long mbuf, long dueNs, long nowNs) {
    int passing = happens(plan.reorder()) ? random.nextInt(1, plan.distance() + 1) : 0;
    counts.add(DELAYED, dueNs > nowNs ? 1 : 0);
    line.add(mbuf, dueNs, passing);
  }

  /** Never before that of the last one. */
  private long dueNs(long nowNs) {
    if (!plan.isTimed()) {
      return 0;
    }
    long jitterNs = plan.jitterNs() > 0 ? random.nextLong(plan.jitterNs() + 1) : 0;
    lastNs = Math.max(lastNs, nowNs + plan.delayNs() + jitterNs);
    return lastNs;
  }

  private void damage(Packet packet, long mbuf) {
    if (happens(plan.corrupt())) {
      flipBit(packet, mbuf);
    }
    if (happens(plan.truncate()) && packet.length() > 0) {
      packet.shrinkTail(random.nextInt(1, packet.length() + 1));
      counts.add(TRUNCATED, 1);
    }
  }

  /**
   * Flips one bit. A checksum that was left to who transmits is made before, so that it is wrong
   * afterwards; who cuts a super-packet makes the sums of its parts anew, so that is let alone.
   */
  private void flipBit(Packet packet, long mbuf) {
    int first = Mbuf.hasLinkType(mbuf) ? 0 : ETHERNET_BYTES;
    if (packet.length() <= first || Mbuf.isSuperPacket(mbuf)) {
      return;
    }
    if (Mbuf.needsChecksum(mbuf)) {
      checksum.finishUnfinished(mbuf);
      Mbuf.finished(mbuf);
    }
    int offset = random.nextInt(first, packet.length());
    packet.u8(offset, packet.u8(offset) ^ 1 << random.nextInt(Byte.SIZE));
    Mbuf.forgetChecksums(mbuf);
    counts.add(CORRUPTED, 1);
  }

  private boolean happens(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  private long copy(long mbuf) {
    long copy = copies == null ? 0 : copies.copy(mbuf);
    counts.add(NOT_DUPLICATED, copy == 0 ? 1 : 0);
    return copy;
  }

  /** Lets others see what was counted. */
  void publish() {
    counts.set(REORDERED, line.reordered());
    counts.publish();
  }

  /** Frees what is held. */
  void close() {
    counts.add(LEFT, line.free(pools));
    publish();
  }
}
