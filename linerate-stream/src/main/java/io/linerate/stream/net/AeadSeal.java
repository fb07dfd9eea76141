package io.linerate.stream.net;

import io.linerate.stream.codec.Aead;
import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Hkdf;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates datagrams. The nonce is the number of the datagram, xor a vector (RFC
 * 9001, section 5.3). A key is for 2^22 numbers, within the limits of RFC 9001, section 6.6: that
 * of the next ones is derived from the same secret and the number of the key, so that nobody has to
 * say when it changes.
 */
final class AeadSeal implements DatagramSeal {
  /** Numbers that one key is for, as a power of two. */
  static final int KEY_BITS = 22;

  private final AeadAlgorithm algorithm;
  private final byte[] secret;
  private final int vectorHigh;
  private final long vectorLow;

  // Of the current key, the one before and the one behind it: datagrams come in another order than
  // they were sent, and nobody makes us derive a key twice.
  private final @Nullable Aead[] aeads = new Aead[3];
  private final long[] epochs = {-1, -1, -1};

  /** The highest key under which something was authentic. */
  private long current;

  /**
   * @param secret wiped when this is closed
   */
  AeadSeal(AeadAlgorithm algorithm, byte[] secret) {
    this.algorithm = algorithm;
    this.secret = secret.clone();
    ByteBuffer vector = ByteBuffer.wrap(Hkdf.expand(secret, label("iv", 0), Aead.NONCE_BYTES));
    vectorHigh = vector.getInt();
    vectorLow = vector.getLong();
  }

  private static byte[] label(String what, long epoch) {
    return ("linerate stream 1 " + what + " " + epoch).getBytes(StandardCharsets.US_ASCII);
  }

  private Aead aead(long epoch) {
    int slot = (int) (epoch % aeads.length);
    Aead aead = aeads[slot];
    if (aead != null && epochs[slot] == epoch) {
      return aead;
    }
    if (aead != null) {
      aead.close();
    }
    byte[] key = Hkdf.expand(secret, label("key", epoch), Aead.KEY_BYTES);
    aead = algorithm.open(key);
    Arrays.fill(key, (byte) 0);
    aeads[slot] = aead;
    epochs[slot] = epoch;
    return aead;
  }

  @Override
  public int bytes() {
    return Aead.TAG_BYTES;
  }

  @Override
  public void seal(long number, Datagram datagram) {
    MemorySegment memory = datagram.memory();
    int payload = datagram.length() - Wire.HEADER_BYTES;
    int sealed =
        aead(number >>> KEY_BITS)
            .seal(
                vectorHigh,
                vectorLow ^ number,
                memory,
                0,
                Wire.HEADER_BYTES,
                memory,
                Wire.HEADER_BYTES,
                payload,
                memory,
                Wire.HEADER_BYTES);
    datagram.length(Wire.HEADER_BYTES + sealed);
  }

  @Override
  public boolean open(long number, Datagram datagram) {
    long epoch = number >>> KEY_BITS;
    boolean isShort = datagram.length() < Wire.HEADER_BYTES + Aead.TAG_BYTES;
    if (isShort || epoch < current - 1 || epoch > current + 1) {
      return false; // Nobody makes us derive keys of any number.
    }
    MemorySegment memory = datagram.memory();
    int opened =
        aead(epoch)
            .open(
                vectorHigh,
                vectorLow ^ number,
                memory,
                0,
                Wire.HEADER_BYTES,
                memory,
                Wire.HEADER_BYTES,
                datagram.length() - Wire.HEADER_BYTES,
                memory,
                Wire.HEADER_BYTES);
    if (opened == Aead.FAILED) {
      return false;
    }
    current = Math.max(current, epoch);
    datagram.length(Wire.HEADER_BYTES + opened);
    return true;
  }

  @Override
  public void release() {
    for (Aead aead : aeads) {
      if (aead != null) {
        aead.release();
      }
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < aeads.length; i++) {
      Aead aead = aeads[i];
      if (aead != null) {
        aead.close();
      }
      aeads[i] = null;
    }
    Arrays.fill(secret, (byte) 0);
  }
}
