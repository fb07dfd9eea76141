package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What several programs do at once in the memory of another one, to which each has a link. */
final class SharedMemoryWork {
  static final long COUNTER = 0;
  private static final long LOCK = 8;

  static final int SLOT = 96;
  private static final int ROUNDS = 50;

  private final LinkEnd end;
  private final RemoteRegion target;
  private final MemoryRegion operand;
  private final MemoryRegion compare;
  private final MemoryRegion result;
  private final Descriptor descriptor;

  SharedMemoryWork(LinkEnd end, RemoteRegion target) {
    this.end = end;
    this.target = target;
    Side side = end.side();
    operand = side.region(Long.BYTES);
    compare = side.region(Long.BYTES);
    result = side.region(Long.BYTES);
    descriptor = side.domain.descriptor();
  }

  // ---- writers ----

  /** Writes each of so many slots again and again, and reads what it has written. */
  void write(int writer, int writers) {
    MemoryRegion memory = end.side().region(SLOT);
    long slots = target.length() / SLOT;
    for (int round = 0; round < ROUNDS; round++) {
      for (long slot = writer; slot < slots; slot += writers) {
        long offset = slot * SLOT;
        Side.fill(memory.segment(), SLOT, seed(slot, round));
        descriptor.on(memory).level(CompletionLevel.DELIVERED);
        end.complete(descriptor, () -> end.to().write(descriptor, target, offset));
        memory.segment().fill((byte) 0xA5);
        end.complete(descriptor, () -> end.to().read(descriptor, target, offset));
        Side.assertPattern(memory.segment(), SLOT, seed(slot, round));
      }
    }
  }

  /** Whether all slots have what was written last. */
  static void assertWritten(MemorySegment memory) {
    for (long slot = 0; slot < memory.byteSize() / SLOT; slot++) {
      Side.assertPattern(memory.asSlice(slot * SLOT, SLOT), SLOT, seed(slot, ROUNDS - 1));
    }
  }

  private static long seed(long slot, int round) {
    return slot * 1_000_003 + round;
  }

  // ---- adders ----

  /**
   * Adds 1 to the counter again and again.
   *
   * @return the sum of what was there before, each time
   */
  long add(int times) {
    operand.segment().set(ValueLayout.JAVA_LONG, 0, 1);
    descriptor.on(operand);
    AtomicTarget counter = new AtomicTarget(target, COUNTER, AtomicType.UINT64);
    long sum = 0;
    long last = -1;
    for (int i = 0; i < times; i++) {
      end.complete(
          descriptor, () -> end.to().fetch(descriptor, counter, AtomicOperation.SUM, result, 0));
      long before = result.segment().get(ValueLayout.JAVA_LONG, 0);
      assertThat(before).isGreaterThan(last);
      last = before;
      sum += before;
    }
    return sum;
  }

  // ---- those that take turns ----

  /**
   * Adds 1 to the counter by reading and writing it, while it has the lock.
   *
   * @param owner what the lock has meanwhile: not 0
   */
  void takeTurns(long owner, int turns) {
    MemoryRegion memory = end.side().region(Long.BYTES);
    MemorySegment value = memory.segment();
    for (int i = 0; i < turns; i++) {
      while (exchange(0, owner) != 0) {
        Thread.onSpinWait();
      }
      descriptor.on(memory).level(CompletionLevel.DEFAULT);
      end.complete(descriptor, () -> end.to().read(descriptor, target, COUNTER));
      value.set(ValueLayout.JAVA_LONG, 0, value.get(ValueLayout.JAVA_LONG, 0) + 1);
      // It is there before the lock is given back: that may go another way.
      descriptor.level(CompletionLevel.DELIVERED);
      end.complete(descriptor, () -> end.to().write(descriptor, target, COUNTER));
      assertThat(exchange(owner, 0)).as("who has the lock").isEqualTo(owner);
    }
  }

  private long exchange(long expected, long next) {
    compare.segment().set(ValueLayout.JAVA_LONG, 0, expected);
    operand.segment().set(ValueLayout.JAVA_LONG, 0, next);
    descriptor.on(operand).level(CompletionLevel.DEFAULT);
    AtomicTarget lock = new AtomicTarget(target, LOCK, AtomicType.UINT64);
    end.complete(
        descriptor, () -> end.to().compareAndSwap(descriptor, lock, compare, 0, result, 0));
    return result.segment().get(ValueLayout.JAVA_LONG, 0);
  }
}
