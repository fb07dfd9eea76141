package io.linerate.stream.codec;

import io.linerate.core.driver.CFunction;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of OpenSSL's libcrypto 3 for AEAD (EVP_EncryptInit(3)). Those that look at a nonce
 * or a tag only are {@code critical}: they take some 50 ns whatever the message is. Those of
 * messages and what is authenticated with them are not.
 */
final class LibCrypto {
  static final NativeLibrary LIBRARY =
      NativeLibrary.load("OpenSSL", "libcrypto.so.3", "the JDK's ciphers");

  /** OPENSSL_INIT_NO_ATEXIT: threads may still be in it while the process ends. */
  private static final long NO_CLEAN_UP_AT_EXIT = 0x0008_0000;

  private static final long GET_TAG = 0x10;
  private static final long SET_TAG = 0x11;

  private static final Linker.Option SHORT = Linker.Option.critical(false);

  private static final MethodHandle INIT_LIBRARY = LIBRARY.function("OPENSSL_init_crypto");
  private static final MethodHandle CLEANSE = LIBRARY.function("OPENSSL_cleanse");
  private static final MethodHandle NEW = LIBRARY.function("EVP_CIPHER_CTX_new");
  private static final MethodHandle FREE = LIBRARY.function("EVP_CIPHER_CTX_free");
  private static final MethodHandle INIT = LIBRARY.function("EVP_CipherInit_ex");
  private static final MethodHandle AES = LIBRARY.function("EVP_aes_256_gcm");
  private static final MethodHandle CHACHA = LIBRARY.function("EVP_chacha20_poly1305");

  private static final MethodHandle SET_NONCE = LIBRARY.function("EVP_CipherInit_ex", SHORT);
  private static final MethodHandle CONTROL = LIBRARY.function("EVP_CIPHER_CTX_ctrl", SHORT);
  private static final MethodHandle FINISH = LIBRARY.function("EVP_CipherFinal_ex", SHORT);
  private static final MethodHandle UPDATE = LIBRARY.holdingFunction("EVP_CipherUpdate");

  static {
    if (LIBRARY.problem().isEmpty()) {
      CFunction.call(INIT_LIBRARY, NO_CLEAN_UP_AT_EXIT);
    }
  }

  private LibCrypto() {}

  /** A context with its key, which the library wipes when it is freed. */
  static long create(AeadAlgorithm algorithm, long key, boolean isToSeal) {
    long cipher =
        CFunction.call(
            switch (algorithm) {
              case AES_256_GCM -> AES;
              case CHACHA20_POLY1305 -> CHACHA;
            });
    long context = CFunction.call(NEW);
    int result = (int) CFunction.call(INIT, context, cipher, 0, key, 0, isToSeal ? 1 : 0);
    if (result != 1) {
      free(context);
      throw new IllegalStateException(
          "OpenSSL refuses a cipher: algorithm=%s, call=EVP_CipherInit_ex, result=%d; choose the JDK's"
              .formatted(algorithm.label(), result));
    }
    return context;
  }

  static void free(long context) {
    CFunction.call(FREE, context);
  }

  static void wipe(MemorySegment segment) {
    CFunction.call(CLEANSE, segment.address(), segment.byteSize());
  }

  /** Begins a message. Whether to seal it stays as it was. */
  static boolean setNonce(long context, long nonce) {
    try {
      return (int) (long) SET_NONCE.invokeExact(context, 0L, 0L, 0L, nonce, -1L) == 1;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /**
   * Goes through a range.
   *
   * @param target 0 for what is authenticated only
   * @param written where the library leaves how much it wrote, an int
   * @param held has the source
   * @param heldTarget has the target
   */
  static boolean update(
      long context,
      long target,
      long written,
      long source,
      int bytes,
      MemorySegment held,
      MemorySegment heldTarget) {
    try {
      long result =
          (long)
              UPDATE.invokeExact(
                  context, target, written, source, (long) bytes, 0L, held, heldTarget);
      return (int) result == 1;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** Ends a message; false if it is opened, and not authentic. Writes nothing to {@code rest}. */
  static boolean finish(long context, long rest, long written) {
    try {
      return (int) (long) FINISH.invokeExact(context, rest, written, 0L, 0L, 0L) == 1;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  static boolean getTag(long context, long tag) {
    return control(context, GET_TAG, tag);
  }

  static boolean setTag(long context, long tag) {
    return control(context, SET_TAG, tag);
  }

  private static boolean control(long context, long command, long tag) {
    try {
      long result =
          (long) CONTROL.invokeExact(context, command, (long) Aead.TAG_BYTES, tag, 0L, 0L);
      return (int) result == 1;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }
}
