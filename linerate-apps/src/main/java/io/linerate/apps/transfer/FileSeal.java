package io.linerate.apps.transfer;

import io.linerate.core.driver.NativeMemory;
import io.linerate.stream.codec.Aead;
import io.linerate.stream.codec.AeadAlgorithm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts what messages say of a secret file, behind their headers, and opens it:
 *
 * <pre>
 * header 24 | random bytes 16 | number 8 | what is encrypted | tag 16
 * </pre>
 *
 * The key is derived from the file key and the random bytes, which are each worker's own and new
 * with each start and 2^22 messages; the number, which counts, is the nonce: none is ever used
 * twice with a key. The header and what was said of the file are authenticated with it, so that a
 * message fits no other place and no other file. On one worker.
 */
final class FileSeal implements AutoCloseable {
  /** Where the header ends. */
  static final int HEADER_BYTES = 24;

  /** Bytes between the header and what is encrypted. */
  static final int FRONT_BYTES = 24;

  /** By which a message becomes longer. */
  static final int MORE_BYTES = FRONT_BYTES + Aead.TAG_BYTES;

  private static final int NUMBER = 16;
  private static final int MOST_KEYS = 64;

  /** Messages under one key, within the limits of RFC 9001, section 6.6. */
  private static final long MOST_NUMBERS = 1L << 22;

  private final FileKey key;
  private final AeadAlgorithm algorithm;
  private final SecureRandom random = new SecureRandom();
  private final byte[] salt = new byte[NUMBER];
  private final MemorySegment bound =
      Arena.ofAuto().allocate(HEADER_BYTES + TransferWire.DIGEST_BYTES, Long.BYTES);
  private final Map<Sender, Aead> senders = new LinkedHashMap<>(MOST_KEYS, 0.75f, true);
  private @Nullable Aead own;
  private long number;

  /** Who has encrypted. */
  private record Sender(AeadAlgorithm algorithm, long high, long low) {}

  FileSeal(FileKey key, AeadAlgorithm algorithm) {
    this.key = key;
    this.algorithm = algorithm;
  }

  /** A cipher as a number; 0 is none. */
  static int code(AeadAlgorithm algorithm) {
    return algorithm == AeadAlgorithm.AES_256_GCM ? 1 : 2;
  }

  private void bind(MemorySegment message, long at, byte[] file) {
    MemorySegment.copy(message, at, bound, 0, HEADER_BYTES);
    MemorySegment.copy(file, 0, bound, NativeMemory.U8, HEADER_BYTES, TransferWire.DIGEST_BYTES);
  }

  /**
   * Encrypts a message in place.
   *
   * @param file what the message is bound to beside its header
   * @param plainBytes that lie at {@code HEADER_BYTES + FRONT_BYTES}
   * @return how long the message is
   */
  int seal(MemorySegment message, byte[] file, int plainBytes) {
    Aead by = own;
    if (by == null || number == MOST_NUMBERS) {
      if (by != null) {
        by.close();
      }
      random.nextBytes(salt);
      by = key.open(algorithm, salt);
      own = by;
      number = 0;
    }
    message.set(NativeMemory.U8, 2, (byte) code(algorithm));
    MemorySegment.copy(salt, 0, message, NativeMemory.U8, HEADER_BYTES, salt.length);
    message.set(NativeMemory.NET_U64, HEADER_BYTES + NUMBER, number);
    bind(message, 0, file);
    int at = HEADER_BYTES + FRONT_BYTES;
    return at
        + by.seal(
            0, number++, bound, 0, (int) bound.byteSize(), message, at, plainBytes, message, at);
  }

  /**
   * Decrypts a message of somebody who may have the key.
   *
   * @return how many bytes; {@link Aead#FAILED}: it is not authentic
   */
  int open(MemorySegment message, long at, int bytes, byte[] file, MemorySegment target) {
    int sealed = bytes - HEADER_BYTES - FRONT_BYTES;
    if (sealed < Aead.TAG_BYTES || sealed - Aead.TAG_BYTES > target.byteSize()) {
      return Aead.FAILED;
    }
    AeadAlgorithm theirs;
    switch (message.get(NativeMemory.U8, at + 2)) {
      case 1 -> theirs = AeadAlgorithm.AES_256_GCM;
      case 2 -> theirs = AeadAlgorithm.CHACHA20_POLY1305;
      default -> {
        return Aead.FAILED;
      }
    }
    Sender sender =
        new Sender(
            theirs,
            message.get(NativeMemory.NET_U64, at + HEADER_BYTES),
            message.get(NativeMemory.NET_U64, at + HEADER_BYTES + Long.BYTES));
    Aead known = senders.get(sender);
    Aead by = known == null ? open(theirs, message, at) : known;
    bind(message, at, file);
    int opened =
        by.open(
            0,
            message.get(NativeMemory.NET_U64, at + HEADER_BYTES + NUMBER),
            bound,
            0,
            (int) bound.byteSize(),
            message,
            at + HEADER_BYTES + FRONT_BYTES,
            sealed,
            target,
            0);
    if (known == null) {
      keep(sender, by, opened != Aead.FAILED);
    }
    return opened;
  }

  private Aead open(AeadAlgorithm by, MemorySegment message, long at) {
    byte[] theirs = new byte[NUMBER];
    MemorySegment.copy(message, NativeMemory.U8, at + HEADER_BYTES, theirs, 0, NUMBER);
    return key.open(by, theirs);
  }

  /** Keys of those who have sent of late are derived once: who has none pushes out no other. */
  private void keep(Sender sender, Aead by, boolean isAuthentic) {
    if (!isAuthentic) {
      by.close();
      return;
    }
    senders.put(sender, by);
    if (senders.size() > MOST_KEYS) {
      var eldest = senders.entrySet().iterator();
      eldest.next().getValue().close();
      eldest.remove();
    }
  }

  @Override
  public void close() {
    senders.values().forEach(Aead::close);
    Aead by = own;
    if (by != null) {
      by.close();
    }
  }
}
