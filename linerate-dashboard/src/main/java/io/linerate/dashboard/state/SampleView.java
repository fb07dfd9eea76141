package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.Map;

/** A part of what a program looks like: writes members into an object, of samples. */
@FunctionalInterface
interface SampleView {
  void writeMembers(JsonWriter json, SampleTable table) throws IOException;

  /** Writes a member that is an object of numbers. */
  static void numbers(JsonWriter json, String name, Map<String, Long> numbers) throws IOException {
    json.name(name).beginObject();
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      json.name(number.getKey()).value(number.getValue());
    }
    json.endObject();
  }
}
