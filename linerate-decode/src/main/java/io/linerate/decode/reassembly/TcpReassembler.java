package io.linerate.decode.reassembly;

import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.track.ConnectionTable;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Puts the streams of TCP together, both directions of each, from the segments that are seen: out
 * of order, again, or overlapping. A listener is given the bytes in order, as a window over the
 * packets; nothing is copied.
 *
 * <pre>{@code
 * var reassembler = new TcpReassembler(StreamSettings.DEFAULT, worker.hold(32_767, 0), listener, random);
 * ...
 * if (scanner.scanAny(packet) && scanner.ipProtocol() == IpProtocol.TCP) {
 *   reassembler.add(packet, scanner, now);
 * }
 * }</pre>
 *
 * <p>Bytes that their receiver has acknowledged and that were never seen are a gap: what follows is
 * given all the same. So it is where more bytes or segments wait than may. Packets whose bytes
 * wait, or were not read, are taken out of their burst, and dropped as consumed when they were. One
 * thread's own.
 *
 * <p>A segment takes steps in proportion to its bytes at most, whatever came before, and as many
 * again when it leaves: see {@link StreamSettings} for what may wait.
 */
public final class TcpReassembler {
  /** How long what still comes of a stream that has ended is known for that. */
  private static final long LINGER_NS = 10_000_000_000L;

  /** Streams whose time is over that are looked at for each packet. */
  private static final int EXPIRED_AT_ONCE = 4;

  private final StreamSettings settings;
  private final long idleNs;
  private final HeldPackets held;
  private final StreamListener listener;
  private final StreamMemory memory;
  private final ConnectionTable table;
  private final @Nullable TcpStream[] streams;
  private final FlowKey flow = new FlowKey();
  private final FlowKey reply = new FlowKey();
  private final Tcp tcp = new Tcp();
  private StreamEnd removal = StreamEnd.IDLE;

  /** Direction that the packet which is looked at has bytes of. */
  private @Nullable StreamHalf unsettled;

  private long opened;
  private long untracked;

  /** The first time that was told: the table counts from there. */
  private long firstNs;

  private boolean isTimed;

  /**
   * @param held where packets wait: its time-out has to be 0, and nothing else may drop them
   * @param random makes the secret of the table's hash
   */
  public TcpReassembler(
      StreamSettings settings, HeldPackets held, StreamListener listener, RandomGenerator random) {
    this.settings = settings;
    this.held = held;
    this.listener = listener;
    idleNs = settings.idle().toNanos();
    memory = new StreamMemory(held.capacity(), settings.streams());
    table = new ConnectionTable(settings.streams(), 0, random, this::removed);
    streams = new TcpStream[settings.streams()];
  }

  /** Streams that were ever opened. */
  public long opened() {
    return opened;
  }

  /** Streams that are followed now. */
  public int size() {
    return table.size();
  }

  /** How much it has, and has done. */
  StreamMemory memory() {
    return memory;
  }

  /** Segments whose stream there was no room for. */
  public long untracked() {
    return untracked;
  }

  /**
   * Takes a segment. The listener is called before this returns. Afterwards the packet is in its
   * burst, unless bytes of it are needed later.
   *
   * @param scanner has scanned the packet
   * @return the stream; null if it is no segment of TCP, or there was no room for its stream
   */
  public @Nullable TcpStream add(Packet packet, HeaderScanner scanner, long nowNs) {
    TcpStream stream = look(packet, scanner, nowNs);
    settle(packet);
    return stream;
  }

  /** As {@link #add}, but that the packet is in its burst until {@link #settle} in any case. */
  public @Nullable TcpStream look(Packet packet, HeaderScanner scanner, long nowNs) {
    forgetUnsettled();
    long tableNs = tableNs(nowNs);
    int _ = table.expire(tableNs, EXPIRED_AT_ONCE);
    if (scanner.ipProtocol() != IpProtocol.TCP
        || !scanner.l4Fits()
        || scanner.isFragment()
        || !flow.read(packet, scanner)) {
      return null;
    }
    tcp.wrap(packet, scanner.l4Offset());
    int flags = tcp.flags();
    int place = find(flags, nowNs, tableNs);
    if (place == ConnectionTable.NONE) {
      untracked++;
      return null;
    }
    int number = place >>> 1;
    TcpStream stream = stream(number);
    Direction direction = (place & 1) == 0 ? Direction.TO_SERVER : Direction.TO_CLIENT;
    if (!stream.isClosed) {
      table.records().expiresNs(number, tableNs + idleNs);
      int payload = tcp.payloadOffset();
      add(stream, direction, packet, payload, Math.max(scanner.ipEnd() - payload, 0));
      if (stream.halves[0].segments > 0 && stream.halves[1].segments > 0) {
        table.records().assure(number); // Those that nobody answers go before it.
      }
      closeIfEnded(stream, number, packet, tableNs);
    }
    return stream;
  }

  /** Who looked at the last packet has thrown, if it was not settled. */
  private void forgetUnsettled() {
    StreamHalf half = unsettled;
    if (half != null) {
      unsettled = null;
      half.forgetUnsettled();
    }
  }

  private long tableNs(long nowNs) {
    if (!isTimed) {
      isTimed = true;
      firstNs = nowNs;
    }
    return nowNs - firstNs;
  }

  private int find(int flags, long nowNs, long tableNs) {
    int place = table.find(flow, tableNs);
    boolean isSyn = (flags & (Tcp.SYN | Tcp.ACK)) == Tcp.SYN;
    if (place != ConnectionTable.NONE && isSyn && isNew(place)) {
      remove(place >>> 1, StreamEnd.REPLACED);
      place = ConnectionTable.NONE;
    }
    return place == ConnectionTable.NONE ? open(flags, nowNs, tableNs) : place;
  }

  /** Whether a SYN begins another stream than the one that is known. */
  private boolean isNew(int place) {
    TcpStream stream = stream(place >>> 1);
    StreamHalf half = stream.halves[place & 1];
    return stream.isClosed || (half.isBegun && sequence() != half.initial);
  }

  private int open(int flags, long nowNs, long tableNs) {
    // Who answers is the server, also if the question was not seen.
    boolean isAnswer = (flags & (Tcp.SYN | Tcp.ACK)) == (Tcp.SYN | Tcp.ACK);
    reply.reverseOf(flow);
    removal = StreamEnd.EVICTED;
    int number =
        isAnswer
            ? table.add(reply, flow, tableNs, tableNs + idleNs)
            : table.add(flow, reply, tableNs, tableNs + idleNs);
    removal = StreamEnd.IDLE;
    if (number == ConnectionTable.NONE) {
      return number;
    }
    TcpStream stream = streams[number];
    if (stream == null) {
      stream = new TcpStream(settings.policy(), held, memory);
      streams[number] = stream;
    }
    stream.open(opened++, nowNs, isAnswer ? reply : flow);
    listener.onOpen(stream);
    return 2 * number + (isAnswer ? 1 : 0);
  }

  private TcpStream stream(int number) {
    TcpStream stream = streams[number];
    if (stream == null) {
      throw new IllegalStateException("no stream of this number: number=" + number);
    }
    return stream;
  }

  private void add(TcpStream stream, Direction direction, Packet packet, int payload, int count) {
    StreamHalf half = stream.half(direction);
    StreamHalf other = stream.half(direction.other());
    int flags = tcp.flags();
    int first = sequence() + ((flags & Tcp.SYN) != 0 ? 1 : 0);
    if (!half.isBegun) {
      half.begin(first, sequence());
    }
    if ((flags & Tcp.ACK) != 0) {
      if (other.isBegun) {
        other.acknowledge(other.position((int) tcp.acknowledgmentNumber()));
      } else if ((flags & Tcp.RST) == 0) {
        int next = (int) tcp.acknowledgmentNumber();
        other.begin(next, next);
      }
    }
    long start = half.position(first);
    if ((flags & Tcp.FIN) != 0 && start + count >= half.window.end()) {
      half.finishAt(start + count);
    }
    if (count > 0 && (flags & Tcp.RST) == 0) {
      deliver(stream, direction, packet, payload, start, count);
    }
    if (half.isNewlyFinished()) {
      listener.onFinish(stream, direction);
    }
  }

  private int sequence() {
    return (int) tcp.sequenceNumber();
  }

  private void deliver(
      TcpStream stream, Direction direction, Packet packet, int offset, long start, int count) {
    StreamHalf half = stream.half(direction);
    long before = half.window.end();
    unsettled = half;
    half.add(packet, offset, start, count);
    while (half.isGapCertain() || half.isTooFar(settings)) {
      skipGap(stream, direction, packet, before);
      before = half.window.start();
    }
    if (half.window.end() > before) {
      listener.onBytes(stream, direction);
      if (half.isTooLong(settings)) {
        half.giveUp();
      }
    }
  }

  /** Ends the look at the packet that {@link #look} was given last. */
  public void settle(Packet packet) {
    StreamHalf half = unsettled;
    if (half != null) {
      half.settle(packet);
      unsettled = null;
    }
  }

  private void skipGap(
      TcpStream stream, Direction direction, @Nullable Packet packet, long before) {
    StreamHalf half = stream.half(direction);
    if (half.window.end() > before) {
      listener.onBytes(stream, direction);
    }
    half.giveUp();
    listener.onGap(stream, direction, half.skipGap());
    half.advance(packet);
  }

  private void closeIfEnded(TcpStream stream, int number, Packet packet, long tableNs) {
    boolean isReset = (tcp.flags() & Tcp.RST) != 0;
    if (isReset || (stream.halves[0].isFinished() && stream.halves[1].isFinished())) {
      close(stream, isReset ? StreamEnd.RESET : StreamEnd.CLOSED, packet);
      table.expireAt(number, tableNs + LINGER_NS);
    }
  }

  /**
   * Gives what waits, and ends the stream.
   *
   * @param packet that is looked at, which may have bytes of it; null: none is
   */
  private void close(TcpStream stream, StreamEnd end, @Nullable Packet packet) {
    if (stream.isClosed) {
      return;
    }
    for (Direction direction : Direction.values()) {
      StreamHalf half = stream.half(direction);
      long before = half.window.end();
      while (half.waiting.size() > 0) {
        skipGap(stream, direction, packet, before);
        before = half.window.start();
      }
      if (half.window.end() > before) {
        listener.onBytes(stream, direction);
      }
    }
    stream.isClosed = true;
    listener.onClose(stream, end);
    stream.halves[0].end();
    stream.halves[1].end();
  }

  private void remove(int number, StreamEnd why) {
    removal = why;
    table.remove(number);
    removal = StreamEnd.IDLE;
  }

  private void removed(int number) {
    TcpStream stream = stream(number);
    stream.isRemoved = true;
    close(stream, removal, null);
  }

  /** Ends streams that no segment came of for too long. */
  public void expire(long nowNs) {
    forgetUnsettled();
    int _ = table.expire(tableNs(nowNs), Integer.MAX_VALUE);
  }

  /** Ends all streams: nothing more is added. */
  public void close() {
    forgetUnsettled();
    for (int i = 0; i < streams.length; i++) {
      if (table.records().isLive(i)) {
        remove(i, StreamEnd.STOPPED);
      }
    }
  }
}
