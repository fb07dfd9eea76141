package io.linerate.stream.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteOrder;

/** By {@link AeadLibrary#OPENSSL}: a context for each direction, whose nonce changes. */
final class OpenSslAead implements Aead {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Of what the library is given for each message: nonce, tag, and how much it wrote. */
  private static final int NONCE_AT = 0;

  private static final int TAG_AT = 16;
  private static final int WRITTEN_AT = 32;
  private static final int SCRATCH_BYTES = 64;

  private final OneThread thread = new OneThread();
  private final MemorySegment scratch = Arena.ofAuto().allocate(SCRATCH_BYTES, Long.BYTES);
  private final NativeState memory;
  private final long nonce = scratch.address() + NONCE_AT;
  private final long tag = scratch.address() + TAG_AT;
  private final long written = scratch.address() + WRITTEN_AT;
  private final long sealing;
  private final long opening;

  OpenSslAead(AeadAlgorithm algorithm, byte[] key) {
    MemorySegment.copy(key, 0, scratch, ValueLayout.JAVA_BYTE, 0, key.length);
    try {
      sealing = LibCrypto.create(algorithm, scratch.address(), true);
      opening = LibCrypto.create(algorithm, scratch.address(), false);
    } finally {
      LibCrypto.wipe(scratch);
    }
    memory = new NativeState(this, freeing(sealing, opening));
  }

  private static Runnable freeing(long sealing, long opening) {
    return () -> {
      LibCrypto.free(sealing);
      LibCrypto.free(opening);
    };
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
    long to = NativeRange.target(target, targetAt, Math.addExact(sourceBytes, TAG_BYTES));
    long from = NativeRange.source(source, sourceAt, sourceBytes);
    NativeRange.checkApartOrSame(from, sourceBytes, to, sourceBytes + TAG_BYTES);
    boolean isDone;
    try {
      isDone =
          begin(sealing, nonceHigh, nonceLow, aad, aadAt, aadBytes)
              && update(sealing, from, sourceBytes, to, source, target)
              && LibCrypto.finish(sealing, tag, written)
              && LibCrypto.getTag(sealing, tag);
    } finally {
      Reference.reachabilityFence(this);
    }
    if (!isDone) {
      throw new IllegalStateException(
          "OpenSSL does not seal: bytes=%d, aadBytes=%d; choose the JDK's ciphers"
              .formatted(sourceBytes, aadBytes));
    }
    long tagAt = targetAt + sourceBytes;
    target.set(LONG, tagAt, scratch.get(LONG, TAG_AT));
    target.set(LONG, tagAt + Long.BYTES, scratch.get(LONG, TAG_AT + Long.BYTES));
    return sourceBytes + TAG_BYTES;
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
    int bytes = sourceBytes - TAG_BYTES;
    long from = NativeRange.source(source, sourceAt, sourceBytes);
    if (bytes < 0) {
      return FAILED;
    }
    long to = NativeRange.target(target, targetAt, bytes);
    NativeRange.checkApartOrSame(from, sourceBytes, to, bytes);
    long tagAt = sourceAt + bytes;
    scratch.set(LONG, TAG_AT, source.get(LONG, tagAt));
    scratch.set(LONG, TAG_AT + Long.BYTES, source.get(LONG, tagAt + Long.BYTES));
    boolean isAuthentic;
    try {
      isAuthentic =
          begin(opening, nonceHigh, nonceLow, aad, aadAt, aadBytes)
              && update(opening, from, bytes, to, source, target)
              && LibCrypto.setTag(opening, tag)
              && LibCrypto.finish(opening, tag, written);
    } finally {
      Reference.reachabilityFence(this);
    }
    if (!isAuthentic) {
      target.asSlice(targetAt, bytes).fill((byte) 0);
    }
    return isAuthentic ? bytes : FAILED;
  }

  private boolean begin(
      long context, int nonceHigh, long nonceLow, MemorySegment aad, long aadAt, int aadBytes) {
    long with = NativeRange.source(aad, aadAt, aadBytes);
    scratch.set(INT, NONCE_AT, nonceHigh);
    scratch.set(LONG, NONCE_AT + Integer.BYTES, nonceLow);
    return LibCrypto.setNonce(context, nonce)
        && (aadBytes == 0
            || LibCrypto.update(context, 0, written, with, aadBytes, aad, MemorySegment.NULL));
  }

  private boolean update(
      long context, long from, int bytes, long to, MemorySegment held, MemorySegment heldTarget) {
    return bytes == 0 || LibCrypto.update(context, to, written, from, bytes, held, heldTarget);
  }

  @Override
  public void release() {
    thread.release();
  }

  @Override
  public void close() {
    if (thread.close()) {
      memory.free();
    }
  }
}
