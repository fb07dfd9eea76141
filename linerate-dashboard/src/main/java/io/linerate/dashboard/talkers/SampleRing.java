package io.linerate.dashboard.talkers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Samples of packets on their way from a worker to a reader: a ring of fixed size. When it is full,
 * the worker takes no more samples; it never waits.
 */
final class SampleRing {
  static final int CAPACITY = 8_192;

  private static final int MASK = CAPACITY - 1;
  private static final VarHandle HEAD;
  private static final VarHandle TAIL;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(SampleRing.class, "head", long.class);
      TAIL = lookup.findVarHandle(SampleRing.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final byte[] versions = new byte[CAPACITY];
  private final long[] highs = new long[CAPACITY];
  private final long[] lows = new long[CAPACITY];
  private final int[] lengths = new int[CAPACITY];

  /** Samples taken out. Written by the reader. */
  @SuppressWarnings("UnusedVariable") // By its handle.
  private long head;

  /** Samples put in. Written by the worker. */
  private long tail;

  /** What is done with a sample. */
  interface Reader {
    /**
     * Takes a sample: where a packet came from, and its length.
     *
     * @param version of IP: 4, 6, or 0 for another protocol
     */
    void sample(int version, long high, long low, int lengthBytes);
  }

  /** Room for samples. Worker only. */
  int room() {
    return (int) (CAPACITY - (tail - (long) HEAD.getAcquire(this)));
  }

  /** Puts a sample in, where there is room. Worker only. */
  void add(int version, long high, long low, int lengthBytes) {
    int at = (int) tail & MASK;
    versions[at] = (byte) version;
    highs[at] = high;
    lows[at] = low;
    lengths[at] = lengthBytes;
    TAIL.setRelease(this, tail + 1);
  }

  /** Takes all samples out, and says how many. Reader only. */
  int drain(Reader reader) {
    long from = (long) HEAD.getOpaque(this);
    long to = (long) TAIL.getAcquire(this);
    for (long i = from; i < to; i++) {
      int at = (int) i & MASK;
      reader.sample(versions[at], highs[at], lows[at], lengths[at]);
    }
    HEAD.setRelease(this, to);
    return (int) (to - from);
  }
}
