package io.linerate.decode.protocol;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import org.jspecify.annotations.Nullable;

/**
 * Domain names: labels with their length before them, the last of them empty, or a pointer to where
 * the rest of the name is; RFC 1035, sections 3.1 and 4.1.4.
 */
final class DnsName {
  /** RFC 1035, section 2.3.4: 255 with the length of the first label and of the root. */
  private static final int MAX_TEXT_BYTES = 253;

  private static final int POINTER = 0xC0;
  private static final int MAX_POINTERS = 128;
  private static final String ROOT = "<Root>";
  private static final String LOOP = "<Name contains a pointer that loops>";
  private static final String TOO_LONG = "<Name too long>";

  private DnsName() {}

  /** Bytes that the name at the cursor takes there; 0 if it is not there as a whole. */
  static int bytes(Dissection dissection) {
    return (int) (walk(dissection, null, 0) >>> Integer.SIZE);
  }

  /**
   * Adds the text of the name at the cursor.
   *
   * @return the bytes that it takes there in the upper half, and those of the text, if none of them
   *     were escaped, in the lower; 0 if it is not there as a whole
   */
  static long read(Dissection dissection, StringBuilder out) {
    return read(dissection, out, 0);
  }

  /**
   * As the other, where pointers count from another place.
   *
   * @param base offset of it from the start of the layer
   */
  static long read(Dissection dissection, StringBuilder out, int base) {
    int before = out.length();
    long found = walk(dissection, out, base);
    String instead = instead((int) found);
    if (found == 0 || instead.isEmpty()) {
      return found;
    }
    out.setLength(before);
    out.append(instead);
    return ((found >>> Integer.SIZE) << Integer.SIZE) | instead.length();
  }

  private static String instead(int textBytes) {
    if (textBytes <= 0) {
      return textBytes < 0 ? LOOP : ROOT;
    }
    return textBytes > MAX_TEXT_BYTES ? TOO_LONG : "";
  }

  /**
   * Says what the name at the cursor is, which moves behind it.
   *
   * @return whether it is there
   */
  static boolean add(Dissection dissection, Field field) {
    return add(dissection, field, 0);
  }

  /** As the other, where pointers count from another place. */
  static boolean add(Dissection dissection, Field field, int base) {
    StringBuilder text = dissection.text();
    int bytes = (int) (read(dissection, text, base) >>> Integer.SIZE);
    if (bytes == 0 || !dissection.has(bytes)) {
      missing(dissection);
      return false;
    }
    dissection.text(field, text, 0, bytes);
    dissection.skip(bytes);
    return true;
  }

  /** The name goes on behind the end. */
  static void missing(Dissection dissection) {
    dissection.skip(dissection.left() + 1);
  }

  private static long walk(Dissection dissection, @Nullable StringBuilder out, int base) {
    ByteView bytes = dissection.layer().bytes();
    int start = dissection.layer().offset() + base;
    int limit = dissection.layer().payloadOffset();
    int from = start - base + dissection.offset();
    int at = from;
    int end = -1;
    int textBytes = 0;
    int pointers = 0;
    while (at < limit) {
      int length = bytes.u8(at++);
      if (length == 0) {
        return result((end < 0 ? at : end) - from, textBytes);
      }
      if (length >= POINTER && at < limit) {
        end = end < 0 ? at + 1 : end;
        at = start + (((length & ~POINTER) << 8) | bytes.u8(at));
        if (++pointers == MAX_POINTERS) {
          return result(end - from, -1);
        }
      } else if (length < 0x40 && length <= limit - at) {
        textBytes = label(bytes, at, length, textBytes, out);
        at += length;
        if (end >= 0 && textBytes > MAX_TEXT_BYTES) {
          return result(end - from, textBytes);
        }
      } else {
        return 0;
      }
    }
    return 0;
  }

  private static int label(
      ByteView bytes, int at, int length, int textBytes, @Nullable StringBuilder out) {
    int dot = textBytes == 0 ? 0 : 1;
    if (out != null && textBytes <= MAX_TEXT_BYTES) {
      if (dot > 0) {
        out.append('.');
      }
      TextBytes.addEscaped(out, bytes, at, length);
    }
    return textBytes + dot + length;
  }

  private static long result(int bytes, int textBytes) {
    return ((long) bytes << Integer.SIZE) | (textBytes & 0xFFFF_FFFFL);
  }
}
