package io.linerate.apps.ctl;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.linerate.core.config.ConfigException;
import io.linerate.program.run.TerminalText;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the edge that a user means by the elements at its ends. */
final class EdgeChoice {
  /** Names in a message. */
  private static final int MOST_NAMED = 10;

  private EdgeChoice() {}

  /**
   * The edge as the program wants it.
   *
   * @param state of the program
   * @throws ConfigException if there is none: the message names those that there are
   */
  static JsonObject of(JsonObject state, String from, String to) {
    List<JsonObject> edges =
        state.getAsJsonArray("edges").asList().stream()
            .map(JsonElement::getAsJsonObject)
            .filter(edge -> text(edge, "from").equals(from))
            .toList();
    JsonObject wanted =
        edges.stream()
            .filter(edge -> text(edge, "to").equals(to))
            .findFirst()
            .orElseThrow(() ->
                new ConfigException(
                    "no such edge: from=%s, to=%s; %s"
                        .formatted(from, to, there(state, from, edges))));
    wanted.remove("packets");
    wanted.remove("bytes");
    return wanted;
  }

  private static String there(JsonObject state, String from, List<JsonObject> edges) {
    if (!edges.isEmpty()) {
      return from + " leads to " + some(edges, "to");
    }
    List<JsonObject> elements =
        state.getAsJsonArray("elements").asList().stream()
            .map(JsonElement::getAsJsonObject)
            .toList();
    return elements.stream().anyMatch(element -> text(element, "name").equals(from))
        ? from + " leads to none"
        : "there are the elements " + some(elements, "name");
  }

  private static String some(List<JsonObject> objects, String name) {
    List<String> texts = objects.stream().map(one -> text(one, name)).distinct().toList();
    int more = texts.size() - MOST_NAMED;
    return texts.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private static String text(JsonObject object, String name) {
    return TerminalText.of(object.get(name).getAsString());
  }
}
