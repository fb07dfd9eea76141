package io.linerate.bench.scaling;

/** Lets a queue bring packets, or not. */
final class Gate {
  // Read for each burst and hardly ever written; padded, so that no neighbour in memory is.
  @SuppressWarnings("unused")
  private final long[] before = new long[16];

  volatile boolean isOpen;

  @SuppressWarnings("unused")
  private final long[] after = new long[16];
}
