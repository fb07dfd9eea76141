package io.linerate.stream.net;

import io.linerate.stream.codec.Aead;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Hkdf;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Of {@link PayloadCodec#sealed}. */
final class SealedWork implements PayloadWork {
  private static final int SALT_BYTES = 16;
  private static final int HEADER_BYTES = SALT_BYTES + Long.BYTES;
  static final int ADDED_BYTES = HEADER_BYTES + Aead.TAG_BYTES;

  /** Senders that are known at once; another one takes the place of who was heard longest ago. */
  private static final int MOST_SENDERS = 64;

  /** Keys that are derived each second for salts that nobody knows: they may be made up. */
  private static final int MOST_GUESSES = 1_000;

  private static final long SECOND_NS = 1_000_000_000;

  private final LinkKey key;
  private final AeadAlgorithm algorithm;
  private final SecureRandom random = new SecureRandom();
  private @Nullable Sender own;
  private final @Nullable Sender[] senders = new Sender[MOST_SENDERS];
  private @Nullable Sender last;
  private long heard;
  private int guesses;
  private long guessNs;

  /** The key of a salt, and what has come under it. */
  private static final class Sender {
    private final long high;
    private final long low;
    private final Aead aead;
    private final int vectorHigh;
    private final long vectorLow;
    private final ReceivedNumbers numbers = new ReceivedNumbers();
    private long next;
    private long heard;

    Sender(LinkKey key, AeadAlgorithm algorithm, long high, long low) {
      this.high = high;
      this.low = low;
      byte[] salt = ByteBuffer.allocate(SALT_BYTES).putLong(high).putLong(low).array();
      byte[] secret = key.derive(salt, "datagrams");
      byte[] bytes =
          Hkdf.expand(
              secret,
              "linerate datagrams 1".getBytes(StandardCharsets.US_ASCII),
              Aead.KEY_BYTES + Aead.NONCE_BYTES);
      aead = algorithm.open(Arrays.copyOf(bytes, Aead.KEY_BYTES));
      ByteBuffer vector = ByteBuffer.wrap(bytes, Aead.KEY_BYTES, Aead.NONCE_BYTES);
      vectorHigh = vector.getInt();
      vectorLow = vector.getLong();
      Arrays.fill(bytes, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }

  SealedWork(LinkKey key, AeadAlgorithm algorithm) {
    this.key = key;
    this.algorithm = algorithm;
  }

  @Override
  public int write(MemorySegment source, long at, int bytes, MemorySegment target, long targetAt) {
    Sender sender = own;
    if (sender == null || sender.next == 1L << AeadSeal.KEY_BITS) {
      if (sender != null) {
        sender.aead.close();
      }
      sender = new Sender(key, algorithm, random.nextLong(), random.nextLong());
      own = sender;
    }
    long number = sender.next++;
    target.set(Datagram.U64, targetAt, sender.high);
    target.set(Datagram.U64, targetAt + Long.BYTES, sender.low);
    target.set(Datagram.U64, targetAt + SALT_BYTES, number);
    return HEADER_BYTES
        + sender.aead.seal(
            sender.vectorHigh,
            sender.vectorLow ^ number,
            MemorySegment.NULL,
            0,
            0,
            source,
            at,
            bytes,
            target,
            targetAt + HEADER_BYTES);
  }

  @Override
  public int read(
      MemorySegment source, long at, int bytes, MemorySegment target, long targetAt, int room) {
    if (bytes < ADDED_BYTES || bytes - ADDED_BYTES > room) {
      return FAILED;
    }
    long high = source.get(Datagram.U64, at);
    long low = source.get(Datagram.U64, at + Long.BYTES);
    long number = source.get(Datagram.U64, at + SALT_BYTES);
    Sender sender = last;
    if (sender == null || sender.low != low || sender.high != high) {
      sender = find(high, low);
    }
    boolean isNewcomer = sender == null;
    if (sender == null) {
      if (!mayGuess()) {
        return FAILED;
      }
      sender = new Sender(key, algorithm, high, low);
    }
    int opened =
        number < 0 || number >= 1L << AeadSeal.KEY_BITS || !sender.numbers.isNew(number)
            ? Aead.FAILED
            : sender.aead.open(
                sender.vectorHigh,
                sender.vectorLow ^ number,
                MemorySegment.NULL,
                0,
                0,
                source,
                at + HEADER_BYTES,
                bytes - HEADER_BYTES,
                target,
                targetAt);
    if (opened == Aead.FAILED) {
      if (isNewcomer) {
        sender.aead.close();
      }
      return FAILED;
    }
    boolean _ = sender.numbers.add(number);
    if (isNewcomer) {
      keep(sender);
    }
    sender.heard = heard++;
    last = sender;
    return opened;
  }

  private boolean mayGuess() {
    long nowNs = System.nanoTime();
    if (guesses == 0 || nowNs - guessNs >= SECOND_NS) {
      guessNs = nowNs;
      guesses = 0;
    }
    return guesses++ < MOST_GUESSES;
  }

  private @Nullable Sender find(long high, long low) {
    for (Sender sender : senders) {
      if (sender != null && sender.low == low && sender.high == high) {
        return sender;
      }
    }
    return null;
  }

  private void keep(Sender newcomer) {
    int place = 0;
    long longest = Long.MAX_VALUE;
    for (int i = 0; i < senders.length && longest >= 0; i++) {
      Sender sender = senders[i];
      long at = sender == null ? -1 : sender.heard;
      if (at < longest) {
        longest = at;
        place = i;
      }
    }
    Sender before = senders[place];
    if (before != null) {
      before.aead.close();
    }
    senders[place] = newcomer;
  }

  @Override
  public void close() {
    if (own != null) {
      own.aead.close();
    }
    for (Sender sender : senders) {
      if (sender != null) {
        sender.aead.close();
      }
    }
  }
}
