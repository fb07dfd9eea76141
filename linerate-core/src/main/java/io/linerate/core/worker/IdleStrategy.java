package io.linerate.core.worker;

import io.linerate.core.config.Idle;
import java.util.concurrent.locks.LockSupport;

/** What a worker does between two rounds of polling. One instance for each worker. */
@FunctionalInterface
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what some strategies are about.
public interface IdleStrategy {
  /** Spins before {@link Idle#BACKOFF} yields, and yields before it sleeps. */
  int BACKOFF_SPINS = 256;

  int BACKOFF_YIELDS = 64;
  long BACKOFF_MIN_SLEEP_NS = 10_000;
  long BACKOFF_MAX_SLEEP_NS = 1_000_000;
  long SLEEP_NS = 100_000;

  /** Rounds that bring nothing before {@link Idle#INTERRUPT} waits, and how long at most. */
  int INTERRUPT_SPINS = 16;

  long INTERRUPT_NS = 100_000_000;

  /**
   * Called after each round.
   *
   * @param work packets received and pieces of work done in the round; 0 means that there was
   *     nothing to do
   */
  void idle(int work);

  /** How a worker sleeps, once its strategy has chosen to. */
  @FunctionalInterface
  interface Sleeper {
    /** Sleeps, or waits for a packet, for this time at most. */
    void sleep(long ns);
  }

  static IdleStrategy of(Idle idle) {
    return of(idle, LockSupport::parkNanos);
  }

  static IdleStrategy of(Idle idle, Sleeper sleeper) {
    return switch (idle) {
      case BUSY_SPIN -> unless(Thread::onSpinWait);
      case YIELD -> unless(Thread::yield);
      case BACKOFF -> new Backoff(sleeper);
      case SLEEP -> unless(() -> sleeper.sleep(SLEEP_NS));
      case INTERRUPT -> new Interrupt(sleeper);
    };
  }

  private static IdleStrategy unless(Runnable pause) {
    return work -> {
      if (work == 0) {
        pause.run();
      }
    };
  }

  /** Spins, then yields, then sleeps twice as long each time. */
  final class Backoff implements IdleStrategy {
    private final Sleeper sleeper;
    private int rounds;
    private long sleepNs = BACKOFF_MIN_SLEEP_NS;

    Backoff(Sleeper sleeper) {
      this.sleeper = sleeper;
    }

    @Override
    public void idle(int work) {
      if (work > 0) {
        rounds = 0;
        sleepNs = BACKOFF_MIN_SLEEP_NS;
      } else if (rounds < BACKOFF_SPINS) {
        rounds++;
        Thread.onSpinWait();
      } else if (rounds < BACKOFF_SPINS + BACKOFF_YIELDS) {
        rounds++;
        Thread.yield();
      } else {
        sleeper.sleep(sleepNs);
        sleepNs = Math.min(2 * sleepNs, BACKOFF_MAX_SLEEP_NS);
      }
    }
  }

  /** Spins a little, then waits for a packet. */
  final class Interrupt implements IdleStrategy {
    private final Sleeper sleeper;
    private int rounds;

    Interrupt(Sleeper sleeper) {
      this.sleeper = sleeper;
    }

    @Override
    public void idle(int work) {
      if (work > 0) {
        rounds = 0;
      } else if (rounds < INTERRUPT_SPINS) {
        rounds++;
        Thread.onSpinWait();
      } else {
        sleeper.sleep(INTERRUPT_NS);
      }
    }
  }
}
