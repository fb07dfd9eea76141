package io.linerate.decode;

import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;

/** What is known of a packet beside its bytes: its number, times and lengths. */
public final class Frame {
  private long number;
  private long timestampNs;
  private long previousNs;
  private long firstNs;
  private int capturedBytes;
  private long lengthBytes;
  private LinkType linkType = LinkType.ETHERNET;

  void next(Packet packet, int length, int cutBytes) {
    next(packet.timestampNs(), length, cutBytes, packet.linkType());
  }

  void next(long newTimestampNs, int length, int cutBytes, LinkType newLinkType) {
    number++;
    firstNs = number == 1 ? newTimestampNs : firstNs;
    previousNs = number == 1 ? newTimestampNs : timestampNs;
    timestampNs = newTimestampNs;
    capturedBytes = length;
    lengthBytes = (long) length + cutBytes;
    linkType = newLinkType;
  }

  /** Which of the decoder's packets it is, from 1 on. */
  public long number() {
    return number;
  }

  /** Begins to count: the next packet has a number one higher. */
  public void number(long before) {
    number = before;
  }

  /** When it was received, in ns since the epoch. */
  public long timestampNs() {
    return timestampNs;
  }

  /** Since the packet before it was received, in ns. */
  public long deltaNs() {
    return timestampNs - previousNs;
  }

  /** Since the first packet was received, in ns. */
  public long relativeNs() {
    return timestampNs - firstNs;
  }

  /** Bytes that are there. */
  public int capturedBytes() {
    return capturedBytes;
  }

  /** Bytes that it had on the wire. */
  public long lengthBytes() {
    return lengthBytes;
  }

  /** What it begins with. */
  public LinkType linkType() {
    return linkType;
  }
}
