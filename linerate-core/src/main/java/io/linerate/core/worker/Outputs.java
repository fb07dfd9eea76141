package io.linerate.core.worker;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.PacketLedger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The outputs of a worker, and the packets that it frees. For its thread, and before it runs. */
final class Outputs {
  /** Received bursts that an output has room for beyond what it transmits together. */
  private static final int ROOM_BURSTS = 4;

  /** How long a full queue is tried again when the worker ends. */
  private static final long LAST_FLUSH_NS = 200_000_000;

  private final WorkerContext context;
  private final BurstOwner owner;
  private final FreeBuffer freeBuffer;
  private final PacketLedger ledger;
  private final long retryNs;
  private final long drainNs;

  /** The ports that it has outputs to: several outputs to one share its transmit queue. */
  private final Set<DriverPort> ports = new HashSet<>();

  // An array: the iterator of a list is an object for each burst until the code is compiled.
  private Output[] outputs = new Output[0];
  private long lastDrainNs = System.nanoTime();
  private long madeCounted;
  private boolean finishesPackets;
  private boolean mayLackMore;
  private Set<LinkType> linkTypes = LinkType.ETHERNET_ONLY;

  Outputs(WorkerContext context, BurstOwner owner, FreeBuffer freeBuffer, PacketLedger ledger) {
    this.context = context;
    this.owner = owner;
    this.freeBuffer = freeBuffer;
    this.ledger = ledger;
    retryNs = context.config().txRetryUs() * 1_000L;
    drainNs = context.config().drainUs() * 1_000L;
  }

  /** Packets that an output has room for. */
  static int capacity(EngineConfig config) {
    return Math.min(0xFFFF, config.txBurst() + ROOM_BURSTS * config.rxBurst());
  }

  Output open(DriverPort port, TxQueue queue, DropCounts drops) {
    Output output =
        new Output(
            port,
            queue,
            context.pools(),
            new OwnedBurst(
                new MbufArray(capacity(context.config())), drops, context.clock(), owner),
            drops,
            context.config().txBurst(),
            !ports.add(port),
            retryNs,
            context.onOutputFailure());
    outputs = Arrays.copyOf(outputs, outputs.length + 1);
    outputs[outputs.length - 1] = output;
    if (finishesPackets) {
      output.finishPackets(ledger, mayLackMore);
    }
    output.checkLinkTypes(linkTypes);
    return output;
  }

  /**
   * All outputs finish what their queues do not: what is received may be too long, or more may be
   * missing.
   */
  void finishPackets(boolean orMore) {
    finishesPackets = true;
    mayLackMore |= orMore;
    for (Output output : outputs) {
      output.finishPackets(ledger, mayLackMore);
    }
  }

  /** See {@link Output#checkLinkTypes}: of all outputs. */
  void checkLinkTypes(Set<LinkType> types) {
    linkTypes = types;
    for (Output output : outputs) {
      output.checkLinkTypes(types);
    }
  }

  /** Whether all queues finish checksums. */
  boolean finishChecksums() {
    return Arrays.stream(outputs).allMatch(Output::finishesChecksums);
  }

  /** Whether all queues cut datagrams that are in one packet. */
  boolean cutDatagrams() {
    return Arrays.stream(outputs).allMatch(Output::cutsDatagrams);
  }

  /**
   * Transmits where a burst is complete, but for one output whose driver can do that with the call
   * that receives: the caller has to {@link Output#exchange}. Null if there is none.
   */
  @Nullable Output transmitDue(RxQueue next) {
    Output one = null;
    for (Output output : outputs) {
      if (output.isDue()) {
        if (one == null && output.canExchange(next)) {
          one = output;
        } else {
          output.flush(retryNs);
        }
      }
    }
    return one;
  }

  /**
   * Transmits where a burst is complete. Not while a handler is at work, whose stack may be nearly
   * used up.
   */
  void transmitDue() {
    for (Output output : outputs) {
      if (output.isDue()) {
        output.flush(retryNs);
      }
    }
  }

  /** Drains when the drain time has passed. */
  void drainIfDue(long nowNs) {
    if (nowNs - lastDrainNs >= drainNs) {
      lastDrainNs = nowNs;
      drain();
    }
  }

  /** Transmits what is stored, and frees what is to be freed. */
  void drain() {
    for (Output output : outputs) {
      output.flush(retryNs);
      output.flushPort();
    }
    freeBuffer.flush();
  }

  /** Packets that wait to be transmitted. */
  int pending() {
    int pending = 0;
    for (Output output : outputs) {
      pending += output.pending();
    }
    return pending;
  }

  /** Packets that were sent. */
  long sent() {
    long sent = 0;
    for (Output output : outputs) {
      sent += output.sent();
    }
    return sent;
  }

  /** Says in the ledger what the queues have made since the last call. */
  void countMade() {
    long made = 0;
    for (Output output : outputs) {
      made += output.made();
    }
    ledger.addMade(made - madeCounted);
    madeCounted = made;
  }

  /** Packets that wait, or were taken by a port that may still refuse them. */
  int inFlight() {
    int inFlight = 0;
    for (Output output : outputs) {
      inFlight += output.pending() + output.undecided();
    }
    return inFlight;
  }

  /** Whether the packets that ports have taken until now have left, as far as the ports know. */
  BooleanSupplier transmitted() {
    Output[] marked = outputs;
    long[] taken = Arrays.stream(marked).mapToLong(Output::taken).toArray();
    return () -> {
      for (int i = 0; i < taken.length; i++) {
        if (!marked[i].hasLeft(taken[i])) {
          return false;
        }
      }
      return true;
    };
  }

  /** Transmits or drops all that is stored. */
  void end() {
    for (Output output : outputs) {
      output.end(LAST_FLUSH_NS);
    }
    for (Output output : outputs) {
      output.decide();
    }
    freeBuffer.flush();
  }
}
