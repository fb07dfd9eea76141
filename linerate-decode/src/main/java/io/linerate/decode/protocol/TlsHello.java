package io.linerate.decode.protocol;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Dissection;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a hello of TLS offers, as numbers without those of RFC 8701, which have no meaning. Made for
 * fingerprints alone: it allocates.
 */
final class TlsHello {
  private static final int SESSION_OFFSET = 34;
  private static final int NONE = -1;
  private static final int APPLICATION_PROTOCOLS = 16;

  private final ByteView bytes;
  private final int start;
  private final int end;

  /** Offset of the length of the cipher suites, of a client. */
  private final int ciphersAt;

  /**
   * @param start offset of its version from the start of the layer
   */
  TlsHello(Dissection dissection, int start) {
    this(
        dissection.layer().bytes(),
        dissection.layer().offset() + start,
        dissection.layer().offset() + dissection.offset());
  }

  TlsHello(ByteView bytes, int start, int end) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    ciphersAt = start + SESSION_OFFSET + 1 + u8(start + SESSION_OFFSET);
  }

  private int u8(int at) {
    return at >= 0 && at < end ? bytes.u8(at) : 0;
  }

  private int u16(int at) {
    return (u8(at) << Byte.SIZE) | u8(at + 1);
  }

  private static boolean isReserved(int value) {
    return (value & 0x0F0F) == 0x0A0A && value >>> Byte.SIZE == (value & 0xFF);
  }

  /** The version that it names in its fixed part. */
  int version() {
    return u16(start);
  }

  int[] ciphers() {
    return numbers(ciphersAt + 2, u16(ciphersAt), 2);
  }

  private int[] numbers(int from, int count, int size) {
    int limit = Math.min(from + count, end);
    int[] all = new int[Math.max(limit - from, 0) / size];
    int found = 0;
    for (int at = from; at + size <= limit; at += size) {
      int value = size == 1 ? u8(at) : u16(at);
      if (size == 1 || !isReserved(value)) {
        all[found++] = value;
      }
    }
    return Arrays.copyOf(all, found);
  }

  /** Offset of the length of a client's extensions. */
  private int extensionsAt() {
    int compressions = ciphersAt + 2 + u16(ciphersAt);
    return compressions + 1 + u8(compressions);
  }

  int[] extensionTypes() {
    return types(extensionsAt());
  }

  private int[] types(int lengthAt) {
    int[] all = new int[end - start];
    int found = 0;
    int limit = Math.min(lengthAt + 2 + u16(lengthAt), end);
    for (int at = lengthAt + 2; at + 4 <= limit; at += 4 + u16(at + 2)) {
      if (!isReserved(u16(at))) {
        all[found++] = u16(at);
      }
    }
    return Arrays.copyOf(all, found);
  }

  /** Offset of what an extension of a client holds, or {@link #NONE}. */
  private int extension(int type) {
    int at = extensionsAt();
    int limit = Math.min(at + 2 + u16(at), end);
    for (at += 2; at + 4 <= limit; at += 4 + u16(at + 2)) {
      if (u16(at) == type) {
        return at + 4;
      }
    }
    return NONE;
  }

  /** Whether a client has an extension. */
  boolean has(int type) {
    return extension(type) != NONE;
  }

  /**
   * The numbers of an extension of a client that has a list of them.
   *
   * @param lengthBytes of the list's length
   * @param size of each
   */
  int[] list(int type, int lengthBytes, int size) {
    int at = extension(type);
    if (at == NONE) {
      return new int[0];
    }
    int count = lengthBytes == 1 ? u8(at) : u16(at);
    int room = u16(at - 2) - lengthBytes;
    return numbers(at + lengthBytes, count > room ? 0 : count, size);
  }

  /** The first application protocol of a client; null if there is none. */
  byte @Nullable [] protocol() {
    int at = extension(APPLICATION_PROTOCOLS);
    int length = at == NONE ? 0 : u8(at + 2);
    if (length == 0 || at + 3 + length > end) {
      return null;
    }
    byte[] name = new byte[length];
    bytes.get(at + 3, name, 0, length);
    return name;
  }

  /** Version, cipher suite and extensions of a server: RFC 8446, section 4.1.3. */
  String serverText() {
    StringBuilder text = new StringBuilder().append(version()).append(',');
    text.append(u16(ciphersAt)).append(',');
    join(text, types(ciphersAt + 3), 10, '-');
    return text.toString();
  }

  /**
   * Adds numbers to a text.
   *
   * @param radix 10, or 16: of four digits then
   */
  static void join(StringBuilder text, int[] numbers, int radix, char between) {
    for (int i = 0; i < numbers.length; i++) {
      if (i > 0) {
        text.append(between);
      }
      if (radix == 10) {
        text.append(numbers[i]);
      } else {
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(Character.forDigit((numbers[i] >>> shift) & 0xF, 16));
        }
      }
    }
  }
}
