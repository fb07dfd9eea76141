package io.linerate.decode.protocol;

import io.linerate.decode.Scan;

/**
 * Where the parts of a message of HTTP are, as one number: RFC 9112, section 6.3.
 *
 * <pre>
 *   bits 0 to 31 end of the body   32 to 61 end of the header   62 no type of the content   63 partial
 * </pre>
 */
final class HttpLayout {
  /** A question to which any answer has no body. */
  static final int HEAD = 1;

  /** A question to which an answer that agrees has no body: what follows is no HTTP. */
  static final int CONNECT = 2;

  /** Any other question. */
  static final int OTHER = 3;

  private static final long NO_TYPE = 1L << 62;
  private static final long PARTIAL = 1L << 63;
  private static final String LENGTH_NAME = "content-length";
  private static final String TYPE_NAME = "content-type";
  private static final String ENCODING_NAME = "transfer-encoding";
  private static final int MOST_LINES = 4_096;

  /** The last two digits of 204 and 304. */
  private static final int FOUR = ('0' << 8) | '4';

  private HttpLayout() {}

  /** Looks at a message that begins with such a line. */
  static long of(Scan scan) {
    int length = scan.length();
    int at = ScanLines.lineEnd(scan, 0);
    long bodyBytes = -1;
    boolean isChunked = false;
    boolean hasType = false;
    for (int i = 0; i < MOST_LINES && at < length; i++) {
      int end = ScanLines.lineEnd(scan, at);
      if (scan.u8(end - 1) != '\n') {
        break;
      }
      if (ScanLines.isBlank(scan, at)) {
        return body(scan, end, bodyBytes, isChunked, hasType);
      }
      if (!ScanLines.hasColon(scan, at, end)) {
        return layout(at, at, true);
      }
      if (ScanLines.isNamed(scan, at, LENGTH_NAME)) {
        bodyBytes = ScanLines.number(scan, at + LENGTH_NAME.length() + 1, end);
      } else if (ScanLines.isNamed(scan, at, TYPE_NAME)) {
        hasType = true;
      } else if (ScanLines.isNamed(scan, at, ENCODING_NAME)) {
        isChunked = isChunked(scan, at + ENCODING_NAME.length() + 1, end);
      }
      at = end;
    }
    return layout(length, length, true) | PARTIAL;
  }

  private static long layout(int headerEnd, int end, boolean hasType) {
    return ((long) headerEnd << Integer.SIZE) | end | (hasType ? 0 : NO_TYPE);
  }

  private static long body(
      Scan scan, int headerEnd, long bodyBytes, boolean isChunked, boolean hasType) {
    if (hasNoBody(scan)) {
      return layout(headerEnd, headerEnd, hasType);
    }
    if (isChunked) {
      int end = chunksEnd(scan, headerEnd);
      return end < 0
          ? layout(headerEnd, scan.length(), true) | PARTIAL
          : layout(headerEnd, end, true);
    }
    if (bodyBytes >= 0) {
      long end = Math.min(headerEnd + bodyBytes, Integer.MAX_VALUE);
      return layout(headerEnd, (int) end, hasType);
    }
    boolean isResponse = scan.u8(0) == 'H' && scan.u8(1) == 'T';
    return layout(headerEnd, isResponse ? Integer.MAX_VALUE : headerEnd, hasType);
  }

  /** Of answers to HEAD, of 2xx to CONNECT, and of 1xx, 204 and 304: RFC 9112, section 6.3. */
  private static boolean hasNoBody(Scan scan) {
    int code = code(scan);
    int hundreds = code >>> 16;
    int rest = code & 0xFFFF;
    return hundreds == '1'
        || (hundreds == '2' && (rest == FOUR || scan.question() == CONNECT))
        || (hundreds == '3' && rest == FOUR)
        || (hundreds != 0 && scan.question() == HEAD);
  }

  /** The digits of an answer's code; 0 if it is no answer. */
  private static int code(Scan scan) {
    int space = scan.u8(0) == 'H' && scan.u8(1) == 'T' ? scan.indexOf(' ', 0) : -1;
    return scan.has(space, 4) ? (scan.u8(space + 1) << 16) | scan.u16(space + 2) : 0;
  }

  /** Whether it is an answer behind which the real one comes: RFC 9110, section 15.2. */
  static boolean isInterim(Scan scan) {
    return code(scan) >>> 16 == '1';
  }

  private static int chunksEnd(Scan scan, int from) {
    int at = from;
    for (int i = 0; i < MOST_LINES && at < scan.length(); i++) {
      int end = ScanLines.lineEnd(scan, at);
      long size = hexadecimal(scan, at, end);
      if (size == 0) {
        return trailersEnd(scan, end);
      }
      if (size < 0 || size > scan.length() - end) {
        return -1;
      }
      at = ScanLines.lineEnd(scan, end + (int) size);
    }
    return -1;
  }

  private static int trailersEnd(Scan scan, int from) {
    int at = from;
    for (int i = 0; i < MOST_LINES && at < scan.length(); i++) {
      boolean isBlank = ScanLines.isBlank(scan, at);
      at = ScanLines.lineEnd(scan, at);
      if (isBlank) {
        return at;
      }
    }
    return -1;
  }

  private static long hexadecimal(Scan scan, int from, int end) {
    long value = -1;
    for (int i = from; i < end; i++) {
      int digit = Character.digit(scan.u8(i), 16);
      if (digit < 0) {
        return value;
      }
      value = Math.min(16 * Math.max(value, 0) + digit, Integer.MAX_VALUE);
    }
    return value;
  }

  private static boolean isChunked(Scan scan, int from, int end) {
    int at = from;
    while (at < end && ScanLines.isSpace(scan.u8(at))) {
      at++;
    }
    return scan.has(at, 7) && (scan.u8(at) | 0x20) == 'c' && (scan.u8(at + 1) | 0x20) == 'h';
  }

  /** Where its header ends. */
  static int headerEnd(long layout) {
    return (int) (layout >>> Integer.SIZE) & 0x3FFF_FFFF;
  }

  /** Where it ends; the largest number if that is where its stream ends. */
  static int end(long layout) {
    return (int) layout;
  }

  /** Whether it does not say what its body is. */
  static boolean hasNoType(long layout) {
    return (layout & NO_TYPE) != 0;
  }

  /** Whether more has to come before it can be told where it ends. */
  static boolean isPartial(long layout) {
    return (layout & PARTIAL) != 0;
  }
}
