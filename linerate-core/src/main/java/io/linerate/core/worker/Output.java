package io.linerate.core.worker;

import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketChains;
import io.linerate.core.driver.PacketPool;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.driver.PartialChecksum;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.driver.VlanTag;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.PacketLedger;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a worker's packets to a port: stores them until there are {@code txBurst}, which the worker
 * then transmits with one call, before it receives again. There is room for more than that; a
 * handler that sends more than fits transmits them itself.
 *
 * <p>A queue that takes only some is tried again within a bound; what it refuses to the end is
 * dropped as {@code tx_full}. After that it is tried only once a time, until it takes something
 * again. One that is to {@link #keepRefused} lets packets wait instead, while there is room.
 */
public final class Output {
  /** Buffers for parts of long packets, where the port has none of its own. */
  private static final int PART_BUFFERS = 2_048;

  /** Calls that a driver, or who moves packets, may nest: far more than any does. */
  private static final int STACK_FRAMES = 200;

  private final DriverPort port;
  private final TxQueue queue;
  private final PacketPools pools;
  private final OwnedBurst stored;
  private final MbufArray array;
  private final BurstOwner owner;
  private final int txBurst;
  private final DropCounts drops;
  private final long retryNs;
  private final Consumer<PortException> onFailure;

  /** Whether another output of the worker answers for what the queue refuses. */
  private final boolean isFurther;

  /** Packets that the queue had refused before, for another worker of this number. */
  private final long refusedBefore;

  /** Packets that the queue had made before, as for {@link #refusedBefore}. */
  private final long madeBefore;

  /** Finishes what the queue does not; null where nothing is unfinished. */
  private @Nullable Finisher finisher;

  /** Holds back what the port does not transmit; null where everything comes that it does. */
  private @Nullable LinkGate gate;

  private long taken;
  private boolean stuck;
  private boolean dead;
  private boolean keepsRefused;
  private boolean closed;

  /**
   * Whether what is stored may be the queue's already. Still so when the next transmission begins:
   * the stack has ended in the last one.
   */
  private boolean isUnsure;

  Output(
      DriverPort port,
      TxQueue queue,
      PacketPools pools,
      OwnedBurst stored,
      DropCounts drops,
      int txBurst,
      boolean isFurther,
      long retryNs,
      Consumer<PortException> onFailure) {
    this.port = port;
    this.queue = queue;
    this.pools = pools;
    this.stored = stored;
    owner = stored.owner();
    this.txBurst = txBurst;
    array = stored.array();
    this.drops = drops;
    this.retryNs = retryNs;
    this.onFailure = onFailure;
    this.isFurther = isFurther;
    refusedBefore = refusedEver();
    madeBefore = madeEver();
    DropCounts refused = queue.refused();
    if (refused != null && !isFurther) {
      refused.whole(drops);
    }
  }

  /**
   * Sends a packet: takes it out of its burst; it cannot be read afterwards.
   *
   * @throws IllegalStateException if the packet is gone, or the worker has ended
   * @throws WrongThreadException on another thread than the worker's
   */
  public void send(Packet packet) {
    requireOpen();
    stored.add(packet);
  }

  /** Sends every packet that is left in the burst. Throws as {@link #send}. */
  public void sendAll(Burst burst) {
    requireOpen();
    if (!stored.addAll(burst)) {
      sendLeft(burst);
    }
  }

  private void sendLeft(Burst burst) {
    requireStack(STACK_FRAMES);
    if (!stored.addLeft(burst)) {
      for (Packet packet : burst) {
        send(packet);
      }
    }
  }

  private void requireOpen() {
    owner.require();
    if (closed) {
      throw new IllegalStateException(
          "output is closed, its worker has ended: port=%s; send while the engine runs"
              .formatted(port.name()));
    }
    if (array.room() == 0) {
      flush();
    }
  }

  /**
   * Lets packets that the queue refuses wait here instead of being dropped: for a sender that looks
   * at {@link #pending} and holds back. When {@code txBurst} are stored, and when the worker ends,
   * they are dropped all the same.
   */
  public Output keepRefused() {
    keepsRefused = true;
    return this;
  }

  /** Whether there are as many as are transmitted together. */
  boolean isDue() {
    return array.size() >= txBurst;
  }

  /** Packets that wait to be transmitted. */
  public int pending() {
    return array.size();
  }

  /** Packets that the queue has sent. */
  long sent() {
    int undecided = undecided(); // First: asked, the queue may count what it has refused.
    return taken + made() - (refusedEver() - refusedBefore) - undecided;
  }

  /** Packets that the queue has made itself. */
  long made() {
    return madeEver() - madeBefore;
  }

  private long madeEver() {
    return isFurther ? 0 : queue.made();
  }

  /** Packets that the queue has taken, sent or not. */
  long taken() {
    return taken;
  }

  /** Packets that the queue has taken and may still refuse. */
  int undecided() {
    return isFurther ? 0 : queue.undecided();
  }

  private long refusedEver() {
    DropCounts refused = queue.refused();
    return refused == null || isFurther ? 0 : refused.total();
  }

  /** Whether the first {@code packets} that the queue has taken are gone, as far as it knows. */
  boolean hasLeft(long packets) {
    return dead || taken - queue.waiting() >= packets;
  }

  /**
   * Transmits what is stored. Nothing is stored afterwards, unless it is to {@link #keepRefused}.
   */
  public void flush() {
    owner.require();
    requireStack(STACK_FRAMES);
    flush(retryNs);
  }

  /**
   * Ends the stack here, where nothing has changed yet, if it would end in the driver, after which
   * nobody knew what the driver has taken.
   */
  private static int requireStack(int frames) {
    return frames == 0 ? 0 : 1 + requireStack(frames - 1);
  }

  /** Transmits or drops what is stored, for good. */
  void end(long boundNs) {
    keepsRefused = false;
    flush(boundNs);
    flushPort();
    long start = System.nanoTime();
    while (!dead && queue.undecided() > 0 && System.nanoTime() - start < boundNs) {
      Thread.onSpinWait();
      flushPort();
    }
    closed = true;
  }

  /** Has the port decide what it has not: after the {@link #end} of all outputs to it. */
  void decide() {
    try {
      queue.decide();
    } catch (Throwable e) {
      die(e);
    }
  }

  /** Whether a receive queue transmits what is stored by the call that receives. */
  boolean canExchange(RxQueue from) {
    return !isUnsure && !dead && finisher == null && gate == null && from.canExchange(queue, array);
  }

  /**
   * Receives, and offers what is stored to the queue. Only if it {@link #canExchange}; {@link
   * #exchanged} has to be called next.
   *
   * @return see {@link RxQueue#exchange}
   */
  long exchange(RxQueue from, MbufArray into, FreeBuffer spent) {
    isUnsure = true;
    return from.exchange(into, spent, queue, array);
  }

  /** The queue has taken so many by an {@link #exchange}: the rest is offered again, as else. */
  void exchanged(int first) {
    transmitted(first, retryNs);
  }

  /**
   * What is not taken leaves the array before it is counted and freed: were it the other way round,
   * something thrown between could free it twice.
   */
  void flush(long boundNs) {
    int size = array.size();
    if (size == 0) {
      return;
    }
    if (isUnsure) {
      forget(size);
      return;
    }
    if (gate != null) {
      gate.apply(array);
    }
    if (finisher != null && finisher.finds(array)) {
      finisher.flush(boundNs);
      return;
    }
    transmit(boundNs);
  }

  private void transmit(long boundNs) {
    if (array.isEmpty()) {
      return;
    }
    isUnsure = true;
    transmitted(dead ? 0 : send(0), boundNs);
  }

  /** The queue has taken so many at its first try. */
  private void transmitted(int first, long boundNs) {
    int size = array.size();
    boolean mayWait = keepsRefused && size < txBurst;
    int count = dead ? first : sendAgain(first, mayWait ? 0 : boundNs);
    taken += count;
    if (mayWait && !dead) {
      array.removeFirst(count);
      isUnsure = false;
      return;
    }
    array.clear();
    isUnsure = false;
    if (count < size) {
      long rest = Handles.address(array.address(), count);
      drops.addPackets(dead ? DropReason.TX_ERROR : DropReason.TX_FULL, rest, size - count);
      pools.free(rest, size - count);
    }
  }

  /** What may be the port's already is not freed, and shows as missing from its pool. */
  private void forget(int size) {
    drops.add(DropReason.TX_ERROR, size);
    stored.clear();
    isUnsure = false;
  }

  /** Offers what the queue has not taken until now, {@code boundNs} long. */
  private int sendAgain(int first, long boundNs) {
    int count = first;
    int size = array.size();
    if (count < size && boundNs > 0 && !(stuck && count == 0)) {
      long start = System.nanoTime();
      while (count < size && !dead && System.nanoTime() - start < boundNs) {
        Thread.onSpinWait();
        count += send(count);
      }
    }
    stuck = count < size;
    return count;
  }

  private int send(int from) {
    try {
      return queue.send(array, from);
    } catch (StackOverflowError e) {
      throw e; // Of the handler that flushes; the queue is not to blame.
    } catch (Throwable e) { // Whatever a driver does, what is stored ends, and the worker goes on.
      die(e);
      return 0;
    }
  }

  private void die(Throwable e) {
    dead = true;
    onFailure.accept(PortException.of(e, "transmit queue failed: port=" + port.name() + ","));
  }

  /** Lets the port pass on what it has buffered. */
  void flushPort() {
    if (!dead) {
      try {
        queue.flush();
      } catch (Throwable e) {
        die(e);
      }
    }
  }

  /**
   * Packets that are unfinished are left to the queue if it finishes them, and finished before
   * else.
   *
   * @param mayLackMore whether more may be missing than the cutting of long packets, which some
   *     queues never ask for
   */
  void finishPackets(PacketLedger ledger, boolean mayLackMore) {
    if (finisher == null && (mayLackMore || queue.mtuBytes() < Integer.MAX_VALUE)) {
      finisher = new Finisher(ledger);
    }
  }

  /** Of these types packets may come: where the port does not transmit all, each is looked at. */
  void checkLinkTypes(Set<LinkType> types) {
    if (!types.stream().allMatch(port::transmits)) {
      gate = new LinkGate(port, pools, drops, array.capacity());
    }
  }

  /** Whether the queue finishes checksums that are left to it. */
  boolean finishesChecksums() {
    return queue.finishesChecksums();
  }

  /** Whether the queue cuts datagrams that are in one packet. */
  boolean cutsDatagrams() {
    return queue.cutsDatagrams();
  }

  /** Finishes what the queue does not: cuts, sums, puts VLAN tags back; in the order of all. */
  private final class Finisher {
    private final PacketLedger ledger;
    private final int mtuBytes = queue.mtuBytes();
    private final Segmenter segmenter = new Segmenter(new PacketChains(this::partPool));
    private final PartialChecksum checksum = new PartialChecksum();
    private final MbufArray whole = new MbufArray(array.capacity());
    private final MbufArray done = new MbufArray(1);

    Finisher(PacketLedger ledger) {
      this.ledger = ledger;
    }

    private PacketPool partPool() {
      PacketPool own = port.pool();
      return own != null ? own : PacketChains.newPool(pools, port.name() + "-parts", PART_BUFFERS);
    }

    boolean finds(MbufArray packets) {
      return Segmenter.anyIsUnfinished(packets, mtuBytes);
    }

    /** As that of the output. */
    void flush(long boundNs) {
      Handles.copy(array.address(), whole.reserve(array.size()), array.size());
      whole.extend(array.size(), null);
      array.clear();
      for (int i = 0; i < whole.size(); i++) {
        long mbuf = whole.handle(i);
        if (!Segmenter.isUnfinished(mbuf, mtuBytes) || isQueues(mbuf)) {
          store(mbuf, boundNs);
        } else if (!VlanTag.restore(mbuf)) {
          drops.addPacket(DropReason.TX_ERROR, mbuf);
          free(mbuf);
        } else if (isQueues(mbuf)) {
          store(mbuf, boundNs);
        } else if (!cut(mbuf, boundNs)) {
          finish(mbuf);
          store(mbuf, boundNs);
        }
      }
      whole.clear();
      transmit(boundNs);
    }

    /** Whether the queue finishes a packet itself. */
    private boolean isQueues(long mbuf) {
      try {
        boolean isIts = queue.finishes(mbuf);
        MappedFileFault.settle(mbuf);
        return isIts;
      } catch (Throwable e) { // It cannot be read: the file that it is in became shorter.
        die(e);
        return false;
      }
    }

    private void free(long mbuf) {
      Handles.set(done.reserve(1), 0, mbuf);
      pools.free(done.address(), 1);
    }

    /** Stores the parts of a packet and ends it; false if it is not to be cut. */
    private boolean cut(long mbuf, long boundNs) {
      int parts = begin(mbuf);
      if (parts == 0) {
        return false;
      }
      int made = 0;
      for (long part = next(); part != 0; part = made < parts ? next() : 0) {
        made++;
        store(part, boundNs);
      }
      if (made < parts) {
        drops.addPacket(dead ? DropReason.TX_ERROR : DropReason.NO_BUFFER, mbuf);
      }
      ledger.addMade(made < parts ? made : made - 1);
      free(mbuf);
      return true;
    }

    /** What is not cut, since it is short, is sent as others are. */
    private void finish(long mbuf) {
      if (!dead && (Mbuf.isSuperPacket(mbuf) || Mbuf.needsChecksum(mbuf))) {
        try {
          checksum.finishUnfinished(mbuf);
          MappedFileFault.settle(mbuf);
          Mbuf.finished(mbuf);
        } catch (Throwable e) { // As for the queue: what is stored is dropped.
          die(e);
        }
      }
    }

    private int begin(long mbuf) {
      try {
        int parts = segmenter.begin(mbuf, mtuBytes);
        MappedFileFault.settle(mbuf);
        return parts;
      } catch (Throwable e) { // It cannot be read: the file that it is in became shorter.
        die(e);
        return 0;
      }
    }

    private long next() {
      try {
        return segmenter.next();
      } catch (Throwable e) {
        die(e);
        return 0;
      }
    }

    private void store(long mbuf, long boundNs) {
      if (array.room() == 0) {
        transmit(boundNs);
      }
      array.append(mbuf);
    }
  }
}
