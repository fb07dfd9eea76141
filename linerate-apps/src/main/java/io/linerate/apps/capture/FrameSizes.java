package io.linerate.apps.capture;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.counter.SingleWriterCounters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Packets by their length in bytes, in the classes of the Ethernet statistics of RMON (RFC 2819,
 * section 5) and those below and above. Lengths are those that the port gave: most ports leave out
 * the 4 bytes of the frame check sequence, which RMON counts.
 */
final class FrameSizes {
  /** The longest length of each class but the last. */
  private static final int[] MAX_BYTES = {63, 64, 127, 255, 511, 1_023, 1_518};

  private static final String[] NAMES = {
    "under64", "64", "65-127", "128-255", "256-511", "512-1023", "1024-1518", "over1518"
  };

  /** Stands for every length above those of the classes. */
  private static final int LONGER_BYTES = MAX_BYTES[MAX_BYTES.length - 1] + 1;

  // By length, and put into classes when asked for: a packet costs one addition.
  private final SingleWriterCounters counts = new SingleWriterCounters(LONGER_BYTES + 1);

  void add(int lengthBytes) {
    counts.incrementOrLast(lengthBytes);
  }

  /** Adds what another thread has counted until now. */
  void addAll(FrameSizes other) {
    counts.addAll(other.counts);
  }

  /** By class, from short to long. */
  List<Long> toList() {
    List<Long> classes = new ArrayList<>();
    int from = 0;
    for (int max : MAX_BYTES) {
      classes.add(IntStream.rangeClosed(from, max).mapToLong(counts::get).sum());
      from = max + 1;
    }
    classes.add(counts.get(LONGER_BYTES));
    return classes;
  }

  /** Says how many packets of each class there were. */
  void collect(SampleSink sink) {
    List<Long> classes = toList();
    for (int i = 0; i < NAMES.length; i++) {
      int from = i == 0 ? 0 : MAX_BYTES[i - 1] + 1;
      String to = i < MAX_BYTES.length ? String.valueOf(MAX_BYTES[i]) : "";
      sink.counter(
          "linerate_frame_packets_total",
          SampleUnit.PACKETS,
          classes.get(i),
          "from",
          String.valueOf(from),
          "to",
          to);
    }
  }

  /** All classes from short to long. */
  Map<String, Long> byName() {
    Map<String, Long> named = new LinkedHashMap<>();
    List<Long> classes = toList();
    for (int i = 0; i < NAMES.length; i++) {
      named.put(NAMES[i], classes.get(i));
    }
    return named;
  }
}
