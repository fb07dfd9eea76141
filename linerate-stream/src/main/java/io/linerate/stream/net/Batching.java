package io.linerate.stream.net;

/**
 * Whether datagrams of a session leave together ({@link DatagramOutput#sendTogether}): until it is
 * known whether such come, and no more once time-outs say that they do not. Who receives by a port
 * that is not told how long each is gets none of them.
 */
final class Batching {
  /** Time-outs while nothing that left together is known to have come. */
  private static final int MOST_FAILURES = 3;

  /** Of those that are looked for, one after the other: all were lost, and others have come. */
  private static final int MOST_MISSES = 16;

  private static final long NONE = -1;

  private boolean isKnownToCome;
  private boolean isWaiting;
  private int failures;
  private int misses;

  /** Of a datagram that has left together with others; {@link #NONE}: none is looked for. */
  private long number = NONE;

  private int lastBytes;

  /** A round begins, in which datagrams may be put together. */
  void begin() {
    lastBytes = 0;
  }

  /** Whether the next datagram may leave with others. */
  boolean mayBe() {
    boolean hasFailed = failures >= MOST_FAILURES || misses >= MOST_MISSES;
    return isKnownToCome || !(isWaiting || hasFailed);
  }

  /** One has left that might. */
  void sent(long itsNumber, int bytes) {
    if (bytes == lastBytes && number == NONE && !isKnownToCome) {
      number = itsNumber;
    }
    lastBytes = bytes;
  }

  /** These have come, and none later. */
  void acked(long first, long last) {
    if (number != NONE && last >= number) {
      isKnownToCome |= first <= number;
      misses++;
      number = NONE;
    }
    isWaiting = false;
  }

  /** Nothing comes: what is sent to find out why leaves alone. */
  void timedOut(boolean isLost) {
    if (!isWaiting && (number != NONE || isLost)) {
      isKnownToCome = false;
      number = NONE;
      failures++;
    }
    isWaiting = !isKnownToCome;
  }
}
