package io.linerate.stream.net;

import io.linerate.core.config.ConfigException;
import io.linerate.stream.codec.Hkdf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of a link know, and nobody else: the bytes of a file. All keys of sessions are
 * derived from it.
 */
public final class LinkKey {
  /** Of a key file, at least. */
  public static final int LEAST_BYTES = 32;

  private static final int MOST_BYTES = 4_096;

  /** Of codes of handshakes: HMAC with SHA-256, of which the first half is sent. */
  static final int CODE_BYTES = 16;

  private static final byte[] HANDSHAKE = "linerate stream 1".getBytes(StandardCharsets.US_ASCII);

  private static final Set<PosixFilePermission> FOR_OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");

  private static final LinkKey NONE = new LinkKey(new byte[LEAST_BYTES], false);

  private final byte[] secret;
  private final boolean isSecret;
  private final SecretKeySpec handshakes;

  private LinkKey(byte[] secret, boolean isSecret) {
    this.secret = secret;
    this.isSecret = isSecret;
    handshakes = new SecretKeySpec(derive(HANDSHAKE, "handshake"), "HmacSHA256");
  }

  /** None: nothing is encrypted, and who can write packets of a session is believed. */
  public static LinkKey none() {
    return NONE;
  }

  /** Of bytes that nobody can guess. */
  public static LinkKey of(byte[] secret) {
    if (secret.length < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "key is too short: bytes=%d, least=%d; take random ones"
              .formatted(secret.length, LEAST_BYTES));
    }
    return new LinkKey(secret.clone(), true);
  }

  /**
   * Of the bytes of a file, all of them.
   *
   * @throws ConfigException if it is not there, too short, or others can read it
   */
  public static LinkKey read(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw new ConfigException(
            "key file is a directory: file=%s; name a file of %d random bytes or more"
                .formatted(file, LEAST_BYTES));
      }
      Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file, new LinkOption[0]);
      if (allowed.stream().anyMatch(FOR_OTHERS::contains)) {
        throw new ConfigException(
            "key file is not secret: file=%s, mode=%s; chmod 600 %s"
                .formatted(file, PosixFilePermissions.toString(allowed), file));
      }
      long size = Files.size(file);
      if (size < LEAST_BYTES || size > MOST_BYTES) {
        throw new ConfigException(
            "key file has the wrong size: file=%s, bytes=%d; make one of %d to %d random bytes: head -c 32 /dev/urandom > %s"
                .formatted(file, size, LEAST_BYTES, MOST_BYTES, file));
      }
      return of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          "key file is not there: file=%s; make one, and copy it to the other end: (umask 077; head -c 32 /dev/urandom > %s)"
              .formatted(file, file));
    } catch (IOException e) {
      throw new ConfigException(
          "key file cannot be read: file=%s, error=%s; see who may read it"
              .formatted(file, Optional.ofNullable(e.getMessage()).orElse(e.toString())));
    }
  }

  /** Whether there is one. */
  public boolean isSecret() {
    return isSecret;
  }

  /** Whether both are of the same bytes. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LinkKey key && isSecret == key.isSecret && isSame(secret, key.secret);
  }

  @Override
  public int hashCode() {
    return handshakes.hashCode();
  }

  /** Says nothing of it. */
  @Override
  public String toString() {
    return isSecret ? "LinkKey[secret]" : "LinkKey[none]";
  }

  /** Bytes for one purpose, of this key and what both ends have added. */
  byte[] derive(byte[] salt, String purpose) {
    return Hkdf.derive(salt, secret, purpose.getBytes(StandardCharsets.US_ASCII), Hkdf.KEY_BYTES);
  }

  /** The code of a message of a handshake. */
  byte[] code(byte[] message) {
    return code(handshakes, message);
  }

  /** The code of a message under a key. */
  static byte[] code(SecretKeySpec key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return Arrays.copyOf(mac.doFinal(message), CODE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK makes no codes: algorithm=HmacSHA256", e);
    }
  }

  /** Whether both are the same, in a time that does not say where they differ. */
  static boolean isSame(byte[] one, byte[] other) {
    return MessageDigest.isEqual(one, other);
  }
}
