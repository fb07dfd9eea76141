package io.linerate.decode.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An object of JSON with each name once, in the order in which they came: what comes several times
 * is an array.
 */
final class JsonObject {
  private static final String INDENT = "  ";

  /** By name, texts of JSON and objects. */
  private final Map<String, List<Object>> members = new LinkedHashMap<>();

  /** Adds a value, which is JSON already. */
  void add(String name, String json) {
    values(name).add(json);
  }

  /** Adds an object, and answers it. */
  JsonObject open(String name) {
    JsonObject object = new JsonObject();
    values(name).add(object);
    return object;
  }

  private List<Object> values(String name) {
    return members.computeIfAbsent(name, _ -> new ArrayList<>(1));
  }

  /** Writes it, in lines that are indented so often. */
  void writeTo(TextBuffer out, int depth) {
    out.add('{');
    boolean isFirst = true;
    for (Map.Entry<String, List<Object>> member : members.entrySet()) {
      line(out.add(isFirst ? "" : ","), depth + 1);
      out.add('"').add(member.getKey()).add("\": ");
      write(out, member.getValue(), depth + 1);
      isFirst = false;
    }
    if (!isFirst) {
      line(out, depth);
    }
    out.add('}');
  }

  private static void write(TextBuffer out, List<Object> values, int depth) {
    if (values.size() == 1) {
      write(out, values.getFirst(), depth);
      return;
    }
    out.add('[');
    for (int i = 0; i < values.size(); i++) {
      line(out.add(i == 0 ? "" : ","), depth + 1);
      write(out, values.get(i), depth + 1);
    }
    line(out, depth);
    out.add(']');
  }

  private static void write(TextBuffer out, Object value, int depth) {
    if (value instanceof JsonObject object) {
      object.writeTo(out, depth);
    } else {
      out.add((String) value);
    }
  }

  private static void line(TextBuffer out, int depth) {
    out.add('\n');
    for (int i = 0; i < depth; i++) {
      out.add(INDENT);
    }
  }
}
