package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;

/** A body of HTTP in chunks, each behind its size; RFC 9112, section 7.1. */
final class HttpChunks {
  private HttpChunks() {}

  /** Says what the chunks are, which are all that is left. */
  static void dissect(Dissection dissection) {
    int start = dissection.offset();
    boolean isLast = false;
    while (!isLast && dissection.left() > 0) {
      int line = TextLine.bytes(dissection);
      long size = size(dissection, line);
      if (size < 0) {
        dissection.malformed();
        return;
      }
      dissection.value(HttpProtocol.CHUNK_SIZE, size, 0, line);
      dissection.skip(line);
      isLast = size == 0;
      if (!isLast) {
        dissection.add(HttpProtocol.CHUNK_DATA, (int) Math.min(size, dissection.left()));
        dissection.add(HttpProtocol.CHUNK_END, Math.min(2, dissection.left()));
      }
    }
    trailers(dissection);
    if (dissection.wants(HttpProtocol.BODY)) {
      together(dissection, start);
    }
  }

  private static long size(Dissection dissection, int line) {
    long value = -1;
    for (int i = 0; i < line; i++) {
      int digit = Character.digit(dissection.u8(i), 16);
      if (digit < 0) {
        return value;
      }
      value = Math.min(16 * Math.max(value, 0) + digit, Integer.MAX_VALUE);
    }
    return value;
  }

  private static void trailers(Dissection dissection) {
    while (dissection.left() > 0) {
      int line = TextLine.bytes(dissection);
      if (TextLine.contentBytes(dissection, line) > 0) {
        dissection.bytes(HttpProtocol.TRAILER, 0, line);
      }
      dissection.skip(line);
    }
  }

  /** The chunks put together as a text; the cursor stays where it is. */
  private static void together(Dissection dissection, int start) {
    int back = dissection.offset();
    StringBuilder text = dissection.text();
    dissection.offset(start);
    long size = 1;
    while (size > 0 && dissection.left() > 0) {
      int line = TextLine.bytes(dissection);
      size = size(dissection, line);
      dissection.skip(line);
      int bytes = (int) Math.min(Math.max(size, 0), dissection.left());
      TextBytes.add(text, dissection, bytes);
      dissection.skip(Math.min(bytes + 2, dissection.left()));
    }
    dissection.offset(back);
    dissection.text(HttpProtocol.BODY, text, 0, 0);
  }
}
