package io.linerate.stream.codec;

import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * Derives keys by HKDF with SHA-256 (RFC 5869), by the JDK. Made for when streams start, not for
 * each message. Keys that it returns are the caller's, who wipes them.
 */
public final class Hkdf {
  /** Length of a pseudorandom key. */
  public static final int KEY_BYTES = 32;

  /** What can be derived from one key at most. */
  public static final int MAX_BYTES = 255 * KEY_BYTES;

  private Hkdf() {}

  /** A pseudorandom key of what is secret, but not uniform. */
  public static byte[] extract(byte[] salt, byte[] secret) {
    return derive(HKDFParameterSpec.ofExtract().addSalt(salt).addIKM(secret).extractOnly());
  }

  /**
   * Bytes of a pseudorandom key.
   *
   * @param pseudorandomKey of {@link #KEY_BYTES} or more
   * @param info what the bytes are for: others are unrelated to them
   * @param bytes up to {@link #MAX_BYTES}
   */
  public static byte[] expand(byte[] pseudorandomKey, byte[] info, int bytes) {
    check(bytes);
    SecretBytes key = new SecretBytes("Generic", pseudorandomKey);
    try {
      return derive(HKDFParameterSpec.expandOnly(key, info, bytes));
    } finally {
      key.destroy();
    }
  }

  /** Both in turn. */
  public static byte[] derive(byte[] salt, byte[] secret, byte[] info, int bytes) {
    check(bytes);
    return derive(
        HKDFParameterSpec.ofExtract().addSalt(salt).addIKM(secret).thenExpand(info, bytes));
  }

  private static void check(int bytes) {
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "HKDF cannot derive so much: bytes=%d, most=%d; derive a key for each purpose"
              .formatted(bytes, MAX_BYTES));
    }
  }

  private static byte[] derive(AlgorithmParameterSpec what) {
    try {
      return KDF.getInstance("HKDF-SHA256").deriveData(what);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK does not derive keys: algorithm=HKDF-SHA256", e);
    }
  }
}
