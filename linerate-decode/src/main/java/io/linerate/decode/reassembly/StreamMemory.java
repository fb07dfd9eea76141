package io.linerate.decode.reassembly;

import org.jspecify.annotations.Nullable;

/**
 * What all streams of a reassembler need for what waits. Segments and packets are made when none is
 * free, and never again as long as no more wait than ever did. It says when all of it together is
 * as much as may be: then a stream gives up what waits in it rather than let more wait, and lets go
 * of room that it does not use.
 */
final class StreamMemory {
  /** Ranges that wait for each packet that can be held: between two packets' there is one cut. */
  private static final int SEGMENTS_PER_PACKET = 2;

  /** Parts of windows that there may be room for, for each packet that can be held. */
  private static final int PARTS_PER_PACKET = 4;

  /** The same for each stream. */
  private static final int PARTS_PER_STREAM = 16;

  private final int mostSegments;
  private final long mostParts;
  private @Nullable Segment freeSegments;
  private @Nullable StreamPacket freePackets;
  private int segments;
  private int packets;
  private int made;
  private long parts;

  /** Steps that were done: segments that were looked at, and parts that were moved. */
  long steps;

  /**
   * @param heldPackets at most
   */
  StreamMemory(int heldPackets, int streams) {
    mostSegments = SEGMENTS_PER_PACKET * heldPackets;
    mostParts = (long) PARTS_PER_PACKET * heldPackets + (long) PARTS_PER_STREAM * streams;
  }

  /** One that is not used, with whatever was in it. */
  Segment segment() {
    segments++;
    Segment free = freeSegments;
    if (free == null) {
      made++;
      return new Segment();
    }
    freeSegments = free.next;
    return free;
  }

  void free(Segment segment) {
    segments--;
    segment.previous = null;
    segment.next = freeSegments;
    freeSegments = segment;
  }

  /** One that is not used, without ranges. */
  StreamPacket packet() {
    packets++;
    StreamPacket free = freePackets;
    if (free == null) {
      made++;
      return new StreamPacket();
    }
    freePackets = free.nextFree;
    free.nextFree = null;
    return free;
  }

  void free(StreamPacket packet) {
    packets--;
    packet.nextFree = freePackets;
    freePackets = packet;
  }

  /** Whether as many segments wait as may. */
  boolean isFull() {
    return segments > mostSegments;
  }

  /** There is room for so many more parts of windows, or fewer. */
  void addParts(int count) {
    parts += count;
  }

  /** Whether there is room for more parts than may be. */
  boolean isShort() {
    return parts > mostParts;
  }

  /** Segments that wait. */
  int segments() {
    return segments;
  }

  /** Packets that are looked at, or that ranges are in that wait or are unread. */
  int packets() {
    return packets;
  }

  /** Segments and packets that were ever made: as many as were in use at the same time. */
  int made() {
    return made;
  }

  /** Parts of windows that there is room for. */
  long parts() {
    return parts;
  }

  /** So many may there be before those are cut that have too many. */
  long mostParts() {
    return mostParts;
  }
}
