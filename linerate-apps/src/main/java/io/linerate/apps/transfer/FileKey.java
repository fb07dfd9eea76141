package io.linerate.apps.transfer;

import io.linerate.core.config.ConfigException;
import io.linerate.stream.codec.Aead;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Hkdf;
import io.linerate.stream.net.LinkKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Secret bytes of both ends, by which the files are encrypted that rules say so of. */
final class FileKey {
  private static final String PURPOSE = "linerate transfer 1 ";

  private final byte[] secret;

  FileKey(byte[] secret) {
    this.secret = secret.clone();
  }

  /**
   * Of a file, with the same conditions as the key of a link.
   *
   * @throws ConfigException if it is not there, too short, or others can read it
   */
  static FileKey read(Path file) {
    LinkKey _ = LinkKey.read(file); // Says what is wrong with it.
    try {
      return new FileKey(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new ConfigException(
          "key file cannot be read: file=%s, error=%s; see who may read it".formatted(file, e));
    }
  }

  /** What encrypts, by a key that nobody else has who takes other random bytes. */
  Aead open(AeadAlgorithm algorithm, byte[] salt) {
    byte[] info = (PURPOSE + algorithm.label()).getBytes(StandardCharsets.US_ASCII);
    byte[] key = Hkdf.derive(salt, secret, info, Aead.KEY_BYTES);
    try {
      return algorithm.open(key);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
