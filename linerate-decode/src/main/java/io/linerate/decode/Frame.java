package io.linerate.decode;

import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import org.jspecify.annotations.Nullable;

/** What is known of a packet beside its bytes: its number, times and lengths. */
public final class Frame {
  private final LayerTable table;

  /** Packets so far, whoever counts from where. */
  private long count;

  /** Packets that {@link #number} does not count. */
  private long uncounted;

  private long timestampNs;
  private long previousNs;
  private long firstNs;
  private int capturedBytes;
  private int cutBytes;
  private LinkType linkType = LinkType.ETHERNET;

  /** The cursor at the packet; null: it is bytes that are no packet. */
  private @Nullable Packet timed;

  /** Where that stood. */
  private int index;

  /** Of the packet whose time was read last. */
  private long timedCount;

  private boolean hasFirst;

  /** Whether times are read as packets come: before, only that of the first is. */
  private boolean isAsked;

  Frame(LayerTable table) {
    this.table = table;
  }

  /** As the packet before, but for its length, and shown by the same cursor. */
  void next(int length, int newIndex) {
    count++;
    capturedBytes = length;
    index = newIndex;
  }

  /** A packet as {@link Packet#plainLength} says. */
  void nextPlain(Packet next, int length) {
    count++;
    capturedBytes = length;
    cutBytes = 0;
    linkType = LinkType.ETHERNET;
    time(next);
  }

  /** Whether times are read as packets come: no packet is as the one before it then. */
  boolean readsTimes() {
    return isAsked;
  }

  void next(Packet next, int length, int newCutBytes) {
    count++;
    capturedBytes = length;
    cutBytes = newCutBytes;
    linkType = next.linkType();
    time(next);
  }

  void next(long newTimestampNs, int length, LinkType newLinkType) {
    count++;
    capturedBytes = length;
    cutBytes = 0;
    linkType = newLinkType;
    timed = null;
    timestamp(newTimestampNs);
  }

  private void time(Packet next) {
    timed = next;
    index = next.index();
    if (isAsked || !hasFirst) {
      timestamp(next.timestampNs());
    }
  }

  private void timestamp(long ns) {
    previousNs = hasFirst ? timestampNs : ns;
    firstNs = hasFirst ? firstNs : ns;
    timestampNs = ns;
    hasFirst = true;
    timedCount = count;
  }

  /** From now on times are read as packets come. */
  private void ask() {
    isAsked = true;
    table.expectNothing();
    if (timed == null || timedCount == count) {
      return;
    }
    if (!timed.isLive() || timed.index() != index) {
      throw new IllegalStateException(
          "time of a packet that is gone was not read: frame=%d; ask for times from the first packet on"
              .formatted(number()));
    }
    timestampNs = timed.timestampNs();
    previousNs = timestampNs;
    timedCount = count;
  }

  /** Which of the decoder's packets it is, from 1 on. */
  public long number() {
    return count - uncounted;
  }

  /** Begins to count: the next packet has a number one higher. */
  public void number(long before) {
    uncounted = count - before;
  }

  /** Which it is, whatever {@link #number(long)} was told. */
  long count() {
    return count;
  }

  /**
   * When it was received, in ns since the epoch.
   *
   * @throws IllegalStateException if it has left its burst, and no time was asked for before: from
   *     the first question on times are read as packets come
   */
  public long timestampNs() {
    ask();
    return timestampNs;
  }

  /**
   * Since the packet before it was received, in ns; 0 for the first of all, and for the first whose
   * times are asked for: those of the packets before that were not read.
   */
  public long deltaNs() {
    ask();
    return timestampNs - previousNs;
  }

  /** Since the first packet was received, in ns. */
  public long relativeNs() {
    ask();
    return timestampNs - firstNs;
  }

  /** Bytes that are there. */
  public int capturedBytes() {
    return capturedBytes;
  }

  /** Bytes that it had on the wire. */
  public long lengthBytes() {
    return (long) capturedBytes + cutBytes;
  }

  /** What it begins with. */
  public LinkType linkType() {
    return linkType;
  }
}
