package io.linerate.program.run;

import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.PacketCounts;
import java.util.Locale;

/** Where the packets of a run are so far, in words. */
final class ProgressLine {
  private ProgressLine() {}

  /** Of a program that sends what it receives. */
  static String ofSender(PacketCounts now) {
    return String.format(
        Locale.ROOT,
        "%,d received, %,d sent, %,d dropped, %,d in flight",
        now.received(),
        now.sent(),
        now.droppedTotal(),
        now.inFlight());
  }

  /**
   * Of a program that receives only: what it did not want, or lost, is left out where it is 0.
   *
   * @param goodEnd what has become of packets that are needed no longer, in a word
   */
  static String ofReceiver(PacketCounts now, String goodEnd) {
    long ended = count(now, DropReason.CONSUMED);
    long filtered = count(now, DropReason.FILTERED);
    long lost = now.droppedTotal() - ended - filtered;
    return String.format(
        Locale.ROOT,
        "%,d received, %,d %s%s%s, %,d waiting for more",
        now.received(),
        ended,
        goodEnd,
        some(filtered, DropReason.FILTERED.name()),
        some(lost, "dropped"),
        now.inFlight());
  }

  private static long count(PacketCounts now, DropReason reason) {
    return now.dropped().getOrDefault(reason.name(), 0L);
  }

  private static String some(long packets, String what) {
    return packets == 0 ? "" : String.format(Locale.ROOT, ", %,d %s", packets, what);
  }
}
