package io.linerate.decode.reassembly;

import org.jspecify.annotations.Nullable;

/** A range of a stream that waits in a packet. Used again and again: see {@link StreamMemory}. */
final class Segment {
  /** Position of the first byte in the stream, and of the byte behind the last. */
  long start;

  long end;

  /** Those of the whole segment that it came in. */
  long wholeStart;

  long wholeEnd;

  @SuppressWarnings("NullAway.Init")
  StreamPacket packet;

  /** Offset of the first byte in that. */
  int offset;

  // In its queue; of those that are not used, the one behind it.
  @Nullable Segment previous;
  @Nullable Segment next;

  // In its tree.
  @Nullable Segment left;
  @Nullable Segment right;
  int level;

  void copy(Segment other) {
    start = other.start;
    end = other.end;
    wholeStart = other.wholeStart;
    wholeEnd = other.wholeEnd;
    packet = other.packet;
    offset = other.offset;
  }

  int bytes() {
    return (int) (end - start);
  }

  void beginAt(long position) {
    offset += (int) (position - start);
    start = position;
  }
}
