package io.linerate.decode;

import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import org.jspecify.annotations.Nullable;

/** What is known of a packet beside its bytes: its number, times and lengths. */
public final class Frame {
  private final LayerTable table;

  private long number;
  private long timestampNs;
  private long previousNs;
  private long firstNs;
  private int capturedBytes;
  private int cutBytes;
  private LinkType linkType = LinkType.ETHERNET;

  /** The cursor at the packet; null: it is bytes that are no packet. */
  private @Nullable Packet timed;

  /** Number of the packet whose time was read last. */
  private long timedNumber;

  private boolean hasFirst;

  /** Whether times are read as packets come: before, only that of the first is. */
  private boolean isAsked;

  Frame(LayerTable table) {
    this.table = table;
  }

  /** As the packet before, but for its length, and shown by the same cursor. */
  void next(int length) {
    number++;
    capturedBytes = length;
  }

  /** Whether times are read as packets come: no packet is as the one before it then. */
  boolean readsTimes() {
    return isAsked;
  }

  void next(Packet next, int length, int newCutBytes) {
    number++;
    capturedBytes = length;
    cutBytes = newCutBytes;
    linkType = next.linkType();
    time(next);
  }

  void next(long newTimestampNs, int length, LinkType newLinkType) {
    number++;
    capturedBytes = length;
    cutBytes = 0;
    linkType = newLinkType;
    timed = null;
    timestamp(newTimestampNs);
  }

  private void time(Packet next) {
    timed = next;
    if (isAsked || !hasFirst) {
      timestamp(next.timestampNs());
    }
  }

  private void timestamp(long ns) {
    previousNs = hasFirst ? timestampNs : ns;
    firstNs = hasFirst ? firstNs : ns;
    timestampNs = ns;
    hasFirst = true;
    timedNumber = number;
  }

  /** From now on times are read as packets come. */
  private void ask() {
    isAsked = true;
    table.expectNothing();
    if (timed != null && timedNumber != number) {
      timestampNs = timed.timestampNs();
      previousNs = timestampNs;
      timedNumber = number;
    }
  }

  /** Which of the decoder's packets it is, from 1 on. */
  public long number() {
    return number;
  }

  /** Begins to count: the next packet has a number one higher. */
  public void number(long before) {
    timedNumber = timedNumber == number ? before : -1;
    number = before;
  }

  /** When it was received, in ns since the epoch. */
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
