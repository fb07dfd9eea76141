package io.linerate.dashboard.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done to one JSON value to make it another. Of an object that stays one, an object
 * of the members that have changed; null for those that are gone or have become null (as RFC 7396
 * has it). Of an array that has as many values as before, an object of those that have changed, by
 * their index. Everything else is the new value.
 */
final class JsonChange {
  private JsonChange() {}

  /** Null if they are equal. */
  static @Nullable JsonElement between(JsonElement before, JsonElement now) {
    if (before instanceof JsonObject some && now instanceof JsonObject others) {
      return between(some, others);
    }
    if (before instanceof JsonArray some
        && now instanceof JsonArray others
        && some.size() == others.size()
        && !some.isEmpty()) {
      return between(some, others);
    }
    return before.equals(now) ? null : now;
  }

  private static @Nullable JsonElement between(JsonObject before, JsonObject now) {
    JsonObject change = new JsonObject();
    for (Map.Entry<String, JsonElement> member : now.entrySet()) {
      JsonElement known = before.get(member.getKey());
      JsonElement other = known == null ? member.getValue() : between(known, member.getValue());
      if (other != null) {
        change.add(member.getKey(), other);
      }
    }
    for (String name : before.keySet()) {
      if (!now.has(name)) {
        change.add(name, JsonNull.INSTANCE);
      }
    }
    return change.isEmpty() ? null : change;
  }

  private static @Nullable JsonElement between(JsonArray before, JsonArray now) {
    JsonObject change = new JsonObject();
    for (int i = 0; i < now.size(); i++) {
      JsonElement other = between(before.get(i), now.get(i));
      if (other != null) {
        change.add(String.valueOf(i), other);
      }
    }
    return change.isEmpty() ? null : change;
  }
}
