package io.linerate.stream.net;

import io.linerate.stream.codec.AeadAlgorithm;
import io.linerate.stream.codec.Compression;

/**
 * What is done to the payload of each datagram by {@link UdpOut}, and undone by {@link UdpIn}: a
 * value that makes a {@link PayloadWork} on each worker.
 */
public sealed interface PayloadCodec {
  /** Nothing: what is sent is what is given. */
  static PayloadCodec plain() {
    return new Plain();
  }

  /**
   * Encrypts and authenticates each: 16 bytes of salt, which each sending worker makes when it
   * begins and every 2^22 datagrams, 8 bytes of number, the message, 16 bytes of tag. Who receives
   * takes each number of a salt once, as long as it runs: there is no handshake, as {@link
   * StreamOut} has.
   *
   * @param key a secret one
   */
  static PayloadCodec sealed(LinkKey key, AeadAlgorithm algorithm) {
    return new Sealed(key, algorithm);
  }

  /**
   * Compresses each: 4 bytes with the length of the message, or its complement if it is sent as it
   * is, and the message.
   *
   * @param level as the format has them
   */
  static PayloadCodec compressed(Compression compression, int level) {
    compression.open(level).close(); // Says what is wrong.
    return new Compressed(compression, level);
  }

  /** Bytes that it adds at most. */
  int mostAddedBytes();

  /** Makes what does it on a worker. */
  PayloadWork open();

  /** See {@link #plain}. */
  record Plain() implements PayloadCodec {
    @Override
    public int mostAddedBytes() {
      return 0;
    }

    @Override
    public PayloadWork open() {
      return new PlainWork();
    }
  }

  /** See {@link #sealed}. */
  record Sealed(LinkKey key, AeadAlgorithm algorithm) implements PayloadCodec {
    public Sealed {
      if (!key.isSecret()) {
        throw new IllegalArgumentException("no key to encrypt with: key=none; give a secret one");
      }
    }

    @Override
    public int mostAddedBytes() {
      return SealedWork.ADDED_BYTES;
    }

    @Override
    public PayloadWork open() {
      return new SealedWork(key, algorithm);
    }
  }

  /** See {@link #compressed}. */
  record Compressed(Compression compression, int level) implements PayloadCodec {
    @Override
    public int mostAddedBytes() {
      return CompressedWork.ADDED_BYTES;
    }

    @Override
    public PayloadWork open() {
      return new CompressedWork(compression.open(level));
    }
  }
}
