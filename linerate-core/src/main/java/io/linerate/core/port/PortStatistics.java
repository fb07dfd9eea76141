package io.linerate.core.port;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a port has counted since it was opened.
 *
 * @param rxPackets packets given to the program
 * @param rxBytes their bytes, without the frame check sequence
 * @param txPackets packets that the port took and did not refuse: see {@link TxQueue}
 * @param txBytes their bytes
 * @param missed packets lost before the program could receive them: no free descriptor, no free
 *     buffer
 * @param noBuffers those of {@code missed} that no buffer was free for, where the port can tell
 * @param errors packets that were received broken or could not be transmitted
 * @param extended the device's own statistics by its own names; what {@link #isFlag} is no count
 */
public record PortStatistics(
    long rxPackets,
    long rxBytes,
    long txPackets,
    long txBytes,
    long missed,
    long noBuffers,
    long errors,
    Map<String, Long> extended) {
  private static final String FLAG = "is_";

  /** In {@link #extended}: bytes of the input, all passes together, where it has an end. */
  public static final String INPUT_BYTES = "input_bytes";

  /** In {@link #extended}: those of {@link #INPUT_BYTES} that were read until now. */
  public static final String INPUT_READ_BYTES = "input_read_bytes";

  /**
   * In {@link #extended}: the kernel keeps packets away that the engine's filter would reject, so
   * that they are counted nowhere.
   */
  public static final String IS_FILTERED_BY_KERNEL = FLAG + "filtered_by_kernel";

  public static final PortStatistics NONE = new PortStatistics(0, 0, 0, 0, 0, 0);

  /**
   * Of a port that cannot tell why it missed packets.
   *
   * @param rx what its receive queues have counted, as {@link QueueCounts} has it
   * @param tx what its transmit queues have counted
   */
  public PortStatistics(
      long[] rx, long[] tx, long missed, long errors, Map<String, Long> extended) {
    this(
        rx[QueueCounts.PACKETS],
        rx[QueueCounts.BYTES],
        tx[QueueCounts.PACKETS],
        tx[QueueCounts.BYTES],
        missed,
        0,
        errors,
        extended);
  }

  /** Whether a name of {@link #extended} says how the device works: 0 for no, 1 for yes. */
  public static boolean isFlag(String statistic) {
    return statistic.startsWith(FLAG);
  }

  /** See {@link #IS_FILTERED_BY_KERNEL}. */
  public boolean isFilteredByKernel() {
    return extended.getOrDefault(IS_FILTERED_BY_KERNEL, 0L) != 0;
  }

  public PortStatistics(
      long rxPackets, long rxBytes, long txPackets, long txBytes, long missed, long errors) {
    this(rxPackets, rxBytes, txPackets, txBytes, missed, 0, errors, Map.of());
  }

  /** The same, and more numbers of the port's own. */
  public PortStatistics withExtended(Map<String, Long> more) {
    Map<String, Long> all = new LinkedHashMap<>(extended);
    all.putAll(more);
    return new PortStatistics(
        rxPackets, rxBytes, txPackets, txBytes, missed, noBuffers, errors, all);
  }
}
