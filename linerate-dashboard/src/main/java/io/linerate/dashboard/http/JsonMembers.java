package io.linerate.dashboard.http;

import com.google.gson.stream.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes JSON: one value, or members of an object that is being written. */
@FunctionalInterface
public interface JsonMembers {
  void write(JsonWriter json) throws IOException;

  /** Writes the members of one object of several. */
  @FunctionalInterface
  interface MembersOf<T> {
    void write(T one) throws IOException;
  }

  /** The value that somebody writes, as text in UTF-8. */
  static byte[] bytes(JsonMembers value) {
    return value.toBytes();
  }

  /** An object with members that somebody writes, as text in UTF-8. */
  static byte[] object(JsonMembers members) {
    return bytes(json -> {
      json.beginObject();
      members.write(json);
      json.endObject();
    });
  }

  /** Writes a member that is an object of numbers. */
  static void numbers(JsonWriter json, String name, Map<String, ? extends Number> numbers)
      throws IOException {
    json.name(name).beginObject();
    for (Map.Entry<String, ? extends Number> number : numbers.entrySet()) {
      json.name(number.getKey()).value(number.getValue());
    }
    json.endObject();
  }

  /** Writes an array of objects. */
  static <T> void objects(JsonWriter json, Iterable<T> all, MembersOf<T> members)
      throws IOException {
    json.beginArray();
    for (T one : all) {
      json.beginObject();
      members.write(one);
      json.endObject();
    }
    json.endArray();
  }

  /** Writes a member that is an array of texts. */
  static void texts(JsonWriter json, String name, List<String> texts) throws IOException {
    json.name(name).beginArray();
    for (String text : texts) {
      json.value(text);
    }
    json.endArray();
  }

  /** The value as text in UTF-8. */
  default byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonWriter json = new JsonWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8))) {
      write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return bytes.toByteArray();
  }
}
