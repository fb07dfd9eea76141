package io.linerate.decode.reassembly;

/** A range of a stream that waits in a packet that is held. Used again and again. */
final class Segment {
  /** Position of the first byte in the stream, and of the byte behind the last. */
  long start;

  long end;

  /** Those of the whole segment that it came in. */
  long wholeStart;

  long wholeEnd;

  /** Number of its packet among those held. */
  long packet;

  /** Offset of the first byte in that. */
  int offset;

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
