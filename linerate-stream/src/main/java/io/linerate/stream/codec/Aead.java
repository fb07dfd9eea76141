package io.linerate.stream.codec;

import java.lang.foreign.MemorySegment;

/**
 * Encrypts and authenticates messages in native memory (RFC 5116). A sealed message is as long as
 * the plain one, and {@link #TAG_BYTES} of tag behind it.
 *
 * <p>A nonce has 96 bits: 32 and 64 in network order. <b>No two messages are ever sealed with the
 * same nonce and key</b>: count, and take another key when the program starts again. Protocols that
 * derive nonces as TLS 1.3 does (RFC 8446, 5.3) give the high part of the vector, and the low part
 * xor the message's number.
 *
 * <p>Messages may be sealed and opened in place: source and target begin at the same byte.
 * Otherwise they must not overlap.
 *
 * <p>One thread's own: that of the first call, or behind {@link #release}. It is closed there, or
 * when that thread has ended.
 */
public sealed interface Aead extends AutoCloseable permits JdkAead, OpenSslAead {
  /** The result for a message that is not authentic, whatever is wrong with it. */
  int FAILED = -1;

  /** Length of keys. */
  int KEY_BYTES = 32;

  /** Length of nonces. */
  int NONCE_BYTES = 12;

  /** Length of tags. */
  int TAG_BYTES = 16;

  /**
   * Encrypts a message.
   *
   * @param aad what is authenticated with it, but not encrypted
   * @param target with room for the message and its tag
   * @return bytes written: {@code sourceBytes + TAG_BYTES}
   * @throws IndexOutOfBoundsException if the ranges are not in the segments
   */
  int seal(
      int nonceHigh,
      long nonceLow,
      MemorySegment aad,
      long aadAt,
      int aadBytes,
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt);

  /** Encrypts the whole of a segment; {@link MemorySegment#NULL} is no {@code aad}. */
  default int seal(
      int nonceHigh, long nonceLow, MemorySegment aad, MemorySegment source, MemorySegment target) {
    return seal(
        nonceHigh,
        nonceLow,
        aad,
        0,
        NativeRange.length(aad),
        source,
        0,
        NativeRange.length(source),
        target,
        0);
  }

  /**
   * Decrypts a message. Nothing of one that is not authentic is left in the target, which is zeroes
   * then.
   *
   * @param source the message and its tag
   * @param target with room for {@code sourceBytes - TAG_BYTES}
   * @return bytes written, or {@link #FAILED}
   * @throws IndexOutOfBoundsException if the ranges are not in the segments
   */
  int open(
      int nonceHigh,
      long nonceLow,
      MemorySegment aad,
      long aadAt,
      int aadBytes,
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt);

  /** Decrypts the whole of a segment; {@link MemorySegment#NULL} is no {@code aad}. */
  default int open(
      int nonceHigh, long nonceLow, MemorySegment aad, MemorySegment source, MemorySegment target) {
    return open(
        nonceHigh,
        nonceLow,
        aad,
        0,
        NativeRange.length(aad),
        source,
        0,
        NativeRange.length(source),
        target,
        0);
  }

  /**
   * Lets another thread have it: the next one that uses it. What this thread has done is seen there
   * if that thread knows of this call by a volatile variable, a lock or the like.
   */
  void release();

  /**
   * Wipes the key, as far as the library does, and frees what it has of native memory; where nobody
   * closes, OpenSSL does so later.
   */
  @Override
  void close();
}
