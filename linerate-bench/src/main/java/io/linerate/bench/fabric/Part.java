package io.linerate.bench.fabric;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What {@code fabric} measures. */
enum Part {
  /** Half a round trip of a message. */
  LATENCY("ping", "pong", "us"),
  /** Messages in one direction. */
  BANDWIDTH("source", "sink", "GB/s"),
  /** As bandwidth, of 15 MB from none under way to all taken. */
  TRANSFER_15_MB("source", "sink", "GB/s"),
  TRANSFER_1_GB("source", "sink", "GB/s"),
  /** Messages in both directions at once, all together. */
  BOTH("both", "both", "GB/s"),
  /** Small messages in one direction. */
  RATE("rate", "sink", "Mpps"),
  /** Writes into the peer's memory. */
  WRITE("write", "target", "GB/s"),
  /** Reads of the peer's memory. */
  READ("read", "target", "GB/s"),
  CROSSING("", "", "ns"),
  /** Memory of a program made ready for a message. */
  REGISTRATION("", "", "ns"),
  SERIALISATION("", "", "ns");

  private static final int MOST_MESSAGES = 1 << 16;

  private final String client;
  private final String server;
  private final String unit;

  Part(String client, String server, String unit) {
    this.client = client;
    this.server = server;
    this.unit = unit;
  }

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<Part> of(String title) {
    return Arrays.stream(values()).filter(one -> one.title().equals(title)).findFirst();
  }

  /** The role of the program that is measured. */
  String client() {
    return client;
  }

  /** The role of its peer. */
  String server() {
    return server;
  }

  String unit() {
    return unit;
  }

  /** Whether it takes two programs and a provider. */
  boolean hasPeer() {
    return !client.isEmpty();
  }

  /** Bytes that are sent and taken before more are; 0 for messages without an end. */
  long volumeBytes() {
    return switch (this) {
      case TRANSFER_15_MB -> 15_000_000;
      case TRANSFER_1_GB -> 1_000_000_000;
      default -> 0;
    };
  }

  /** Whether it takes a volume so many messages that it would take seconds. */
  boolean isTooSmall(int bytes) {
    return volumeBytes() / bytes > MOST_MESSAGES;
  }

  boolean isRemoteMemory() {
    return this == WRITE || this == READ;
  }

  /**
   * A rate of millions in a second in the unit of this part: a latency is the time of a message.
   *
   * @param bytes of a message
   */
  double inUnit(double millions, int bytes) {
    return switch (unit) {
      case "us" -> 1 / millions;
      case "ns" -> 1_000 / millions;
      case "GB/s" -> millions * bytes / 1_000;
      default -> millions;
    };
  }
}
