package io.linerate.fabric.replication;

import io.linerate.fabric.Access;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import io.linerate.fabric.host.PeerProcess;
import io.linerate.fabric.host.SharedName;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The side that waits: memory into which the primary writes its tables. One thread uses it, and
 * polls it often: {@link #await}.
 */
public final class Standby implements AutoCloseable {
  /** How far it is. */
  public enum State {
    /** The primary has not answered yet. */
    ASKING,
    /** It is given all that there is. */
    COPYING,
    /** It has all, and is told what changes. */
    IN_STEP,
    /**
     * It had all, but the primary has not said for five seconds that it tells what changes: it is
     * stopped, or has let this one go.
     */
    OUT_OF_STEP,
    /** The primary has ended, or is lost: what it has told is here. */
    ALONE,
    /** The primary has another standby: it may have ended later. */
    BUSY,
    /** The primary does not want it: see {@link #reason}. */
    REFUSED;

    /** Whether nothing changes any more. */
    public boolean isOver() {
      return this == ALONE || this == BUSY || this == REFUSED;
    }
  }

  /** What a lost peer has sent before is taken until nothing has come for so long. */
  private static final Duration REST = Duration.ofMillis(20);

  /** Where something comes all the time, it is not the primary's. */
  private static final Duration REST_AT_MOST = Duration.ofMillis(500);

  /**
   * Several times as long as the primary takes to say it again, and as its loss takes to be seen.
   */
  private static final Duration CONFIRMED_FOR = Duration.ofSeconds(5);

  /**
   * By shm one that has not polled for long may only have been held up: what it has told is worth
   * more than a question that it does not hear.
   */
  private static final Duration HELD_UP_AT_MOST = Duration.ofSeconds(30);

  private final TableLayout layout;
  private final FabricAddress address;
  private final ChannelHost host;
  private final MemoryRegion region;
  private final Channel channel;
  private State state = State.ASKING;
  private String reason = "";
  private byte[] note = {};
  private boolean hasAsked;
  private boolean hasData;
  private boolean hasAnswered;

  /** The primary had told all until then, at least. */
  private long confirmedNs;

  private long lastLookNs = System.nanoTime();
  private long lostNs;
  private long heldUpNs;

  private Standby(TableLayout layout, FabricAddress address, ChannelHost host) {
    this.layout = layout;
    this.address = address;
    this.host = host;
    MemorySegment memory = layout.allocate(host.domain().arena());
    region = host.domain().register(memory, Access.REMOTE_WRITE);
    channel = host.connect(address);
  }

  /**
   * Asks the primary at an address for its tables.
   *
   * @throws FabricException if the provider is missing, or refuses
   */
  public static Standby open(FabricAddress address, TableLayout layout) {
    ChannelHost host = ChannelHost.openTo(address, Primary.SETTINGS);
    try {
      return new Standby(layout, address, host);
    } catch (RuntimeException e) {
      host.close();
      throw e;
    }
  }

  /** How far it is, after it has waited until that changes, or time is over. */
  public State await(Duration timeout) {
    long start = System.nanoTime();
    State before = state;
    while (state == before && !before.isOver()) {
      long left = timeout.toNanos() - (System.nanoTime() - start);
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        break;
      }
      host.await(Duration.ofNanos(Math.min(left, 10_000_000)));
      advance();
    }
    return state;
  }

  private void advance() {
    if (!hasAsked && channel.state() == Channel.State.OPEN) {
      hasAnswered = true;
      ask();
    }
    long now = System.nanoTime();
    for (Incoming message = channel.receive(); message != null; message = channel.receive()) {
      told(message.memory().asSlice(0, message.length()));
      message.release();
    }
    lastLookNs = now;
    if (state == State.IN_STEP && now - confirmedNs > CONFIRMED_FOR.toNanos()) {
      state = State.OUT_OF_STEP;
      heldUpNs = now;
    }
    if (state == State.OUT_OF_STEP && isPrimaryStopped(address)) {
      heldUpNs = now;
    }
    if (!state.isOver()
        && (channel.state() == Channel.State.FAILED || channel.state() == Channel.State.ENDED)) {
      FabricError error = channel.error();
      reason = error == null ? "it has ended" : error.toString();
      lostNs = now;
      takeRest(() -> host.await(REST), REST_AT_MOST);
      state = State.ALONE;
    }
  }

  private void ask() {
    if (channel.messageBytes() < ReplicationMessage.BYTES) {
      state = State.REFUSED;
      reason =
          "messages of the primary are too short: messageBytes=%d, expected=%d; use the same release on both sides"
              .formatted(channel.messageBytes(), ReplicationMessage.BYTES);
      return;
    }
    Outgoing message = channel.claim();
    if (message != null) {
      message.send(ReplicationMessage.writeAsk(message.memory(), layout, region.publish()));
      hasAsked = true;
      state = State.COPYING;
    }
  }

  /** Has what was sent before come, until nothing does, or it is enough. */
  static void takeRest(BooleanSupplier hasCome, Duration atMost) {
    long start = System.nanoTime();
    while (hasCome.getAsBoolean() && System.nanoTime() - start < atMost.toNanos()) {
      // The next.
    }
  }

  private void told(MemorySegment message) {
    int kind = ReplicationMessage.kind(message);
    if (kind == ReplicationMessage.IN_STEP) {
      state = State.IN_STEP;
      note = ReplicationMessage.rest(message);
      hasData = true;
      confirmedNs = lastLookNs; // It has come since: it may have waited here for as long.
    } else if (kind == ReplicationMessage.BUSY || kind == ReplicationMessage.REFUSED) {
      state = kind == ReplicationMessage.BUSY ? State.BUSY : State.REFUSED;
      reason = new String(ReplicationMessage.rest(message), StandardCharsets.UTF_8);
      lostNs = System.nanoTime();
    } else {
      state = State.REFUSED;
      reason =
          "not an answer to a standby: length=%d; use the same release on both sides"
              .formatted(message.byteSize());
    }
  }

  /** What the primary says to who takes over; empty before it has told all. */
  public byte[] note() {
    return note.clone();
  }

  /** Why the primary is gone, or has refused; "" before. */
  public String reason() {
    return reason;
  }

  /** Whether somebody has answered at the address. */
  public boolean hasAnswered() {
    return hasAnswered;
  }

  /** Whether it ever had all that the primary knew. */
  public boolean hasData() {
    return hasData;
  }

  /**
   * Whether it has all that the primary knew, or had when the primary was lost, but for what was on
   * its way: the primary had said so within five seconds before.
   */
  public boolean isUpToDate() {
    long until = state.isOver() ? lostNs : System.nanoTime();
    return hasData && until - confirmedNs <= CONFIRMED_FOR.toNanos();
  }

  /** Whether it is out of step, and had better be closed, and ask again. */
  public boolean isLetGo() {
    boolean isHeldUp =
        isShared(address) && System.nanoTime() - heldUpNs <= HELD_UP_AT_MOST.toNanos();
    return state == State.OUT_OF_STEP && !isHeldUp;
  }

  /**
   * Whether the process of the primary at an address of shm is stopped, so that nobody is to ask
   * it: see {@link #isLetGo}.
   */
  public static boolean isPrimaryStopped(FabricAddress address) {
    try {
      SharedName primary = isShared(address) ? SharedName.find(address.host()) : null;
      PeerProcess process = primary == null ? null : primary.process();
      return process != null && PeerProcess.isStopped(process.pid());
    } catch (IOException e) {
      return false; // Another user's: asking it says so.
    }
  }

  private static boolean isShared(FabricAddress address) {
    return address.port() < 0;
  }

  /** Who the primary is. */
  public String primary() {
    return channel.peer();
  }

  /**
   * Goes through the records of a table that were ever written; the newest of each that is whole.
   *
   * @param action is given the words, which change with the next one
   */
  public void forEach(int table, Consumer<long[]> action) {
    if (table < 0 || table >= layout.tables()) {
      throw new IndexOutOfBoundsException(
          "no such table: table=%d, tables=%d".formatted(table, layout.tables()));
    }
    long[] words = new long[layout.recordWords()];
    for (int i = 0; i < layout.records(); i++) {
      if (layout.read(region.segment(), table, i, words)) {
        action.accept(words);
      }
    }
  }

  @Override
  public void close() {
    host.close();
  }
}
