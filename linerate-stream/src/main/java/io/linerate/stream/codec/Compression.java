package io.linerate.stream.codec;

import io.linerate.core.config.ConfigException;

/**
 * The formats of compression. Their levels mean what they mean to their own commands: higher ones
 * take longer and make less bytes.
 */
public enum Compression {
  /**
   * RFC 1951, without a header, by the system's zlib, or by the JDK's where there is none: always
   * there, and the slowest.
   */
  DEFLATE("deflate", 1, 9),

  /**
   * A block of LZ4, by the system's library: the fastest. Level -n is the acceleration n of the
   * library.
   */
  LZ4("lz4", -65_537, 1),

  /** One frame of RFC 8878, by the system's library: the smallest for its time. */
  ZSTD("zstd", -100, 19);

  private static final int FASTEST_COMMON_LEVEL = 1;

  private final String label;
  private final int leastLevel;
  private final int mostLevel;

  Compression(String label, int leastLevel, int mostLevel) {
    this.label = label;
    this.leastLevel = leastLevel;
    this.mostLevel = mostLevel;
  }

  /** Its name in configurations: {@code deflate}, {@code lz4} or {@code zstd}. */
  public String label() {
    return label;
  }

  /** The lowest level. */
  public int leastLevel() {
    return leastLevel;
  }

  /** The highest level. */
  public int mostLevel() {
    return mostLevel;
  }

  /** Whether this machine has what it needs. */
  public boolean isAvailable() {
    return problem().isEmpty();
  }

  /** What this machine lacks, and what to do, in a sentence; "" if nothing. */
  public String problem() {
    return switch (this) {
      case DEFLATE -> "";
      case LZ4 -> Lz4.LIBRARY.problem();
      case ZSTD -> Zstd.LIBRARY.problem();
    };
  }

  /**
   * Opens a codec at level 1, the fastest but for lower levels of zstd and lz4.
   *
   * @throws ConfigException if this machine lacks what it needs
   */
  public Codec open() {
    return open(FASTEST_COMMON_LEVEL);
  }

  /**
   * Opens a codec.
   *
   * @throws ConfigException if there is no such level, or this machine lacks what it needs
   */
  public Codec open(int level) {
    if (level < leastLevel || level > mostLevel) {
      throw new ConfigException(
          "no such level of compression: compression=%s, level=%d; choose one from %d to %d"
              .formatted(label, level, leastLevel, mostLevel));
    }
    if (!isAvailable()) {
      throw new ConfigException(problem());
    }
    return switch (this) {
      case DEFLATE ->
          Zlib.LIBRARY.problem().isEmpty() ? new ZlibCodec(level) : new DeflateCodec(level);
      case LZ4 -> new Lz4Codec(Math.max(1, -level));
      case ZSTD -> new ZstdCodec(level);
    };
  }
}
