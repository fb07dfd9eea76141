package io.linerate.bench.duel;

import java.util.regex.Pattern;

/**
 * What a contestant did in one slice of time.
 *
 * @param durationNs length of the slice
 * @param received packets received
 * @param sent packets transmitted
 * @param dropped packets freed
 * @param heapBytes bytes that the worker's thread allocated on the heap; 0 for C
 */
public record Sample(long durationNs, long received, long sent, long dropped, long heapBytes) {
  /** Reads "nanoseconds received sent dropped [heapBytes]". */
  public static Sample parse(String line) {
    long[] n = Pattern.compile(" ").splitAsStream(line.trim()).mapToLong(Long::parseLong).toArray();
    if (n.length < 4) {
      throw new IllegalStateException("not a sample: line=" + line);
    }
    return new Sample(n[0], n[1], n[2], n[3], n.length > 4 ? n[4] : 0);
  }

  @Override
  public String toString() {
    return durationNs + " " + received + " " + sent + " " + dropped + " " + heapBytes;
  }

  /** Packets in a second, in millions. */
  public double mpps() {
    return received * 1_000.0 / durationNs;
  }
}
