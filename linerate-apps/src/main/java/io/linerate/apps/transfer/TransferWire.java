package io.linerate.apps.transfer;

import io.linerate.stream.codec.Compression;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/** Messages of file transfers: docs/transfer.md has their layout. Integers are in network order. */
final class TransferWire {
  static final int VERSION = 1;

  // Messages of who sends.
  static final int OPEN = 1;
  static final int CHUNK = 2;
  static final int EXTENT = 3;
  static final int SIZE = 4;
  static final int BYE = 5;

  static final int OPEN_BYTES = 46;
  static final int CHUNK_BYTES = 24;
  static final int EXTENT_BYTES = 24;
  static final int SIZE_BYTES = 24;
  static final int BYE_BYTES = 12;

  // Answers.
  static final int HAVE = 1;
  static final int EXTENT_FATE = 2;
  static final int FILE_FATE = 3;
  static final int UNKNOWN = 4;
  static final int FAREWELL = 5;

  static final int HAVE_BYTES = 24;
  static final int FATE_BYTES = 16;

  // What is said of a file that is opened.
  static final int WANTED = 0;
  static final int THERE = 1;
  static final int REFUSED = 2;

  /** Not now, but perhaps later. */
  static final int BUSY = 3;

  static final int FILE = 0;
  static final int DIRECTORY = 1;

  /** A file whose bytes are encrypted by themselves. */
  static final int SECRET = 2;

  /** Of what comes by a pipe. */
  static final long UNKNOWN_SIZE = -1;

  static final int PATH_BYTES = 4_096;
  static final int DIGEST_BYTES = 32;

  /** Bytes of a file that are one piece of work, and have a checksum of their own. */
  static final int EXTENT_SIZE = 1 << 24;

  /** Bytes of a file in a message. */
  static final int CHUNK_SIZE = 1 << 17;

  /** Of what comes by a pipe: 8 TiB of them. */
  static final int MOST_PIPE_EXTENTS = 1 << 19;

  private static final int MOST_EXTENTS = 1 << 16;
  private static final int MOST_EXTENT_SIZE = 1 << 30;

  /** The longest file: 64 TiB. */
  static final long MOST_SIZE = (long) MOST_EXTENTS * MOST_EXTENT_SIZE;

  private TransferWire() {}

  /** Bytes of each extent of a file: so many that there are not too many. */
  static int extentSize(long fileBytes) {
    long least = Math.ceilDiv(Math.max(0, fileBytes), MOST_EXTENTS);
    return (int)
        Math.min(
            MOST_EXTENT_SIZE,
            Math.max(EXTENT_SIZE, Math.ceilDiv(least, EXTENT_SIZE) * EXTENT_SIZE));
  }

  static int extents(long fileBytes, int extentSize) {
    return Math.toIntExact(Math.ceilDiv(fileBytes, extentSize));
  }

  /** Chunks of that many bytes of an extent, each of which has a checksum. */
  static int chunks(int extentBytes) {
    return Math.ceilDiv(extentBytes, CHUNK_SIZE);
  }

  /** What makes checksums. */
  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has no checksums: algorithm=SHA-256", e);
    }
  }

  /** How a chunk is compressed, as a number; 0: it is not. */
  static int code(Optional<Compression> compression) {
    return compression
        .map(one ->
            switch (one) {
              case ZSTD -> 1;
              case LZ4 -> 2;
              case DEFLATE -> 3;
            })
        .orElse(0);
  }

  static Optional<Compression> compression(int code) {
    return switch (code) {
      case 1 -> Optional.of(Compression.ZSTD);
      case 2 -> Optional.of(Compression.LZ4);
      case 3 -> Optional.of(Compression.DEFLATE);
      default -> Optional.empty();
    };
  }
}
