package io.linerate.stream.codec;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** By {@link AeadLibrary#JDK}. */
final class JdkAead implements Aead {
  private final OneThread thread = new OneThread();
  private final AeadAlgorithm algorithm;
  private final SecretBytes key;
  private final Cipher cipher;
  private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);

  JdkAead(AeadAlgorithm algorithm, byte[] key) {
    this.algorithm = algorithm;
    try {
      switch (algorithm) {
        case AES_256_GCM -> {
          cipher = Cipher.getInstance("AES/GCM/NoPadding");
          this.key = new SecretBytes("AES", key);
        }
        case CHACHA20_POLY1305 -> {
          cipher = Cipher.getInstance("ChaCha20-Poly1305");
          this.key = new SecretBytes("ChaCha20", key);
        }
        default -> throw new AssertionError(algorithm);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "the JDK has no such cipher: algorithm=%s; choose OpenSSL".formatted(algorithm.label()),
          e);
    }
  }

  @Override
  public int seal(
      int nonceHigh,
      long nonceLow,
      MemorySegment aad,
      long aadAt,
      int aadBytes,
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt) {
    thread.check();
    int targetBytes = Math.addExact(sourceBytes, TAG_BYTES);
    check(source, sourceAt, sourceBytes, target, targetAt, targetBytes);
    MemorySegment with = aad.asSlice(aadAt, aadBytes);
    MemorySegment from = source.asSlice(sourceAt, sourceBytes);
    MemorySegment to = target.asSlice(targetAt, targetBytes);
    try {
      cipher.init(Cipher.ENCRYPT_MODE, key, parameters(nonceHigh, nonceLow));
      cipher.updateAAD(with.asByteBuffer());
      return cipher.doFinal(from.asByteBuffer(), to.asByteBuffer());
    } catch (InvalidAlgorithmParameterException e) {
      throw new IllegalStateException(
          "a nonce is used again: high=%d, low=%d; count for each message"
              .formatted(nonceHigh, nonceLow),
          e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "the JDK does not seal: algorithm=%s; choose OpenSSL".formatted(algorithm.label()), e);
    }
  }

  @Override
  public int open(
      int nonceHigh,
      long nonceLow,
      MemorySegment aad,
      long aadAt,
      int aadBytes,
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt) {
    thread.check();
    MemorySegment with = aad.asSlice(aadAt, aadBytes);
    MemorySegment from = source.asSlice(sourceAt, sourceBytes);
    if (sourceBytes < TAG_BYTES) {
      return FAILED;
    }
    check(source, sourceAt, sourceBytes, target, targetAt, sourceBytes - TAG_BYTES);
    MemorySegment to = target.asSlice(targetAt, sourceBytes - TAG_BYTES);
    try {
      cipher.init(Cipher.DECRYPT_MODE, key, parameters(nonceHigh, nonceLow));
      cipher.updateAAD(with.asByteBuffer());
      return cipher.doFinal(from.asByteBuffer(), to.asByteBuffer());
    } catch (GeneralSecurityException e) {
      to.fill((byte) 0);
      return FAILED;
    }
  }

  private static void check(
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt,
      int targetBytes) {
    long from = NativeRange.source(source, sourceAt, sourceBytes);
    long to = NativeRange.target(target, targetAt, targetBytes);
    NativeRange.checkApartOrSame(from, sourceBytes, to, targetBytes);
  }

  private AlgorithmParameterSpec parameters(int nonceHigh, long nonceLow) {
    nonce.putInt(0, nonceHigh).putLong(Integer.BYTES, nonceLow);
    return switch (algorithm) {
      case AES_256_GCM -> new GCMParameterSpec(Byte.SIZE * TAG_BYTES, nonce.array());
      case CHACHA20_POLY1305 -> new IvParameterSpec(nonce.array());
    };
  }

  @Override
  public void release() {
    thread.release();
  }

  @Override
  public void close() {
    if (thread.close()) {
      key.destroy();
    }
  }
}
