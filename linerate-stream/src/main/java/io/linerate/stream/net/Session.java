package io.linerate.stream.net;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What two ends do that know each other: numbers, what has come, how fast to send. Of one thread at
 * a time. What is sent and received is in the buffers of its flow, which may outlive it.
 */
final class Session {
  /**
   * Bytes that packets on their way have at least, on average, where they are as many as can be.
   */
  private static final int LEAST_PACKET_BYTES = 1 << 9;

  private static final int LEAST_SENT = 1 << 10;

  /** Long datagrams that were lost, and none later came, after which the path may have changed. */
  private static final int BLACK_HOLE_LOSSES = 16;

  /** Time-outs without an answer, after which the path may have changed. */
  private static final int BLACK_HOLE_TIMEOUTS = 3;

  private static final int MAX_BACKOFF = 6;

  /** Acknowledgments are not held back for longer. */
  private static final long ACK_DELAY_NS = 1_000_000;

  private static final double PACING = 1.25;
  private static final double PACING_IN_SLOW_START = 2;
  private static final int CLOSE_TEXT_BYTES = 200;

  /** Nobody says that it has come. */
  private static final int CLOSES = 3;

  private final LinkSettings settings;
  private final long remoteId;
  private final DatagramSeal out;
  private final DatagramSeal in;
  private final SendBuffer send;
  private final ReceiveBuffer receive;
  private final Parts parts;
  private final boolean isReliable;
  private FlowCounts counts;

  private final SentPackets sent;
  private final RoundTrips roundTrips = new RoundTrips();
  private final Cubic cubic;
  private final Pacer pacer = new Pacer();
  private final MtuSearch mtu;
  private final Arrivals arrivals = new Arrivals();
  private final Outcome outcome = new Outcome();
  private final Batching batching = new Batching();

  private long nowNs;
  private UdpPath path = UdpPath.NONE;

  // What is to be said.
  private long toldCredit;
  private boolean isPingDue;
  private boolean isFinished;
  private boolean isEndOnItsWay;

  /** The other side knows the end of what is sent, and so has all of it. */
  private boolean isEndAcked;

  private @Nullable CloseReason closing;
  private int closes;
  private String closingText = "";

  // What has become of it.
  private @Nullable CloseReason reason;
  private String reasonText = "";

  // Time-outs.
  private long heardNs;
  private long spokenNs;
  private long newsNs;
  private long lossNs = Long.MAX_VALUE;
  private int timeouts;
  private int probes;
  private boolean isLimited = true;
  private long doneNs = -1;

  /** Whether the datagram that is read is to be acknowledged. */
  private boolean isAnswered;

  /** A piece found no room: the datagram counts as lost. */
  private boolean isRefused;

  /** Something is sent again because nothing has come, which need not mean that it is lost. */
  private boolean isProbing;

  /**
   * @param remoteId that the other side knows the session by
   * @param longest payload of UDP that the port takes
   */
  Session(
      LinkSettings settings,
      boolean isReliable,
      long remoteId,
      DatagramSeal out,
      DatagramSeal in,
      SendBuffer send,
      ReceiveBuffer receive,
      Parts parts,
      FlowCounts counts,
      int longest,
      long nowNs) {
    this.settings = settings;
    this.isReliable = isReliable;
    this.remoteId = remoteId;
    this.out = out;
    this.in = in;
    this.send = send;
    this.receive = receive;
    this.parts = parts;
    this.counts = counts;
    this.nowNs = nowNs;
    heardNs = nowNs;
    spokenNs = nowNs;
    newsNs = nowNs;
    sent = new SentPackets(Math.max(LEAST_SENT, settings.bufferBytes() / LEAST_PACKET_BYTES));
    mtu = new MtuSearch(longest);
    cubic = new Cubic(mtu.bytes(), settings.bufferBytes());
    toldCredit = receive.credit();
    pace();
  }

  /** One of a flow, on its path, by what both sides have said. */
  static Session of(
      LinkSettings settings,
      Flow flow,
      SendBuffer send,
      long remoteId,
      Handshake.Init init,
      Bits256 serverSalt,
      FlowCounts counts,
      long nowNs) {
    return new Session(
        settings,
        flow.isReliable,
        remoteId,
        Handshake.seal(settings.key(), init, serverSalt, flow.isClient),
        Handshake.seal(settings.key(), init, serverSalt, !flow.isClient),
        send,
        flow.receive,
        flow.parts,
        counts,
        Math.min(settings.mtuBytes(), UdpDatagrams.MOST_IP_BYTES) - flow.path.headerBytes(),
        nowNs);
  }

  /** From now on it counts there. */
  void counts(FlowCounts others) {
    counts = others;
  }

  long remoteId() {
    return remoteId;
  }

  /** When the other side was heard last. */
  long heardNs() {
    return heardNs;
  }

  /** Whether the other side has ended it, or done what it must not. */
  boolean isClosed() {
    return reason != null;
  }

  /** Why it is closed. */
  @Nullable CloseReason reason() {
    return reason;
  }

  String reasonText() {
    return reasonText;
  }

  long roundTripNs() {
    return roundTrips.smoothedNs();
  }

  long windowBytes() {
    return cubic.windowBytes();
  }

  int datagramBytes() {
    return mtu.bytes();
  }

  /** Asks the other side to answer. */
  void ping() {
    isPingDue = true;
  }

  /** Nothing more is added to what is sent. */
  void finish() {
    isFinished = true;
  }

  /** Whether both sides have all, and had time to learn that. */
  boolean isDone(long now) {
    if (!isEndAcked || !receive.hasEnded()) {
      return false;
    }
    if (doneNs < 0) {
      doneNs = now;
    }
    return now - doneNs >= 3 * roundTrips.probeTimeoutNs(ACK_DELAY_NS);
  }

  /** Whether the other side should have answered for so long. */
  boolean isSilent(long now, long forNs) {
    return now - heardNs >= forNs && (!sent.isEmpty() || probes > 0);
  }

  // --- what comes ---

  /**
   * Takes a datagram that is for this session.
   *
   * @return whether it is what the other side has sent, and new
   */
  boolean receive(Datagram datagram, long now) {
    nowNs = now;
    long number = datagram.u64(Wire.NUMBER_AT);
    if (number < 0 || !arrivals.isNew(number)) {
      counts.repeated++;
      return false;
    }
    if (!in.open(number, datagram)) {
      counts.notAuthentic++;
      return false;
    }
    if (!frames(datagram)) {
      if (!isRefused) {
        close(CloseReason.PROTOCOL, "");
      }
      isRefused = false;
      return false;
    }
    arrivals.add(number, isAnswered, now);
    heardNs = now;
    counts.received++;
    return true;
  }

  /** Whether the datagram that was taken last was sent after all others that were taken. */
  boolean isNewest() {
    return arrivals.isNewest();
  }

  private boolean frames(Datagram datagram) {
    int at = Wire.HEADER_BYTES;
    int end = datagram.length();
    isAnswered = false;
    while (at < end) {
      int kind = datagram.u8(at);
      int next =
          switch (kind) {
            case Wire.PADDING -> end;
            case Wire.PING -> at + 1;
            case Wire.ACK -> ack(datagram, at, end);
            case Wire.CREDIT -> credit(datagram, at, end);
            case Wire.PIECE -> piece(datagram, at, end);
            case Wire.PART -> part(datagram, at, end);
            case Wire.END -> end(datagram, at, end);
            case Wire.CLOSE -> close(datagram, at, end);
            default -> -1;
          };
      if (next < 0) {
        return false;
      }
      isAnswered |=
          kind == Wire.PING || kind == Wire.PIECE || kind == Wire.PART || kind == Wire.END;
      at = next;
    }
    return true;
  }

  private int ack(Datagram datagram, int at, int end) {
    if (end - at < Wire.ACK_BYTES) {
      return -1;
    }
    long last = datagram.u64(at + 1);
    long delayNs = Math.min(datagram.u32(at + 9), Arrivals.MAX_DELAY_US) * Arrivals.NS_PER_US;
    int more = datagram.u8(at + 13);
    long first = last - datagram.u32(at + 14);
    int next = at + Wire.ACK_BYTES + more * Wire.RANGE_BYTES;
    if (next > end || first < 0 || last >= sent.next()) {
      return -1;
    }
    outcome.begin();
    batching.acked(first, last);
    long newestNs = sent.acked(first, last, outcome);
    for (int range = at + Wire.ACK_BYTES; range < next; range += Wire.RANGE_BYTES) {
      last = first - 2 - datagram.u32(range);
      first = last - datagram.u32(range + Integer.BYTES);
      if (first < 0) {
        return -1;
      }
      long _ = sent.acked(first, last, outcome);
    }
    if (newestNs >= 0) {
      roundTrips.add(nowNs - newestNs, delayNs);
    }
    if (outcome.hasNews) {
      timeouts = 0;
      probes = 0;
      newsNs = nowNs;
      if (outcome.ackedBytes > 0) {
        cubic.acked(
            outcome.ackedBytes, outcome.newestNs, nowNs, roundTrips.smoothedNs(), isLimited);
      }
    }
    findLost();
    return next;
  }

  private void findLost() {
    lossNs = sent.findLost(nowNs, roundTrips.lossDelayNs(), outcome);
    if (outcome.longLosses >= BLACK_HOLE_LOSSES) {
      outcome.longLosses = 0;
      shorten();
    }
    pace();
  }

  /** The path may take shorter datagrams only. */
  private void shorten() {
    mtu.blackHole(nowNs);
    cubic.segmentBytes(mtu.bytes());
  }

  /** What has become of packets. */
  private final class Outcome implements SentPackets.Fates {
    private long ackedBytes;
    private long newestNs;
    private boolean hasNews;

    // Of datagrams that are longer than every path takes.
    private long longNs = Long.MIN_VALUE;
    private int longLosses;

    void begin() {
      ackedBytes = 0;
      newestNs = Long.MIN_VALUE;
      hasNews = false;
    }

    @Override
    public void acked(int kind, long offset, int length, long sentAtNs) {
      hasNews = true;
      newestNs = Math.max(newestNs, sentAtNs);
      ackedBytes += length;
      if (length > Wire.LEAST_BYTES && sentAtNs >= longNs) {
        longNs = sentAtNs;
        longLosses = 0;
      }
      switch (kind) {
        case Wire.PIECE -> send.acked(offset, length);
        case Wire.END -> isEndAcked = true;
        case Wire.PADDING -> mtuAcked((int) offset);
        default -> {} // Nothing hangs on it.
      }
    }

    @Override
    public void lost(int kind, long offset, int length, long sentAtNs) {
      if (kind == Wire.PADDING) {
        mtu.lost((int) offset, nowNs);
        return;
      }
      counts.lost++;
      if (kind == Wire.PIECE) {
        send.lost(offset, length);
      } else if (kind == Wire.END) {
        isEndOnItsWay = false;
      }
      if (!isProbing) {
        boolean _ = cubic.lost(sentAtNs, nowNs);
        longLosses += length > Wire.LEAST_BYTES && sentAtNs > longNs ? 1 : 0;
      }
    }
  }

  private void mtuAcked(int bytes) {
    mtu.acked(bytes, nowNs);
    cubic.segmentBytes(mtu.bytes());
  }

  private void pace() {
    if (settings.bitsPerS() > 0) {
      pacer.rate(settings.bitsPerS() / (double) Byte.SIZE, mtu.bytes(), nowNs);
      return;
    }
    double gain = cubic.isSlowStart() ? PACING_IN_SLOW_START : PACING;
    double seconds = roundTrips.smoothedNs() / 1e9;
    pacer.rate(gain * cubic.windowBytes() / seconds, mtu.bytes(), nowNs);
  }

  private int credit(Datagram datagram, int at, int end) {
    if (end - at < Wire.CREDIT_BYTES) {
      return -1;
    }
    send.credit(datagram.u64(at + 1));
    return at + Wire.CREDIT_BYTES;
  }

  private int piece(Datagram datagram, int at, int end) {
    if (end - at < Wire.PIECE_BYTES) {
      return -1;
    }
    int bytes = datagram.u16(at + 9);
    int from = at + Wire.PIECE_BYTES;
    if (bytes > end - from) {
      return -1;
    }
    ReceiveBuffer.Fit fit = receive.add(datagram.u64(at + 1), datagram.memory(), from, bytes);
    if (fit != ReceiveBuffer.Fit.TAKEN) {
      isRefused = fit == ReceiveBuffer.Fit.REFUSED;
      counts.refused += isRefused ? 1 : 0;
      return -1;
    }
    return from + bytes;
  }

  private int part(Datagram datagram, int at, int end) {
    if (end - at < Wire.PART_BYTES) {
      return -1;
    }
    int bytes = datagram.u16(at + 17);
    int from = at + Wire.PART_BYTES;
    boolean isSound =
        bytes <= end - from
            && parts.add(
                datagram.u64(at + 1),
                datagram.i32(at + 9),
                datagram.i32(at + 13),
                datagram.memory(),
                from,
                bytes);
    return isSound ? from + bytes : -1;
  }

  private int end(Datagram datagram, int at, int end) {
    if (end - at < Wire.END_BYTES) {
      return -1;
    }
    long offset = datagram.u64(at + 1);
    boolean isSound = isReliable ? receive.end(offset) : parts.end(offset);
    return isSound ? at + Wire.END_BYTES : -1;
  }

  private int close(Datagram datagram, int at, int end) {
    if (end - at < Wire.CLOSE_BYTES) {
      return -1;
    }
    int bytes = datagram.u16(at + 2);
    int from = at + Wire.CLOSE_BYTES;
    if (bytes > end - from || bytes > CLOSE_TEXT_BYTES) {
      return -1;
    }
    reason = CloseReason.of(datagram.u8(at + 1));
    reasonText = new String(datagram.get(from, bytes), StandardCharsets.UTF_8);
    return from + bytes;
  }

  // --- what goes ---

  /** Ends the session, and says why. */
  void close(CloseReason why, String text) {
    if (closing == null) {
      closing = why;
      closingText = text;
    }
  }

  /**
   * Sends what may be sent.
   *
   * @param most datagrams
   * @return how many it has sent
   */
  int send(Datagram datagram, UdpPath to, DatagramOutput output, int most, long now) {
    nowNs = now;
    path = to;
    timeOut();
    batching.begin();
    int count = 0;
    while (count < most && reason == null && next(datagram, output)) {
      count++;
    }
    output.flush();
    return count;
  }

  private void timeOut() {
    if (reason != null) {
      return;
    }
    if (lossNs != Long.MAX_VALUE && nowNs - lossNs >= 0) {
      findLost();
    }
    if (isWaiting() && nowNs - timeoutNs() >= 0) {
      timeouts++;
      probes = 2;
      spokenNs = nowNs;
      isEndOnItsWay = false;
      batching.timedOut(timeouts == BLACK_HOLE_TIMEOUTS);
      if (timeouts == BLACK_HOLE_TIMEOUTS) {
        cubic.startAgain();
        shorten();
        pace();
      }
    }
    long quietNs = settings.silence().toNanos() / 3;
    if (!isDoneHere() && nowNs - Math.max(spokenNs, heardNs) >= quietNs) {
      isPingDue = true;
    }
    if (hasCreditToTell() && toldCredit - receive.whole() < receive.capacity() / 4) {
      isPingDue = true; // The other side waits for it: if it is lost, it is said again.
    }
  }

  private boolean hasCreditToTell() {
    return receive.credit() - toldCredit >= receive.capacity() / 4;
  }

  private boolean isDoneHere() {
    return isEndAcked && receive.hasEnded();
  }

  /** Whether an answer is waited for, or room at the other side. */
  private boolean isWaiting() {
    return !sent.isEmpty() || (isReliable && send.isOutOfCredit());
  }

  private long timeoutNs() {
    long ns = roundTrips.probeTimeoutNs(ACK_DELAY_NS) << Math.min(timeouts, MAX_BACKOFF);
    return Math.max(spokenNs, newsNs) + ns;
  }

  /** When it wants to send something, if nothing comes before. */
  long nextNs() {
    if (reason != null) {
      return Long.MAX_VALUE;
    }
    if (arrivals.areAwaited() || closing != null || probes > 0 || isPingDue || isEndDue()) {
      return nowNs;
    }
    long next = lossNs;
    if (isWaiting()) {
      next = Math.min(next, timeoutNs());
    }
    if (hasData() && mayBeOnItsWay()) {
      next = Math.min(next, pacer.nextNs());
    }
    long quietNs = settings.silence().toNanos() / 3;
    return Math.min(next, Math.max(spokenNs, heardNs) + quietNs);
  }

  private boolean hasData() {
    return isReliable ? send.hasPiece() : send.hasPart();
  }

  private boolean mayBeOnItsWay() {
    return sent.hasRoom()
        && (settings.bitsPerS() > 0 || sent.bytes() + mtu.bytes() <= cubic.windowBytes());
  }

  private boolean next(Datagram datagram, DatagramOutput output) {
    CloseReason why = closing;
    if (why != null) {
      return sendClose(datagram, output, why);
    }
    isLimited = hasData();
    if (probes > 0 && !isLimited) {
      loseOldest();
    }
    if (hasData() && (probes > 0 ? sent.hasRoom() : mayBeOnItsWay() && pacer.isDue(nowNs))) {
      return sendData(datagram, output);
    }
    if (isEndDue()) {
      begin(datagram);
      int at = datagram.length();
      datagram.u8(at, Wire.END);
      datagram.u64(at + 1, endOffset());
      datagram.length(at + Wire.END_BYTES);
      isEndOnItsWay = true;
      return finish(datagram, output, Wire.END, 0, 0);
    }
    if (probes > 0 || isPingDue) {
      begin(datagram);
      ping(datagram);
      return finish(datagram, output, Wire.PING, 0, 0);
    }
    int probe = sent.hasRoom() && !arrivals.isEmpty() ? mtu.due(nowNs) : 0;
    if (probe > 0) {
      return sendMtuProbe(datagram, output, probe);
    }
    if (isAckWanted()) {
      begin(datagram);
      return finish(datagram, output, -1, 0, 0);
    }
    return false;
  }

  private void loseOldest() {
    isProbing = true;
    sent.loseOldest(outcome);
    isProbing = false;
  }

  private boolean isEndDue() {
    boolean isAllSent = isReliable ? send.unsent() == 0 : !send.hasPart();
    return isFinished && isAllSent && !isEndOnItsWay && !isEndAcked && sent.hasRoom();
  }

  private long endOffset() {
    return isReliable ? send.written() : send.message();
  }

  private boolean isAckWanted() {
    return arrivals.areAwaited() || hasCreditToTell();
  }

  private void ping(Datagram datagram) {
    datagram.u8(datagram.length(), Wire.PING);
    datagram.length(datagram.length() + 1);
  }

  /** Writes the header, and what is to be told in any case. */
  private void begin(Datagram datagram) {
    if (!sent.hasRoom()) {
      loseOldest();
    }
    datagram.i32(0, Wire.first(Wire.DATA) << 24);
    datagram.u64(Wire.ID_AT, remoteId);
    datagram.u64(Wire.NUMBER_AT, sent.next());
    datagram.length(Wire.HEADER_BYTES);
    if (isAckWanted()) {
      writeAck(datagram);
    }
  }

  private int room(Datagram datagram) {
    return mtu.bytes() - out.bytes() - datagram.length();
  }

  private void writeAck(Datagram datagram) {
    int at = arrivals.write(datagram, datagram.length(), nowNs);
    toldCredit = receive.credit();
    datagram.u8(at, Wire.CREDIT);
    datagram.u64(at + 1, toldCredit);
    datagram.length(at + Wire.CREDIT_BYTES);
  }

  private boolean sendData(Datagram datagram, DatagramOutput output) {
    begin(datagram);
    return isReliable ? sendPiece(datagram, output) : sendParts(datagram, output);
  }

  private boolean sendPiece(Datagram datagram, DatagramOutput output) {
    int at = datagram.length();
    int bytes = send.choose(room(datagram) - Wire.PIECE_BYTES);
    long offset = send.pieceAt();
    datagram.u8(at, Wire.PIECE);
    datagram.u64(at + 1, offset);
    datagram.u16(at + 9, bytes);
    send.take(datagram.memory(), at + Wire.PIECE_BYTES);
    datagram.length(at + Wire.PIECE_BYTES + bytes);
    return finish(datagram, output, Wire.PIECE, offset, bytes);
  }

  private boolean sendParts(Datagram datagram, DatagramOutput output) {
    int all = 0;
    while (send.hasPart()) {
      int room = room(datagram) - Wire.PART_BYTES;
      int left = send.messageBytes() - send.partAt();
      // What fits whole into the next one is not cut.
      if (room <= 0 || (all > 0 && left > room)) {
        break;
      }
      int at = datagram.length();
      int bytes = Math.min(room, left);
      datagram.u8(at, Wire.PART);
      datagram.u64(at + 1, send.message());
      datagram.i32(at + 9, send.messageBytes());
      datagram.i32(at + 13, send.partAt());
      datagram.u16(at + 17, bytes);
      send.takePart(datagram.memory(), at + Wire.PART_BYTES, bytes);
      datagram.length(at + Wire.PART_BYTES + bytes);
      all += Wire.PART_BYTES + bytes;
    }
    return finish(datagram, output, Wire.PART, 0, all);
  }

  private boolean sendMtuProbe(Datagram datagram, DatagramOutput output, int bytes) {
    begin(datagram);
    ping(datagram);
    int at = datagram.length();
    int end = bytes - out.bytes();
    datagram.memory().asSlice(at, end - at).fill((byte) Wire.PADDING);
    datagram.length(end);
    mtu.sent();
    return finish(datagram, output, Wire.PADDING, bytes, 0);
  }

  private boolean sendClose(Datagram datagram, DatagramOutput output, CloseReason why) {
    if (closes == CLOSES) {
      reason = why;
      reasonText = closingText;
      return false;
    }
    closes++;
    begin(datagram);
    int at = datagram.length();
    byte[] text = closingText.getBytes(StandardCharsets.UTF_8);
    int bytes = Math.min(text.length, CLOSE_TEXT_BYTES);
    datagram.u8(at, Wire.CLOSE);
    datagram.u8(at + 1, why.code());
    datagram.u16(at + 2, bytes);
    datagram.set(at + Wire.CLOSE_BYTES, Arrays.copyOf(text, bytes));
    datagram.length(at + Wire.CLOSE_BYTES + bytes);
    return finish(datagram, output, -1, 0, 0);
  }

  /**
   * Sends a datagram.
   *
   * @param kind what it carries that is answered; -1: nothing
   */
  private boolean finish(
      Datagram datagram, DatagramOutput output, int kind, long offset, int bytes) {
    out.seal(sent.next(), datagram);
    int length = datagram.length();
    if (!isSent(datagram, output, kind)) {
      sent.skip();
      arrivals.writeAgain();
      notSent(kind, offset, bytes);
      return false;
    }
    counts.sent++;
    if (kind < 0) {
      sent.skip();
      return true;
    }
    sent.add(kind, offset, bytes, nowNs);
    spokenNs = nowNs;
    isPingDue = false;
    probes = Math.max(0, probes - 1);
    if (bytes > 0) {
      pacer.sent(length);
    }
    return true;
  }

  /** There was no buffer: it is as if it was never sent, but for its number. */
  private void notSent(int kind, long offset, int bytes) {
    switch (kind) {
      case Wire.PIECE -> send.lost(offset, bytes);
      case Wire.END -> isEndOnItsWay = false;
      case Wire.PADDING -> mtu.notSent();
      default -> {} // It is said again with the next one.
    }
  }

  /** Probes and good-byes leave alone: they are lost alone. */
  private boolean isSent(Datagram datagram, DatagramOutput output, int kind) {
    if (kind == Wire.PADDING || closing != null || !batching.mayBe()) {
      return output.send(path, datagram);
    }
    batching.sent(sent.next(), datagram.length());
    return output.sendTogether(path, datagram);
  }

  void release() {
    out.release();
    in.release();
  }

  void dispose() {
    out.close();
    in.close();
  }
}
