package io.linerate.stream.codec;

import io.linerate.core.config.ConfigException;

/** The algorithms of {@link Aead}. */
public enum AeadAlgorithm {
  /** AES with 256 bits in Galois/Counter Mode (NIST SP 800-38D): for processors with AES. */
  AES_256_GCM("aes-256-gcm"),

  /** ChaCha20 and Poly1305 (RFC 8439): for those without. */
  CHACHA20_POLY1305("chacha20-poly1305");

  private final String label;

  AeadAlgorithm(String label) {
    this.label = label;
  }

  /** Its name in configurations: {@code aes-256-gcm} or {@code chacha20-poly1305}. */
  public String label() {
    return label;
  }

  /**
   * Makes one with that key, by OpenSSL where it is there, by the JDK otherwise.
   *
   * @param key of {@link Aead#KEY_BYTES}; stays the caller's, who wipes it
   */
  public Aead open(byte[] key) {
    return open(key, AeadLibrary.OPENSSL.isAvailable() ? AeadLibrary.OPENSSL : AeadLibrary.JDK);
  }

  /**
   * The same by one library.
   *
   * @throws ConfigException if this machine lacks it
   */
  public Aead open(byte[] key, AeadLibrary library) {
    if (key.length != Aead.KEY_BYTES) {
      throw new IllegalArgumentException(
          "wrong length of a key: algorithm=%s, bytes=%d; give %d"
              .formatted(label, key.length, Aead.KEY_BYTES));
    }
    if (!library.isAvailable()) {
      throw new ConfigException(library.problem());
    }
    return switch (library) {
      case OPENSSL -> new OpenSslAead(this, key);
      case JDK -> new JdkAead(this, key);
    };
  }
}
