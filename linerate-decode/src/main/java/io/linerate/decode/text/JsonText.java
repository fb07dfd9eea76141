package io.linerate.decode.text;

import io.linerate.core.memory.ByteView;
import io.linerate.decode.Field;
import io.linerate.decode.Kind;
import java.nio.charset.StandardCharsets;

/** Texts and values in JSON, RFC 8259. */
final class JsonText {
  private JsonText() {}

  /** A string. */
  static void string(TextBuffer out, CharSequence text) {
    out.add('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        character(out, c);
      } else {
        // The rest as a whole: characters may be halves.
        String rest = text.subSequence(i, text.length()).toString();
        for (byte b : rest.getBytes(StandardCharsets.UTF_8)) {
          character(out, b & 0xFF);
        }
        break;
      }
    }
    out.add('"');
  }

  private static void character(TextBuffer out, int c) {
    if (c == '"' || c == '\\') {
      out.add('\\').addByte(c);
    } else if (c < 0x20) {
      out.add("\\u").hex(c, 4);
    } else {
      out.addByte(c);
    }
  }

  /** The value of a field whose kind is a number: as one if JSON can have it, or else a string. */
  static void number(TextBuffer out, Field field, long value) {
    switch (field.kind()) {
      case DECIMAL, SIGNED -> FieldText.add(out, field, value);
      case FLAG -> out.add(value == 0 ? "false" : "true");
      default -> {
        out.add('"');
        FieldText.add(out, field, value);
        out.add('"');
      }
    }
  }

  /** The value of a field whose kind is none. */
  static void bytes(TextBuffer out, Field field, ByteView source, int offset, int bytes) {
    if (field.kind() == Kind.NONE) {
      out.add("true");
    } else if (field.kind() == Kind.TEXT) {
      byte[] copy = new byte[bytes];
      source.get(offset, copy, 0, bytes);
      string(out, new String(copy, StandardCharsets.UTF_8));
    } else {
      out.add('"');
      FieldText.add(out, field, source, offset, bytes);
      out.add('"');
    }
  }
}
