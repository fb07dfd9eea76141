package io.linerate.dashboard.http;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The members of the object that a request carries. */
public final class Members {
  private static final int MAX_TEXT = 16 * 1024;

  private final JsonObject object;

  /**
   * @param known names that may be there
   * @throws Refusal if there are others
   */
  Members(JsonObject object, String... known) {
    this.object = object;
    for (String name : object.keySet()) {
      if (!List.of(known).contains(name)) {
        throw new Refusal(
            400, "unknown member: name=%s; there are %s".formatted(name, String.join(", ", known)));
      }
    }
  }

  private Optional<JsonPrimitive> primitive(String name) {
    JsonElement element = object.get(name);
    if (element == null || element.isJsonNull()) {
      return Optional.empty();
    }
    if (!element.isJsonPrimitive()) {
      throw new Refusal(400, "wrong member: name=" + name + "; write a text or a number");
    }
    return Optional.of(element.getAsJsonPrimitive());
  }

  /** Whether there is something of this name. */
  public boolean has(String name) {
    return object.has(name) && !object.get(name).isJsonNull();
  }

  /** A text that must be there. */
  public String text(String name) {
    return optionalText(name).orElseThrow(() -> missing(name));
  }

  /** A text; numbers and truth values are texts as well. */
  public Optional<String> optionalText(String name) {
    Optional<String> text = primitive(name).map(JsonPrimitive::getAsString);
    if (text.isPresent() && text.get().length() > MAX_TEXT) {
      throw new Refusal(400, "text is too long: name=%s, most=%d".formatted(name, MAX_TEXT));
    }
    return text;
  }

  /** A whole number that must be there. */
  public int number(String name, int min, int max) {
    return optionalNumber(name, min, max).orElseThrow(() -> missing(name));
  }

  /** A whole number. */
  public OptionalInt optionalNumber(String name, int min, int max) {
    Optional<String> text = primitive(name).map(JsonPrimitive::getAsString);
    return text.isPresent()
        ? OptionalInt.of((int) Call.number(name, text.get(), min, max))
        : OptionalInt.empty();
  }

  /** A member that is an object of its own. */
  public Members object(String name, String... known) {
    JsonElement element = object.get(name);
    if (element == null || !element.isJsonObject()) {
      throw missing(name);
    }
    return new Members(element.getAsJsonObject(), known);
  }

  private static Refusal missing(String name) {
    return new Refusal(400, "member is missing: name=" + name);
  }
}
