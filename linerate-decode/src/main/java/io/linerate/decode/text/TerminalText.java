package io.linerate.decode.text;

/**
 * Texts of packets as terminals can show them: what a terminal would obey, or does not show, is
 * escaped as {@code tshark -V} escapes it. Bytes that are no UTF-8 become U+FFFD.
 */
final class TerminalText {
  private TerminalText() {}

  /** Escapes what stands in a buffer from an offset on. */
  static void escape(TextBuffer out, int from) {
    if (!out.isPlain(from)) {
      String text = out.text(from);
      out.length(from);
      text.codePoints().forEach(code -> add(out, code));
    }
  }

  private static void add(TextBuffer out, int code) {
    char letter = letter(code);
    if (letter != 0) {
      out.add('\\').add(letter);
    } else if (isShown(code)) {
      out.add(Character.toString(code));
    } else if (code < 0x80) {
      octal(out, code);
    } else if (code <= Character.MAX_VALUE) {
      out.add("\\u").hex(code, 4);
    } else {
      out.add("\\U").hex(code, 8);
    }
  }

  private static void octal(TextBuffer out, int code) {
    out.add('\\').add((char) ('0' + (code >>> 6)));
    out.add((char) ('0' + ((code >>> 3) & 7))).add((char) ('0' + (code & 7)));
  }

  /** Not what moves the cursor, or the order of what follows. */
  private static boolean isShown(int code) {
    return switch (Character.getType(code)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static char letter(int code) {
    return switch (code) {
      case 0x07 -> 'a';
      case '\b' -> 'b';
      case '\t' -> 't';
      case '\n' -> 'n';
      case 0x0B -> 'v';
      case '\f' -> 'f';
      case '\r' -> 'r';
      default -> 0;
    };
  }
}
