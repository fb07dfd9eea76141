package io.linerate.stream.codec;

/** What encrypts. */
public enum AeadLibrary {
  /** The system's libcrypto of OpenSSL 3: makes no objects, and wipes keys. */
  OPENSSL,

  /**
   * The JDK: always there. Makes 1 to 3 KB of objects for a message (as many as the message has
   * bytes, and more, with ChaCha20-Poly1305), and leaves copies of the key to the garbage
   * collector.
   */
  JDK;

  /** Whether this machine has it. */
  public boolean isAvailable() {
    return problem().isEmpty();
  }

  /** What this machine lacks, and what to do, in a sentence; "" if nothing. */
  public String problem() {
    return switch (this) {
      case OPENSSL -> LibCrypto.LIBRARY.problem();
      case JDK -> "";
    };
  }
}
