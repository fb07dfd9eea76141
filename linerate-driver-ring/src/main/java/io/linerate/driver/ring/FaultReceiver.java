package io.linerate.driver.ring;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.core.time.EpochClock;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Disturbs what a receive queue brings. Packets are received into a burst of its own, disturbed
 * there, and handed on as far as the caller's burst has room; the rest waits.
 */
final class FaultReceiver implements RxQueue {
  static final int DROPPED = 2;
  static final int DUPLICATED = 3;
  static final int CORRUPTED = 4;
  static final int TRUNCATED = 5;
  static final int NOT_DUPLICATED = 6;
  static final int COUNTERS = 7;

  private static final int ARRIVING = 32;
  private static final int DUPLICATES = 4_096;
  private static final DropReason FAULT = DropReason.named("fault");

  private final RxQueue inner;
  private final FaultPlan plan;
  private final SplittableRandom random;
  private final PacketPools pools;
  private final FreeBuffer freeBuffer;
  private final BurstOwner owner = new BurstOwner();
  private final OwnedBurst arrived;
  private final @Nullable PacketChains copies;
  final QueueCounts counts = new QueueCounts(COUNTERS);

  /** Each packet that arrives, and its duplicate. */
  private final long[] waiting = new long[2 * ARRIVING];

  private int next;
  private int end;

  FaultReceiver(
      RxQueue inner,
      FaultPlan plan,
      int queue,
      PacketPools pools,
      EpochClock clock,
      String poolName) {
    this.inner = inner;
    this.plan = plan;
    this.pools = pools;
    random = new SplittableRandom(plan.seed() + queue);
    freeBuffer = new FreeBuffer(pools, 1);
    arrived = new OwnedBurst(new MbufArray(ARRIVING), new DropCounts(), clock, owner);
    copies = plan.duplicate() > 0 ? new PacketChains(pools, poolName, DUPLICATES) : null;
  }

  @Override
  public boolean isMappedFile() {
    return inner.isMappedFile();
  }

  @Override
  public int receive(MbufArray packets) {
    if (next == end) {
      refill();
    }
    int count = Math.min(packets.room(), end - next);
    long handles = packets.reserve(count);
    for (int i = 0; i < count; i++) {
      long mbuf = waiting[next++];
      counts.add(BYTES, Mbuf.packetLength(mbuf));
      Handles.set(handles, i, mbuf);
    }
    counts.add(PACKETS, count);
    packets.extend(count, null);
    counts.publish();
    return count;
  }

  @Override
  public boolean exhausted() {
    return next == end && inner.exhausted();
  }

  /** Receives once only: were all packets dropped, a second time might never end. */
  private void refill() {
    next = 0;
    end = 0;
    if (inner.receive(arrived.array()) > 0) {
      owner.bind();
      for (Packet packet : arrived.burst()) {
        disturb(packet);
      }
      arrived.finish(freeBuffer);
    }
  }

  private void disturb(Packet packet) {
    if (happens(plan.drop())) {
      packet.drop(FAULT);
      counts.add(DROPPED, 1);
      return;
    }
    long duplicate = happens(plan.duplicate()) ? duplicate(packet) : 0;
    if (happens(plan.corrupt()) && packet.length() > 0) {
      int offset = random.nextInt(packet.length());
      packet.u8(offset, packet.u8(offset) ^ random.nextInt(1, 0x100));
      counts.add(CORRUPTED, 1);
    }
    if (happens(plan.truncate()) && packet.length() > 0) {
      packet.shrinkTail(random.nextInt(1, packet.length() + 1));
      counts.add(TRUNCATED, 1);
    }
    waiting[end++] = owner.take(packet);
    if (duplicate != 0) {
      waiting[end++] = duplicate;
    }
  }

  private boolean happens(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  private long duplicate(Packet packet) {
    long copy = copies == null ? 0 : copies.copy(arrived.handle(packet.index()));
    counts.add(copy == 0 ? NOT_DUPLICATED : DUPLICATED, 1);
    return copy;
  }

  /** Frees what waits. */
  void close() {
    MbufArray rest = new MbufArray(waiting.length);
    while (next < end) {
      rest.append(waiting[next++]);
    }
    pools.free(rest.address(), rest.size());
  }
}
