package io.linerate.graph.element;

/**
 * What the workers tell each other about neighbors: an answer comes to one worker, whoever asked.
 * The last news are kept, in a ring; a worker that is too late for some asks for itself.
 *
 * <p>There is a lock, which nobody takes while there is nothing new: reading one number says so.
 */
final class NeighborNews {
  private static final int CAPACITY = 1_024;
  private static final int WORDS = 4;
  private static final int LOW = 1;
  private static final int MAC = 2;
  private static final int FLAGS = 3;
  private static final int IS_ANSWER = 1;
  private static final int REPLACES = 2;

  private final long[] words = new long[CAPACITY * WORDS];
  private volatile long written;
  private volatile int readers;

  /** A worker's place among the news. */
  static final class Reader {
    private long read;
    long high;
    long low;
    long mac;
    boolean isAnswer;
    boolean replaces;
  }

  synchronized Reader join() {
    readers++;
    Reader reader = new Reader();
    reader.read = written;
    return reader;
  }

  synchronized void leave() {
    readers--;
  }

  /** Whether anybody else listens. */
  boolean isHeard() {
    return readers > 1;
  }

  /** Says what a message said: see {@link Neighbors#hear}. */
  synchronized void tell(long high, long low, long mac, boolean isAnswer, boolean replaces) {
    int at = (int) (written % CAPACITY) * WORDS;
    words[at] = high;
    words[at + LOW] = low;
    words[at + MAC] = mac;
    words[at + FLAGS] = (isAnswer ? IS_ANSWER : 0) | (replaces ? REPLACES : 0);
    written = written + 1;
  }

  boolean isNew(Reader reader) {
    return written != reader.read;
  }

  /** Reads the next one, if there is one. */
  synchronized boolean next(Reader reader) {
    if (reader.read == written) {
      return false;
    }
    reader.read = Math.max(reader.read, written - CAPACITY);
    int at = (int) (reader.read % CAPACITY) * WORDS;
    reader.high = words[at];
    reader.low = words[at + LOW];
    reader.mac = words[at + MAC];
    reader.isAnswer = (words[at + FLAGS] & IS_ANSWER) != 0;
    reader.replaces = (words[at + FLAGS] & REPLACES) != 0;
    reader.read++;
    return true;
  }
}
