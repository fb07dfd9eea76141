package io.linerate.graph;

import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An output of a running element. {@link #push} hands a whole burst on without touching it; {@link
 * #send} takes single packets, which are handed on together when the element returns.
 *
 * <p>For the worker's thread; on any other it throws {@link WrongThreadException}.
 */
public final class Outlet implements BurstHandler {
  private final RunningElement element;
  private final String name;
  private DropReason whenUnconnected;
  private final PacketCounter counter = new PacketCounter();
  private final BurstOwner owner;
  private final OwnedBurst sent;
  private @Nullable Inlet target;
  private boolean isPushing;

  /** Time of reception of what is in {@link #sent}, where it was stored since; 0: just now. */
  private long storedNs;

  Outlet(RunningElement element, String name, DropReason whenUnconnected) {
    this.element = element;
    this.name = name;
    this.whenUnconnected = whenUnconnected;
    owner = element.replica().host().owner();
    sent =
        element
            .replica()
            .host()
            .burst(element.replica().host().maxBurst(), element.drops(), this::receivedNs);
  }

  private long receivedNs() {
    return storedNs != 0 ? storedNs : element.replica().receivedNs();
  }

  /** From now on packets are dropped for this reason when it leads nowhere. */
  Outlet whenUnconnected(DropReason reason) {
    whenUnconnected = Objects.requireNonNull(reason, "reason");
    return this;
  }

  /** Whether it leads anywhere: an optional output need not. */
  public boolean isConnected() {
    return target != null;
  }

  /**
   * Hands every packet that is left in the burst on. A burst that the element was given goes on
   * when its handler returns or sends a packet: the handler leaves it alone by then. Of any other
   * nothing is left afterwards.
   */
  public void push(Burst burst) {
    owner.requireOwn(burst);
    if (!element.goesOnLater(burst, this)) {
      pass(burst);
    }
  }

  /** As {@link #push}: an element that hands on what it gets gives its output as the handler. */
  @Override
  public void onBurst(Burst burst) {
    push(burst);
  }

  /** As {@link #pass}, for who hands the burst on: where it goes, or null when nothing is left. */
  @Nullable Inlet handOn(Burst burst) {
    if (sent.size() > 0) {
      flush();
    }
    return next(burst);
  }

  /** Hands on what is left in a burst, now, behind what was sent before. */
  void pass(Burst burst) {
    Inlet to = handOn(burst);
    if (to != null) {
      to.accept(burst);
    }
  }

  /** Counts what is left in a burst; returns where it goes, or null when nothing is left. */
  @Nullable Inlet next(Burst burst) {
    int live = burst.live();
    if (live == 0) {
      return null;
    }
    Inlet to = target;
    if (to == null) {
      DropCounts _ = owner.drops(burst, element.drops());
      burst.dropAll(whenUnconnected);
      return null;
    }
    counter.passed(live, burst.bytes());
    return to;
  }

  /** Takes a packet out of its burst and hands it on. It cannot be read afterwards. */
  public void send(Packet packet) {
    send(packet, whenUnconnected);
  }

  /** As {@link #send(Packet)}, with a reason of its own to drop it when this leads nowhere. */
  public void send(Packet packet, DropReason whenUnconnected) {
    if (target == null) {
      packet.drop(whenUnconnected);
      return;
    }
    makeRoom();
    sent.add(packet);
  }

  /**
   * Makes a packet, which is handed on like the others that are sent here; it can be written until
   * the next one is sent or made, or the element returns.
   *
   * @param lengthBytes 0 to 65,535; its bytes are what the buffer had
   * @return null when no buffer is free, which the element's counter {@code no_buffers} says
   */
  public @Nullable Packet create(int lengthBytes) {
    makeRoom();
    int index = sent.size();
    return element.make(sent.array(), lengthBytes) ? sent.packet(index) : null;
  }

  /**
   * Sends a copy of a packet, which stays where it is; the cursor of one that was made here moves
   * to the copy.
   *
   * @return whether there was a buffer for it
   */
  @SuppressWarnings("ReferenceEquality") // A cursor is itself only.
  public boolean copy(Packet packet) {
    if (target == null) {
      return false;
    }
    makeRoom(); // A packet that was made here may leave now: its length says so.
    int index = packet.index();
    int lengthBytes = packet.length();
    Packet copy = create(lengthBytes);
    if (copy == null) {
      return false;
    }
    if (copy == packet) { // The only cursor of what is made here has moved on.
      SegmentCopy.between(sent.handle(index), 0, sent.handle(copy.index()), 0, lengthBytes);
    } else {
      copy.set(0, packet, 0, lengthBytes);
    }
    return true;
  }

  /** Takes over a packet that was stored, for which there is room. */
  void append(long mbuf, long receivedNs) {
    if (sent.isEmpty()) {
      storedNs = receivedNs;
    }
    sent.array().append(mbuf);
  }

  /** What was sent last, to be written until the next one is sent or the element returns. */
  Packet last() {
    return sent.packet(sent.size() - 1);
  }

  /**
   * Makes room for one packet: hands on what was sent before, if need be. A packet that is stored
   * stays where it is until then, because those who get the others may throw.
   */
  void makeRoom() {
    owner.require();
    if (element.hasLeft()) {
      throw new IllegalStateException(
          "element has left the graph: element=" + element.name() + ", port=" + name);
    }
    if (isPushing) {
      throw new IllegalStateException(
          "output is at work: element="
              + element.name()
              + ", port="
              + name
              + "; an element on a cycle stores packets and sends them from its rounds");
    }
    element.passPushed();
    if (sent.room() == 0) {
      flush();
    }
    element.hasSent();
  }

  /** Hands on what was sent. */
  void flush() {
    if (sent.size() == 0 || isPushing) {
      return;
    }
    isPushing = true;
    try {
      pass(sent.burst());
    } finally {
      isPushing = false;
      end();
    }
  }

  /** Drops what was sent: nobody will ever take it. */
  void discard(DropReason reason) {
    if (!isPushing && sent.size() > 0) {
      sent.dropAll(reason);
      end();
    }
  }

  private void end() {
    sent.finish(element.replica().host().freeBuffer());
    storedNs = 0;
  }

  /** Where it leads from now on. Between two bursts only. */
  void target(@Nullable Inlet to) {
    if (target != null) {
      target.disconnect(counter);
    }
    if (to != null) {
      to.connect(counter);
    }
    target = to;
  }

  @Nullable Inlet target() {
    return target;
  }

  RunningElement element() {
    return element;
  }

  String name() {
    return name;
  }

  PacketCounter counter() {
    return counter;
  }
}
