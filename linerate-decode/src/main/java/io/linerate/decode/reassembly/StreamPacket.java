package io.linerate.decode.reassembly;

import org.jspecify.annotations.Nullable;

/** A packet that ranges of a stream are in. Used again and again: see {@link StreamMemory}. */
final class StreamPacket {
  /** Its number among those held; without meaning as long as it is looked at. */
  long number;

  /** Ranges that wait in it, or that nobody has read. */
  int ranges;

  /** Of those that are not used, the one behind it. */
  @Nullable StreamPacket nextFree;
}
