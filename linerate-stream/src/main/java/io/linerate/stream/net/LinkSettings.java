package io.linerate.stream.net;

import io.linerate.stream.codec.AeadAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What both elements of a link need to know.
 *
 * @param key {@link LinkKey#none()}: nothing is encrypted
 * @param algorithm that encrypts, if there is a key; the sender's counts
 * @param isReliable whether what is lost is sent again; the sender's counts
 * @param bitsPerS of each flow, of UDP payload; 0: as fast as CUBIC finds the path to be
 * @param bufferBytes of each flow and direction, a power of two; messages have half of it at most
 * @param mtuBytes that the port takes, of IP with its header
 * @param silence after which a peer that should answer is said to be silent, and one that has never
 *     answered is given up
 * @param patience how long what is known of a silent peer is kept
 * @param mostFlows that there are at once
 */
public record LinkSettings(
    LinkKey key,
    AeadAlgorithm algorithm,
    boolean isReliable,
    long bitsPerS,
    int bufferBytes,
    int mtuBytes,
    Duration silence,
    Duration patience,
    int mostFlows) {
  private static final int LEAST_BUFFER_BYTES = 1 << 16;
  private static final int MOST_BUFFER_BYTES = 1 << 30;
  private static final int LEAST_MTU_BYTES = 1_280;
  private static final int MOST_MTU_BYTES = 65_535;
  private static final int MOST_FLOWS = 1 << 16;

  /** Reliable, without a key, 4 MiB for each flow, Ethernet. */
  public static final LinkSettings DEFAULT =
      new LinkSettings(
          LinkKey.none(),
          AeadAlgorithm.AES_256_GCM,
          true,
          0,
          1 << 22,
          1_500,
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          64);

  /** With another key. */
  public LinkSettings withKey(LinkKey next) {
    return new LinkSettings(
        next, algorithm, isReliable, bitsPerS, bufferBytes, mtuBytes, silence, patience, mostFlows);
  }

  /** With another algorithm. */
  public LinkSettings withAlgorithm(AeadAlgorithm next) {
    return new LinkSettings(
        key, next, isReliable, bitsPerS, bufferBytes, mtuBytes, silence, patience, mostFlows);
  }

  /** What is lost is not sent again, but counted by who receives. */
  public LinkSettings bestEffort() {
    return new LinkSettings(
        key, algorithm, false, bitsPerS, bufferBytes, mtuBytes, silence, patience, mostFlows);
  }

  /** At a rate that the path is known to have. */
  public LinkSettings withRate(long nextBitsPerS) {
    return new LinkSettings(
        key,
        algorithm,
        isReliable,
        nextBitsPerS,
        bufferBytes,
        mtuBytes,
        silence,
        patience,
        mostFlows);
  }

  /** With other buffers. */
  public LinkSettings withBuffer(int nextBytes) {
    return new LinkSettings(
        key, algorithm, isReliable, bitsPerS, nextBytes, mtuBytes, silence, patience, mostFlows);
  }

  /** On a port that takes other packets. */
  public LinkSettings withMtu(int nextBytes) {
    return new LinkSettings(
        key, algorithm, isReliable, bitsPerS, bufferBytes, nextBytes, silence, patience, mostFlows);
  }

  /** With other times of {@link #silence} and {@link #patience}. */
  public LinkSettings withTimes(Duration nextSilence, Duration nextPatience) {
    return new LinkSettings(
        key,
        algorithm,
        isReliable,
        bitsPerS,
        bufferBytes,
        mtuBytes,
        nextSilence,
        nextPatience,
        mostFlows);
  }

  /** With another bound of flows. */
  public LinkSettings withMostFlows(int next) {
    return new LinkSettings(
        key, algorithm, isReliable, bitsPerS, bufferBytes, mtuBytes, silence, patience, next);
  }

  /** The longest message. */
  public int mostMessageBytes() {
    return SendBuffer.mostBytes(bufferBytes);
  }

  List<String> problems() {
    List<String> problems = new ArrayList<>();
    boolean isPower = Integer.bitCount(bufferBytes) == 1;
    if (!isPower || bufferBytes < LEAST_BUFFER_BYTES || bufferBytes > MOST_BUFFER_BYTES) {
      problems.add(
          "no size of a buffer: bufferBytes=%d; write a power of two from %d to %d"
              .formatted(bufferBytes, LEAST_BUFFER_BYTES, MOST_BUFFER_BYTES));
    }
    if (mtuBytes < LEAST_MTU_BYTES || mtuBytes > MOST_MTU_BYTES) {
      problems.add(
          "no MTU for streams: mtuBytes=%d; write %d to %d"
              .formatted(mtuBytes, LEAST_MTU_BYTES, MOST_MTU_BYTES));
    }
    if (bitsPerS < 0) {
      problems.add(
          "no rate: bitsPerS=%d; write bits each second, or 0 for CUBIC".formatted(bitsPerS));
    }
    if (mostFlows < 1 || mostFlows > MOST_FLOWS) {
      problems.add(
          "no number of flows: mostFlows=%d; write 1 to %d".formatted(mostFlows, MOST_FLOWS));
    }
    if (!silence.isPositive() || patience.compareTo(silence) < 0) {
      problems.add(
          "no times: silence=%s, patience=%s; write a silence above 0, and a patience not below it"
              .formatted(silence, patience));
    }
    return problems;
  }
}
