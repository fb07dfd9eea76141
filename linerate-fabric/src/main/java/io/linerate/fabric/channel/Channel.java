package io.linerate.fabric.channel;

import io.linerate.fabric.Connection;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.Destination;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.RegionArena;
import io.linerate.fabric.RemoteRegion;
import io.linerate.fabric.host.PeerProcess;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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

  /** CREDIT messages that were not asked for by half a window, and not confirmed, at most. */
  private static final int CREDITS_AHEAD = 2;

  private static final byte[] NOTHING = {};

  private final ChannelHost host;
  private final int id;
  private final String peerName;
  private final Deque<Incoming> inbox = new ArrayDeque<>();
  private final Deque<Outgoing> unsent = new ArrayDeque<>();
  private final Deque<Outgoing> free = new ArrayDeque<>();
  private final Deque<Outgoing> freeControl = new ArrayDeque<>();
  private final List<Outgoing> slots = new ArrayList<>();
  private State state = State.OPENING;
  private @Nullable FabricError error;
  private @Nullable Destination wire;
  private @Nullable ReceiveMemory ownMemory;
  private @Nullable RegionArena arena;
  private @Nullable PeerProcess process;
  private @Nullable Hello requested;
  private int peerId;
  private int peerWindow;
  private int messageBytes;
  private int sent;
  private int credited;
  private int received;

  /** Messages that came before others that were sent earlier, by their numbers. */
  private final @Nullable Incoming[] early;

  private boolean hasEnd;
  private int endNumber;
  private int freedCount;
  private int freedTold;

  /** CREDIT messages: sent, as many of them as the peer has told to have got, and got. */
  private int creditsSent;

  private int creditsConfirmed;
  private int creditsTaken;
  private int creditsTakenTold;
  private long lastHeardNs = System.nanoTime();
  private boolean isHeard;
  private boolean isPinged;
  private boolean isEnding;
  private boolean isClosed;

  Channel(ChannelHost host, int id, String peerName) {
    this.host = host;
    this.id = id;
    this.peerName = peerName;
    early = new Incoming[Integer.highestOneBit(2 * host.settings().window() - 1)];
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

  /** Messages that may be under way to the peer, at most. */
  public int window() {
    host.check();
    return peerWindow;
  }

  /**
   * Memory for a message; null for now where the peer has none for it, or what was sent before has
   * not left: poll the host, then try again.
   *
   * @throws FabricException if the channel has ended or failed
   */
  public @Nullable Outgoing claim() {
    requireUsable();
    if (state != State.OPEN || sent - credited >= peerWindow) {
      return null;
    }
    Outgoing slot = free.poll();
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
    Destination by = wire;
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
    return inbox.poll();
  }

  /** Whether all that was sent has left, and the peer has taken it out of its memory. */
  public boolean isDrained() {
    host.check();
    return sent == credited && unsent.isEmpty();
  }

  /** Whether all that was sent has left this side. */
  boolean hasLeft() {
    return unsent.isEmpty() && slots.stream().noneMatch(slot -> slot.descriptor().isPosted());
  }

  /** Messages that were sent until now; wraps at 2^32. */
  public int sentMessages() {
    host.check();
    return sent;
  }

  /** Messages whose memory the peer has released until now; wraps at 2^32. */
  public int takenMessages() {
    host.check();
    return credited;
  }

  /** Messages that were sent, and whose memory the peer has not released, as far as it has told. */
  public int untakenMessages() {
    host.check();
    return sent - credited;
  }

  /** Whether there is one to be received. */
  public boolean hasMessages() {
    host.check();
    return !inbox.isEmpty();
  }

  /** Messages that came until now; wraps at 2^32. */
  public int receivedMessages() {
    host.check();
    return received;
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
    ++sent;
    writeHeader(slot, MessageHeader.DATA);
    post(slot);
  }

  private void writeHeader(Outgoing slot, int kind) {
    MessageHeader.write(slot.whole(), kind, creditsTaken, peerId, freedCount, sent);
    freedTold = freedCount;
    creditsTakenTold = creditsTaken;
  }

  void giveBack(Outgoing slot) {
    free.push(slot);
  }

  private void post(Outgoing slot) {
    if (!unsent.isEmpty() || !trySend(slot)) {
      unsent.add(slot);
    }
  }

  private boolean trySend(Outgoing slot) {
    Destination by = wire;
    try {
      return by != null && by.send(slot.descriptor());
    } catch (FabricException e) { // Not the program's mistake: thread and memory were checked.
      fail(FabricError.of(FabricError.Kind.DISCONNECTED, String.valueOf(e.getMessage())));
      return false;
    }
  }

  private void control(int kind, byte[] data) {
    Outgoing slot = freeControl.poll();
    if (slot == null) {
      return; // More under way than there can be: the peer takes none, and is told lost by its
      // time.
    }
    writeHeader(slot, kind);
    MemorySegment.copy(
        data, 0, slot.whole(), ValueLayout.JAVA_BYTE, MessageHeader.BYTES, data.length);
    if (kind == MessageHeader.CREDIT) {
      creditsSent++;
    }
    slot.prepare(data.length);
    post(slot);
  }

  private void left(Outgoing slot, Deque<Outgoing> home) {
    FabricError why = slot.descriptor().error();
    if (why != null && why.kind() != FabricError.Kind.CANCELED) {
      fail(why);
    }
    if (!isClosed) {
      home.push(slot);
    }
  }

  // ---- what the host tells ----

  void check() {
    host.check();
  }

  int id() {
    return id;
  }

  @Nullable Destination wire() {
    return wire;
  }

  @Nullable ReceiveMemory ownMemory() {
    return ownMemory;
  }

  /** Messages can leave: to say hello, or after the peer's. */
  void wire(Destination by, @Nullable ReceiveMemory memory) {
    wire = by;
    ownMemory = memory;
    RegionArena made = host.domain().arena();
    arena = made;
    addSlots(made, RESERVE, Hello.BYTES + 256, freeControl);
  }

  private void addSlots(RegionArena in, int count, int payloadBytes, Deque<Outgoing> home) {
    int slotBytes = (payloadBytes + MessageHeader.BYTES + 63) & -64;
    MemoryRegion region = host.domain().register(in.allocate((long) slotBytes * count, 64));
    for (int i = 0; i < count; i++) {
      Outgoing slot =
          new Outgoing(this, host.domain().descriptor(), region, (long) i * slotBytes, slotBytes);
      slot.descriptor().whenComplete(_ -> left(slot, home));
      slots.add(slot);
      home.push(slot);
    }
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
    peerWindow = peer.window();
    messageBytes = Math.min(peer.messageBytes(), host.settings().messageBytes());
    process = peer.process();
    lastHeardNs = System.nanoTime();
    RegionArena there = arena;
    if (there != null) {
      addSlots(there, Math.min(peerWindow, 1024), messageBytes, free);
    }
    state = State.OPEN;
  }

  /** A message has come; whether its memory stays with a program. */
  boolean arrived(Incoming slot, int kind) {
    isHeard = true;
    isPinged = false;
    MemorySegment message = slot.whole();
    int freed = MessageHeader.freed(message);
    if (freed - credited > 0 && freed - sent <= 0) {
      credited = freed;
    }
    int confirmed = (MessageHeader.creditsTaken(message) - creditsConfirmed) & 0xFF;
    if (confirmed <= creditsSent - creditsConfirmed) { // An earlier message may come later.
      creditsConfirmed += confirmed;
    }
    switch (kind) {
      case MessageHeader.DATA -> {
        return isDelivered(slot, MessageHeader.number(message));
      }
      case MessageHeader.CREDIT -> creditsTaken++;
      case MessageHeader.PING -> control(MessageHeader.PONG, NOTHING);
      case MessageHeader.END -> {
        hasEnd = true;
        endNumber = MessageHeader.number(message);
        endIfComplete();
      }
      default -> {
        // PONG: its header is all.
      }
    }
    return false;
  }

  /**
   * Puts a message in its place: tcp+rxm completes those that the peer's memory is read for after
   * later ones.
   */
  private boolean isDelivered(Incoming slot, int number) {
    int ahead = number - received;
    if (ahead <= 0 || ahead > early.length || early[number & (early.length - 1)] != null) {
      fail(
          FabricError.of(
              FabricError.Kind.FAILED,
              "the peer has sent a message of a wrong number: peer=%s, number=%d, expected=%d"
                  .formatted(peerName, number, received + 1)));
      return false;
    }
    slot.arrived(this, (int) slot.descriptor().length() - MessageHeader.BYTES);
    early[number & (early.length - 1)] = slot;
    int place = (received + 1) & (early.length - 1);
    while (early[place] != null) {
      inbox.add(early[place]);
      early[place] = null;
      received++;
      place = (received + 1) & (early.length - 1);
    }
    endIfComplete();
    return true;
  }

  private void endIfComplete() {
    if (hasEnd && received == endNumber && state == State.OPEN) {
      state = State.ENDED;
    }
  }

  void freed() {
    freedCount++;
    if (state == State.OPEN && freedCount - freedTold >= host.settings().window() / 2) {
      control(MessageHeader.CREDIT, NOTHING);
    }
  }

  /**
   * Sends what had no room, tells of credits where nothing else is to be done, and asks a silent
   * peer whether it is there.
   */
  void work(long nowNs, boolean isIdle, boolean isLooking) {
    while (!unsent.isEmpty() && error == null && trySend(unsent.element())) {
      unsent.remove();
    }
    if (isIdle && hasNews() && creditsSent - creditsConfirmed < CREDITS_AHEAD) {
      control(MessageHeader.CREDIT, NOTHING);
    }
    if (!isLooking || error != null || state == State.ENDED) {
      return;
    }
    if (isHeard) { // Since it was looked at the last time.
      isHeard = false;
      lastHeardNs = nowNs;
    }
    long silentNs = nowNs - lastHeardNs;
    long lostNs = host.settings().lostAfter().toNanos();
    PeerProcess known = process;
    if (known != null) {
      if (silentNs > 0 && !known.isAlive()) {
        fail(
            FabricError.of(
                FabricError.Kind.PEER_LOST,
                "the peer's process has ended: peer=%s, pid=%d".formatted(peerName, known.pid())));
      }
    } else if (silentNs > lostNs && (isPinged || state == State.OPENING)) {
      fail(
          FabricError.of(
              FabricError.Kind.PEER_LOST,
              "the peer has not answered: peer=%s, silent=%d ms"
                  .formatted(peerName, silentNs / 1_000_000)));
    }
    if (state == State.OPEN && !isPinged && silentNs > lostNs / 4) {
      isPinged = true;
      control(MessageHeader.PING, NOTHING);
    }
  }

  /** Whether the peer waits for what a header tells: memory freed, or that its credits came. */
  private boolean hasNews() {
    return state == State.OPEN
        && (freedCount != freedTold || creditsTaken - creditsTakenTold >= CREDITS_AHEAD);
  }

  void fail(FabricError why) {
    if (error == null && state != State.ENDED) {
      error = why;
      state = State.FAILED;
    }
  }

  boolean isClosed() {
    return isClosed;
  }

  /** Whether it goes on only when the peer is heard from. */
  boolean waitsForPeer() {
    return state == State.OPEN && unsent.isEmpty();
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
    inbox.clear();
    unsent.clear();
    host.closed(this);
  }

  /** After the endpoint was closed, or where nothing of it is posted. */
  void free() {
    if (slots.stream().anyMatch(slot -> slot.descriptor().isPosted())) {
      return; // Until the host's endpoint is closed: the provider still has it.
    }
    slots.forEach(slot -> slot.descriptor().close());
    slots.clear();
    RegionArena there = arena;
    if (there != null) {
      there.close();
      arena = null;
    }
  }
}
