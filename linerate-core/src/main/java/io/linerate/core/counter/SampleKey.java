package io.linerate.core.counter;

import java.util.ArrayList;
import java.util.List;

/**
 * Name and labels of a sample as one text, on one line: {@code name{label="value",…}}. In a value,
 * a backslash stands before {@code "} and {@code \}, and {@code \n} is a line feed, as in the text
 * format of Prometheus.
 */
record SampleKey(String name, List<Label> labels) {
  static String text(String name, List<Label> labels) {
    if (labels.isEmpty()) {
      return name;
    }
    StringBuilder text = new StringBuilder(name).append('{');
    for (Label label : labels) {
      if (text.charAt(text.length() - 1) != '{') {
        text.append(',');
      }
      text.append(label.name()).append("=\"");
      escape(text, label.value());
      text.append('"');
    }
    return text.append('}').toString();
  }

  private static void escape(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> text.append('\\').append(c);
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }

  /**
   * The opposite of {@link #text}.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static SampleKey parse(String text) {
    int brace = text.indexOf('{');
    if (brace < 0) {
      return new SampleKey(text, List.of());
    }
    List<Label> labels = new ArrayList<>();
    int at = brace + 1;
    while (at < text.length() && text.charAt(at) != '}') {
      int equals = text.indexOf("=\"", at);
      if (equals < 0) {
        throw wrong(text);
      }
      StringBuilder value = new StringBuilder();
      int end = unescape(text, equals + 2, value);
      labels.add(new Label(text.substring(at, equals), value.toString()));
      at = end < text.length() && text.charAt(end) == ',' ? end + 1 : end;
    }
    if (at != text.length() - 1) {
      throw wrong(text);
    }
    return new SampleKey(text.substring(0, brace), labels);
  }

  /** Returns the place behind the quotation mark that ends the value. */
  private static int unescape(String text, int start, StringBuilder value) {
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return i + 1;
      }
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        value.append(text.charAt(i) == 'n' ? '\n' : text.charAt(i));
      } else {
        value.append(c);
      }
    }
    throw wrong(text);
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException("not a sample's name and labels: text=" + text);
  }
}
