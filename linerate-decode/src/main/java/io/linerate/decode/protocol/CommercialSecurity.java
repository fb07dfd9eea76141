package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.TEXT;
import static io.linerate.decode.protocol.Ipv4Protocol.IP;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;

/**
 * The commercial IP security option, CIPSO: a domain of interpretation, and tags of type, length
 * and data.
 */
final class CommercialSecurity {
  private static final int BITMAP = 1;
  private static final int ENUMERATED = 2;
  private static final int RANGED = 5;
  private static final int TAG_HEADER_BYTES = 2;

  private static final Field DOMAIN =
      IP.source("FIPS 188, section 4")
          .floating("ip.cipso.doi", 32, DECIMAL, "Domain of interpretation");
  private static final Field TAG = IP.floating("ip.cipso.tag_type", 8, DECIMAL, "Tag");
  private static final Field LEVEL =
      IP.floating("ip.cipso.sensitivity_level", 8, DECIMAL, "Sensitivity level");
  private static final Field CATEGORIES = IP.floating("ip.cipso.categories", 0, TEXT, "Categories");
  private static final Field DATA = IP.floating("ip.cipso.tag_data", 0, BYTES, "Tag data");

  private CommercialSecurity() {}

  static void declare() {}

  static void dissect(Dissection dissection) {
    dissection.add(DOMAIN);
    while (dissection.left() > 0) {
      int type = (int) dissection.add(TAG);
      int length = dissection.u8(0);
      dissection.skip(1);
      int before = dissection.enter(length - TAG_HEADER_BYTES);
      tag(dissection, type);
      dissection.leave(before);
    }
  }

  private static void tag(Dissection dissection, int type) {
    if (type != BITMAP && type != ENUMERATED && type != RANGED) {
      dissection.addLeft(DATA);
      return;
    }
    dissection.skip(1); // So that what follows is aligned.
    dissection.add(LEVEL);
    if (!dissection.wants(CATEGORIES) || dissection.left() == 0) {
      return;
    }
    StringBuilder text = dissection.text();
    int count = dissection.left();
    switch (type) {
      case BITMAP -> bits(dissection, text);
      case ENUMERATED -> numbers(dissection, text);
      default -> ranges(dissection, text);
    }
    dissection.text(CATEGORIES, text, 0, count);
  }

  private static void bits(Dissection dissection, StringBuilder text) {
    for (int i = 0; i < dissection.left(); i++) {
      int bits = dissection.u8(i);
      for (int j = 0; j < Byte.SIZE; j++) {
        if ((bits & (0x80 >>> j)) != 0) {
          separate(text).append((8 * i) + j);
        }
      }
    }
  }

  private static void numbers(Dissection dissection, StringBuilder text) {
    for (int i = 0; dissection.has(i + 2); i += 2) {
      separate(text).append(dissection.u16(i));
    }
  }

  /** The last range may leave its lower end out: 0. */
  private static void ranges(Dissection dissection, StringBuilder text) {
    for (int i = 0; dissection.has(i + 2); i += 4) {
      int low = dissection.has(i + 4) ? dissection.u16(i + 2) : 0;
      separate(text).append(dissection.u16(i)).append('-').append(low);
    }
  }

  private static StringBuilder separate(StringBuilder text) {
    return text.isEmpty() ? text : text.append(',');
  }
}
