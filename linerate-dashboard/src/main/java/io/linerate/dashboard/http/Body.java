package io.linerate.dashboard.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an answer, which any number of clients are sent. Not changed any more; compressed
 * and named once for all of them.
 */
public final class Body {
  private static final int TAG_BYTES = 12;

  final byte[] bytes;

  /** Clients that it is being sent to. Guarded by the {@link AnswerBudget}. */
  int readers;

  private @Nullable Body compressed;
  private @Nullable String tag;

  /**
   * @param bytes are the body's from now on
   */
  public Body(byte[] bytes) {
    this.bytes = bytes;
  }

  int length() {
    return bytes.length;
  }

  synchronized boolean isCompressed() {
    return compressed != null;
  }

  /** The same in the format gzip. */
  synchronized Body compressed() {
    Body known = compressed;
    if (known == null) {
      ByteArrayOutputStream out = new ByteArrayOutputStream(length() / 4);
      try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
        gzip.write(bytes);
      } catch (IOException e) {
        throw new UncheckedIOException("memory cannot be written", e);
      }
      known = new Body(out.toByteArray());
      compressed = known;
    }
    return known;
  }

  /** What tells it from others of the same address: RFC 9110, section 8.8.3. */
  synchronized String tag() {
    String known = tag;
    if (known == null) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
        byte[] start = Arrays.copyOf(hash, TAG_BYTES);
        // Weak: the same for what is compressed.
        known = "W/\"" + Base64.getUrlEncoder().encodeToString(start) + "\"";
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JVM has SHA-256", e);
      }
      tag = known;
    }
    return known;
  }
}
