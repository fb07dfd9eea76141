package io.linerate.decode.reassembly;

import java.time.Duration;

/**
 * How much is kept of streams, and for how long.
 *
 * @param streams at the same time at most, 8 to 1,048,576: of more, the oldest that no one has
 *     answered goes, or the new one is not followed
 * @param windowBytes of one direction that wait to be read, or for bytes before them, 1,024 to 1
 *     GiB: with more, what is missing counts as lost, and what was not read is forgotten. So it is
 *     with more than 2,048 ranges of segments that wait, or 4,096 that were not read; in a window
 *     of more than 1 MiB there may be one for each 512, or 256, bytes
 * @param idle after which a stream has ended, 1 s to 1 day
 */
public record StreamSettings(int streams, int windowBytes, Duration idle, OverlapPolicy policy) {
  private static final int MIN_STREAMS = 8;
  private static final int MAX_STREAMS = 1 << 20;
  private static final int MIN_WINDOW_BYTES = 1_024;
  private static final int MAX_WINDOW_BYTES = 1 << 30;
  private static final int WAITING_SEGMENT_BYTES = 512;
  private static final int MIN_WAITING_SEGMENTS = (1 << 20) / WAITING_SEGMENT_BYTES;
  private static final Duration MAX_IDLE = Duration.ofDays(1);

  /** 65,536 streams, 1 MiB, 60 s, as Linux receives. */
  public static final StreamSettings DEFAULT =
      new StreamSettings(65_536, 1 << 20, Duration.ofSeconds(60), OverlapPolicy.LINUX);

  public StreamSettings {
    if (streams < MIN_STREAMS
        || streams > MAX_STREAMS
        || windowBytes < MIN_WINDOW_BYTES
        || windowBytes > MAX_WINDOW_BYTES
        || idle.compareTo(Duration.ofSeconds(1)) < 0
        || idle.compareTo(MAX_IDLE) > 0) {
      throw new IllegalArgumentException(
          "streams cannot be kept so: streams=%d, windowBytes=%d, idle=%s; give %d to %d streams, %d to %d bytes, 1 s to 1 day"
              .formatted(
                  streams,
                  windowBytes,
                  idle,
                  MIN_STREAMS,
                  MAX_STREAMS,
                  MIN_WINDOW_BYTES,
                  MAX_WINDOW_BYTES));
    }
  }

  /**
   * Ranges of one direction that wait for bytes before them, at most: a whole window behind one
   * segment that was lost, in segments of 512 bytes. Hosts that know nothing of a path send 536
   * (RFC 9293, section 3.7.1), all others more. Receivers have such limits, too: what waits was a
   * way to stop them (CVE-2018-5390 and 6922).
   */
  int waitingSegments() {
    return Math.max(MIN_WAITING_SEGMENTS, windowBytes / WAITING_SEGMENT_BYTES);
  }

  /** Ranges of one direction that have come in order and that nobody has read, at most. */
  int unreadParts() {
    return 2 * waitingSegments();
  }

  public StreamSettings withPolicy(OverlapPolicy newPolicy) {
    return new StreamSettings(streams, windowBytes, idle, newPolicy);
  }

  public StreamSettings withWindowBytes(int bytes) {
    return new StreamSettings(streams, bytes, idle, policy);
  }

  public StreamSettings withStreams(int count) {
    return new StreamSettings(count, windowBytes, idle, policy);
  }

  public StreamSettings withIdle(Duration time) {
    return new StreamSettings(streams, windowBytes, time, policy);
  }
}
