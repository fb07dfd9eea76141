package io.linerate.apps.capture;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.counter.SingleWriterCounters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  private static final byte[] CLASS_OF_LENGTH = classes();

  private final SingleWriterCounters counts = new SingleWriterCounters(NAMES.length);

  private static byte[] classes() {
    byte[] classes = new byte[MAX_BYTES[MAX_BYTES.length - 1] + 2];
    int sizeClass = 0;
    for (int length = 0; length < classes.length; length++) {
      if (sizeClass < MAX_BYTES.length && length > MAX_BYTES[sizeClass]) {
        sizeClass++;
      }
      classes[length] = (byte) sizeClass;
    }
    return classes;
  }

  void add(int lengthBytes) {
    counts.increment(CLASS_OF_LENGTH[Math.min(lengthBytes, CLASS_OF_LENGTH.length - 1)]);
  }

  /** Adds what another thread has counted until now. */
  void addAll(FrameSizes other) {
    counts.addAll(other.counts);
  }

  /** By class, from short to long. */
  List<Long> toList() {
    return counts.toList();
  }

  /** Says how many packets of each class there were. */
  void collect(SampleSink sink) {
    for (int i = 0; i < counts.size(); i++) {
      int from = i == 0 ? 0 : MAX_BYTES[i - 1] + 1;
      String to = i < MAX_BYTES.length ? String.valueOf(MAX_BYTES[i]) : "";
      sink.counter(
          "linerate_frame_packets_total",
          SampleUnit.PACKETS,
          counts.get(i),
          "from",
          String.valueOf(from),
          "to",
          to);
    }
  }

  /** All classes from short to long. */
  Map<String, Long> byName() {
    Map<String, Long> named = new LinkedHashMap<>();
    for (int i = 0; i < NAMES.length; i++) {
      named.put(NAMES[i], counts.get(i));
    }
    return named;
  }
}
