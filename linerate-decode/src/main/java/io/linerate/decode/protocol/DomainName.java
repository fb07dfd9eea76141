package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;

/** Names of labels with their lengths before them, as RFC 1035, section 3.1 has them. */
final class DomainName {
  private static final int MAX_LABEL_BYTES = 63;

  private DomainName() {}

  /** A name at the cursor, which moves behind it: to the end if it is not whole. */
  static void dissect(Dissection dissection, Field field) {
    StringBuilder text = dissection.text();
    int at = 0;
    while (true) {
      int count = dissection.has(at + 1) ? dissection.u8(at) : -1;
      if (count < 0 || count > MAX_LABEL_BYTES || !dissection.has(at + 1 + count)) {
        dissection.malformed();
        dissection.skip(dissection.left());
        return;
      }
      at++;
      if (count == 0) {
        break;
      }
      if (!text.isEmpty()) {
        text.append('.');
      }
      for (int i = 0; i < count; i++) {
        text.append((char) dissection.u8(at + i));
      }
      at += count;
    }
    dissection.text(field, text, 0, at);
    dissection.skip(at);
  }
}
