package io.linerate.graph;

import io.linerate.core.driver.SpscRing;
import io.linerate.core.memory.DropReason;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A queue of tokens on one worker: see {@link Wiring#tokenCrossing}. */
public final class TokenCrossing extends QueueSide {
  /** Why tokens are dropped for which there is no room. */
  public static final DropReason FULL = DropReason.named("queue_full");

  /** Looks at a full queue before the thread gives its CPU away. */
  private static final int SPINS = 1_000;

  private static final long PAUSE_NS = 20_000;

  /** Tokens that are handed over at once, at least, within a round. */
  private static final int TOGETHER = 64;

  private final Overflow overflow;
  private final TokenType type;
  private final Class<?> carrier;

  /** When the engine was seen to be stopped first, while a token waited; 0: it was not. */
  private long stoppedNs;

  /** Where tokens are sent now: what takes such tokens. */
  private @Nullable Object to;

  TokenCrossing(RunningElement element, Part part, int margin, TokenType type, Overflow overflow) {
    super(
        element,
        part,
        overflow == Overflow.HOLD_BACK ? margin : 0,
        (ring, isOwn) -> new End(element, ring, isOwn));
    this.type = type;
    carrier = type.carrier();
    this.overflow = overflow;
  }

  private static final class End extends RingEnd {
    private final RunningElement element;

    End(RunningElement element, SpscRing ring, boolean isOwn) {
      super(ring, isOwn);
      this.element = element;
    }

    @Override
    void dropAll(DropReason reason) {
      int count = 0;
      while (ring().dropOldest()) {
        count++;
      }
      if (count > 0) {
        element.tokens.drops().add(reason, count);
      }
    }
  }

  /**
   * Stores a token.
   *
   * @throws IllegalArgumentException if it is not a queue of such
   */
  public void put(long token) {
    if (carrier != long.class) {
      throw otherType("long");
    }
    putNumber(token);
  }

  /** As the other, for a queue of {@code double}. */
  public void put(double token) {
    if (carrier != double.class) {
      throw otherType("double");
    }
    putNumber(Double.doubleToRawLongBits(token));
  }

  private IllegalArgumentException otherType(String given) {
    return new IllegalArgumentException(
        "token is of another type than the queue: element=%s, queue=%s, token=%s; give tokens of the type that the queue was made with"
            .formatted(element().name(), type, given));
  }

  private void putNumber(long token) {
    SpscRing ring = withRoom();
    if (ring != null) {
      ring.addNumber(token);
      added(ring);
    }
  }

  /** As the other, for a queue of objects: those of its class. */
  public void put(Object token) {
    if (!carrier.isInstance(token)) {
      throw otherType(token.getClass().getName());
    }
    SpscRing ring = withRoom();
    if (ring != null) {
      ring.addObject(token);
      added(ring);
    }
  }

  /** Handed over are some together: the other worker looks at the ring's index all the time. */
  private void added(SpscRing ring) {
    if (overflow == Overflow.KEEP_NEWEST || ring.added() >= TOGETHER) {
      ring.publish();
    }
  }

  private static void publish(@Nullable SpscRing ring) {
    if (ring != null && ring.added() > 0) {
      ring.publish();
    }
  }

  /** The ring, with room for one more; null: the token was dropped. */
  private @Nullable SpscRing withRoom() {
    element().replica().host().owner().require();
    SpscRing ring = open();
    if (ring == null) {
      element().tokens.drops().add(RunningElement.STOPPED, 1);
      return null;
    }
    return ring.room(1) > 0 ? ring : whenFull(ring);
  }

  private @Nullable SpscRing whenFull(SpscRing ring) {
    switch (overflow) {
      case KEEP_NEWEST -> {
        while (ring.room(1) == 0) {
          if (ring.dropOldest()) {
            element().tokens.drops().add(FULL, 1);
          }
        }
        return ring;
      }
      case HOLD_BACK -> {
        if (awaitRoom(ring)) {
          return ring;
        }
      }
      case DROP -> {}
    }
    boolean isOver = ring.isConsumerClosed() || stoppedNs != 0;
    element().tokens.drops().add(isOver ? RunningElement.STOPPED : FULL, 1);
    return null;
  }

  /** Whether there is room; no: there will be none. */
  private boolean awaitRoom(SpscRing ring) {
    Replica replica = element().replica();
    if (replica.host().junctions().backPressure().isCyclic(element().name())) {
      return false;
    }
    publish(ring);
    long startNs = System.nanoTime();
    long lastNs = startNs;
    long idleNs = 0;
    int idle = 0;
    boolean hasRoom = false;
    while (!hasRoom && !ring.isConsumerClosed() && !hasWaitedEnough(replica)) {
      boolean hasWorked = replica.home().stages().workWhileWaiting(element().name());
      hasRoom = ring.room(1) > 0;
      if (hasWorked) {
        idle = 0;
      } else if (!hasRoom) {
        pause(idle++);
      }
      long nowNs = System.nanoTime();
      idleNs += hasWorked ? 0 : nowNs - lastNs;
      lastNs = nowNs;
    }
    replica.waited(idleNs, lastNs - startNs);
    return hasRoom;
  }

  private static void pause(int idle) {
    if (idle < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /**
   * Whether the engine was stopped, and what empties this was given the time to: it may wait for
   * somebody who is no worker, and is not stopped.
   */
  private boolean hasWaitedEnough(Replica replica) {
    if (stoppedNs == 0) {
      stoppedNs = replica.host().worker().isStopping() ? System.nanoTime() | 1 : 0;
      return false;
    }
    return System.nanoTime() - stoppedNs > MAX_WAIT_NS;
  }

  /**
   * Sends the oldest tokens, at most {@code max}, and returns their number: none while a queue
   * behind this one holds back. To be called in each round, also where nothing comes out: what was
   * put in is handed over then.
   *
   * @param outlet takes tokens of the type of this queue
   */
  public int sendTo(Object outlet, int max) {
    element().replica().host().owner().require();
    publish(open());
    to = outlet;
    return sendSome(max);
  }

  /** Numbers of the workers that put something in, or may, for this one to send on. */
  public Set<Integer> feeders() {
    Replica replica = element().replica();
    replica.host().owner().require();
    return replica.host().junctions().of(element().name()).feeders(replica.host().id());
  }

  /** As {@link Crossing#finish}. */
  public void finish(Object outlet) {
    publish(open());
    to = outlet;
    finish();
  }

  @Override
  @SuppressWarnings("unchecked") // What takes tokens of that type.
  int send(RingEnd end, int max) {
    SpscRing ring = end.ring();
    Object outlet = Objects.requireNonNull(to, "outlet");
    int most = end.waiting(max);
    int count = 0;
    if (type.equals(TokenType.LONGS)) {
      LongConsumer longs = (LongConsumer) outlet;
      for (; count < most && ring.claimFirst(); count++) {
        longs.accept(ring.claimed());
      }
    } else if (type.equals(TokenType.DOUBLES)) {
      DoubleConsumer doubles = (DoubleConsumer) outlet;
      for (; count < most && ring.claimFirst(); count++) {
        doubles.accept(Double.longBitsToDouble(ring.claimed()));
      }
    } else {
      Consumer<Object> objects = (Consumer<Object>) outlet;
      for (; count < most && ring.claimFirst(); count++) {
        objects.accept(ring.claimedObject());
      }
    }
    return count;
  }
}
