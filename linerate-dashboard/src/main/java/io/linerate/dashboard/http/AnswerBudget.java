package io.linerate.dashboard.http;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The memory that answers take until clients have read them: bounded, whoever reads slowly. What
 * many are sent counts once. The owner of the token has a part that others do not get.
 */
final class AnswerBudget {
  /** So little that the number of clients is bound enough. */
  private static final int SMALL_BYTES = 4_096;

  private static final long TIMEOUT_S = 2;
  private static final long LEAST_BYTES = 8L << 20;
  private static final long MOST_BYTES = 256L << 20;

  private final long mostBytes;
  private final long mostOfOthersBytes;
  private final Semaphore ownersTurn = new Semaphore(1);
  private final Semaphore othersTurn = new Semaphore(1);
  private long heldBytes;

  AnswerBudget(long mostBytes) {
    this.mostBytes = mostBytes;
    mostOfOthersBytes = mostBytes / 4 * 3;
  }

  /** An eighth of the heap that there may be, within reason. */
  static long usualBytes() {
    return Math.clamp(Runtime.getRuntime().maxMemory() / 8, LEAST_BYTES, MOST_BYTES);
  }

  /**
   * Makes an answer: one at once for the owner, and one for all others. What is not made yet cannot
   * be counted, and making it takes time from the machine.
   *
   * @throws Refusal if others' answers take long
   */
  <T> T make(Supplier<T> answer, boolean isOwner) {
    Semaphore turn = isOwner ? ownersTurn : othersTurn;
    await(turn);
    try {
      return answer.get();
    } finally {
      turn.release();
    }
  }

  private static void await(Semaphore turn) {
    try {
      if (turn.tryAcquire(TIMEOUT_S, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new Refusal(503, "too much is being asked for; ask again");
  }

  /** Holds a body for one more reader. False if there is no room for it. */
  synchronized boolean hold(Body body, boolean isOwner) {
    if (body.length() <= SMALL_BYTES) {
      return true;
    }
    boolean isNew = body.readers == 0;
    if (isNew && heldBytes + body.length() > (isOwner ? mostBytes : mostOfOthersBytes)) {
      return false;
    }
    heldBytes += isNew ? body.length() : 0;
    body.readers++;
    return true;
  }

  /** A reader is done with a body that was held for it. */
  synchronized void release(Body body) {
    if (body.length() > SMALL_BYTES) {
      body.readers--;
      heldBytes -= body.readers == 0 ? body.length() : 0;
    }
  }

  synchronized long heldBytes() {
    return heldBytes;
  }
}
