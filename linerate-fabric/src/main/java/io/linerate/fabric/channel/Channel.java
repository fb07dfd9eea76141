package io.linerate.fabric.channel;

import io.linerate.fabric.Connection;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.RemoteRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Messages to and from one peer, reliable and in order, with flow control: {@link #claim} gives
 * memory for a message only while the peer has memory for it. {@link ChannelHost#connect} and
 * {@link ChannelHost#accept} make one. Its host's thread uses it; it goes on when the host is
 * polled.
 */
public final class Channel implements AutoCloseable {
  /** How far a channel is. */
  public enum State {
    /** The peer has not answered yet. */
    OPENING,
    OPEN,
    /** The peer has ended it: what it had sent before can be received. */
    ENDED,
    /** The peer is lost, or has refused it: {@link #error} tells. */
    FAILED
  }

  /** Messages without data that may be under way beside the window: see {@link ChannelHost}. */
  static final int RESERVE = 8;

  private static final byte[] NOTHING = {};

  private final ChannelHost host;
  private final int id;
  private final String peerName;
  private final ReceiveOrder order;
  private final Credits credits;
  private final PeerLiveness liveness;
  private State state = State.OPENING;
  private @Nullable FabricError error;
  private @Nullable SendSlots slots;
  private @Nullable ReceiveMemory ownMemory;
  private @Nullable Hello requested;
  private int peerId;
  private int messageBytes;
  private boolean isEnding;
  private boolean isClosed;

  Channel(ChannelHost host, int id, String peerName) {
    this.host = host;
    this.id = id;
    this.peerName = peerName;
    order = new ReceiveOrder(host.settings().window());
    credits = new Credits(host.settings().window());
    liveness = new PeerLiveness(peerName, host.settings().lostAfter());
  }

  // ---- for programs ----

  /** How far it is. */
  public State state() {
    host.check();
    return state;
  }

  /** Why it has failed; null if it has not. */
  public @Nullable FabricError error() {
    host.check();
    return error;
  }

  /** Who is at the other end. */
  public String peer() {
    host.check();
    return peerName;
  }

  /** The longest message: the smaller one of both sides' settings; 0 before it is open. */
  public int messageBytes() {
    host.check();
    return messageBytes;
  }

  /** Messages that may be under way to the peer: the smaller one of both sides' settings. */
  public int window() {
    host.check();
    return credits.window();
  }

  /**
   * Memory for a message; null for now where the peer has none for it, or what was sent before has
   * not left: poll the host, then try again.
   *
   * @throws FabricException if the channel has ended or failed
   */
  public @Nullable Outgoing claim() {
    requireUsable();
    if (state != State.OPEN || !credits.isLeft(slots().claimed())) {
      return null;
    }
    Outgoing slot = slots().claim();
    if (slot != null) {
      slot.claim();
    }
    return slot;
  }

  /**
   * Writes the peer's memory: the descriptor's memory, of the host's {@link ChannelHost#domain},
   * goes to {@code offset} of a region that the peer has told of, by a message. No message tells
   * the peer; writes and messages may pass each other.
   *
   * @return false while there is no room for it: poll the host, then try again
   * @throws FabricException if the channel has ended or failed, or the access is not allowed
   */
  public boolean write(Descriptor descriptor, RemoteRegion region, long offset) {
    requireUsable();
    Destination by = wire();
    try {
      return state == State.OPEN && by != null && by.write(descriptor, region, offset);
    } catch (FabricException e) {
      if (e.error() == 0 && isConnected(by)) {
        throw e; // The program's mistake.
      }
      fail(FabricError.of(FabricError.Kind.DISCONNECTED, String.valueOf(e.getMessage())));
      return false;
    }
  }

  private static boolean isConnected(@Nullable Destination by) {
    return !(by instanceof Destination.ByConnection(Connection connection))
        || connection.state() == Connection.State.CONNECTED;
  }

  /** The next message that has come; null if there is none now. It is to be released. */
  public @Nullable Incoming receive() {
    host.check();
    return order.receive();
  }

  /** Messages that were sent until now; wraps at 2^32. */
  public int sentMessages() {
    host.check();
    return credits.sent();
  }

  /** Messages whose memory the peer has released until now; wraps at 2^32. */
  public int takenMessages() {
    host.check();
    return credits.taken();
  }

  /** Messages that were sent, and whose memory the peer has not released, as far as it has told. */
  public int untakenMessages() {
    host.check();
    return credits.sent() - credits.taken();
  }

  /** Whether there is one to be received. */
  public boolean hasMessages() {
    host.check();
    return order.hasMessages();
  }

  /** Tells the peer that nothing more is sent: it receives what is under way, then the end. */
  public void end() {
    host.check();
    if (state == State.OPEN && !isEnding) {
      control(MessageHeader.END, NOTHING);
      isEnding = true;
    }
  }

  private void requireUsable() {
    host.check();
    FabricError why = error;
    if (why != null) {
      throw new FabricException(
          "a channel has failed: peer=%s, %s; open another".formatted(peerName, why));
    }
    if (isEnding || isClosed || state == State.ENDED) {
      throw new FabricException(
          "a channel has ended: peer=%s, by=%s; open another"
              .formatted(peerName, state == State.ENDED ? "peer" : "this side"));
    }
  }

  // ---- sending ----

  void send(Outgoing slot, int length) {
    slot.prepare(length); // What throws has used no number.
    credits.write(slot.whole(), MessageHeader.DATA, peerId);
    slots().postClaimed(slot);
  }

  void giveBack(Outgoing slot) {
    slots().giveBack(slot);
  }

  private void control(int kind, byte[] data) {
    Outgoing slot = slots().claimControl();
    if (slot == null) {
      return; // More under way than there can be: the peer takes none, and is lost by its time.
    }
    MemorySegment.copy(
        data, 0, slot.whole(), ValueLayout.JAVA_BYTE, MessageHeader.BYTES, data.length);
    slot.prepare(data.length);
    credits.write(slot.whole(), kind, peerId);
    slots().post(slot);
  }

  // ---- what the host tells ----

  void check() {
    host.check();
  }

  int id() {
    return id;
  }

  private SendSlots slots() {
    return Objects.requireNonNull(slots); // There is nothing to be sent before.
  }

  @Nullable Destination wire() {
    SendSlots there = slots;
    return there == null ? null : there.wire();
  }

  @Nullable ReceiveMemory ownMemory() {
    return ownMemory;
  }

  /** Messages can leave: to say hello, or after the peer's. */
  void wire(Destination by, @Nullable ReceiveMemory memory) {
    ownMemory = memory;
    slots = new SendSlots(this, host.domain(), by);
  }

  void greet(int kind, Hello hello) {
    control(kind, hello.encode());
  }

  /** The peer has asked for the connection, which is not there yet. */
  void requested(Hello peer) {
    requested = peer;
  }

  /** The connection is there: the peer has said who it is with its request, or its answer. */
  void connected(byte[] answer) {
    Hello peer = requested;
    opened(peer != null ? peer : Hello.decode(answer));
  }

  /** The peer has told who it is: messages may be sent. */
  void opened(Hello peer) {
    if (state != State.OPENING) {
      return;
    }
    peerId = peer.channel();
    credits.window(peer.window());
    messageBytes = Math.min(peer.messageBytes(), host.settings().messageBytes());
    liveness.opened(peer.process());
    slots().add(credits.window(), messageBytes);
    state = State.OPEN;
  }

  /** A message has come; whether its memory stays with a program. */
  boolean arrived(Incoming slot, int kind) {
    if (state == State.FAILED) {
      return false;
    }
    MemorySegment message = slot.whole();
    liveness.heard();
    credits.read(message, kind);
    switch (kind) {
      case MessageHeader.DATA -> {
        return deliver(slot, MessageHeader.number(message));
      }
      case MessageHeader.PING -> control(MessageHeader.PONG, NOTHING);
      case MessageHeader.END -> {
        order.end(MessageHeader.number(message));
        endIfComplete();
      }
      default -> {
        // CREDIT, PONG: its header is all.
      }
    }
    return false;
  }

  private boolean deliver(Incoming slot, int number) {
    int length = (int) slot.descriptor().length() - MessageHeader.BYTES;
    if (!order.isExpected(number) || length > messageBytes) {
      fail(
          FabricError.of(
              FabricError.Kind.FAILED,
              "the peer has sent what it may not: peer=%s, number=%d, expected=%d, length=%d, limit=%d"
                  .formatted(peerName, number, order.received() + 1, length, messageBytes)));
      return false;
    }
    slot.arrived(this, length);
    order.put(slot, number);
    endIfComplete();
    return true;
  }

  private void endIfComplete() {
    if (order.isAtEnd() && state == State.OPEN) {
      state = State.ENDED;
    }
  }

  void freed() {
    credits.free();
    if (state == State.OPEN && credits.isToBeTold()) {
      control(MessageHeader.CREDIT, NOTHING);
    }
  }

  /**
   * Sends what had no room, tells of credits where nothing else is to be done, and asks a silent
   * peer whether it is there.
   */
  void work(long nowNs, boolean isIdle, boolean isCheckDue) {
    SendSlots there = slots;
    if (there == null) {
      return;
    }
    there.retry();
    if (isIdle && state == State.OPEN && credits.mayBeTold()) {
      control(MessageHeader.CREDIT, NOTHING);
    }
    if (isCheckDue && error == null && state != State.ENDED) {
      checkPeer(nowNs);
    }
  }

  private void checkPeer(long nowNs) {
    FabricError why = liveness.failure(nowNs, state == State.OPENING);
    if (why != null) {
      fail(why);
    } else if (state == State.OPEN && liveness.takePingDue(nowNs)) {
      control(MessageHeader.PING, host.ownName(id));
    }
  }

  void fail(FabricError why) {
    if (error == null && state != State.ENDED) {
      error = why;
      state = State.FAILED;
      host.happened();
    }
  }

  boolean hasFailed() {
    return error != null;
  }

  /** Whether all that was sent has left this side. */
  boolean hasLeft() {
    SendSlots there = slots;
    return there == null || there.hasLeft();
  }

  /** Whether it goes on only when the peer is heard from. */
  boolean waitsForPeer() {
    return state == State.OPEN && slots().isPosted();
  }

  /**
   * Ends it at once, or, where all was sent, in an orderly way: see {@link #end}. What was received
   * and not released is given back.
   */
  @Override
  public void close() {
    host.check();
    if (isClosed) {
      return;
    }
    end();
    host.drain(this);
    isClosed = true;
    order.clear();
    if (slots != null) {
      slots.end();
    }
    host.closed(this);
  }

  /** After the endpoint was closed, or where nothing of it is posted. */
  void free() {
    if (slots != null) {
      slots.free();
    }
  }
}
