package io.linerate.dashboard.http;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The description of a list of routes in the form of OpenAPI 3.1. */
public record OpenApi(String version, List<Route> routes) implements JsonMembers {
  private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");

  public OpenApi {
    routes = List.copyOf(routes);
  }

  @Override
  public void write(JsonWriter json) throws IOException {
    json.beginObject();
    json.name("openapi").value("3.1.0");
    json.name("info").beginObject();
    json.name("title").value("Linerate");
    json.name("version").value(version);
    json.name("description").value("What a running program does, and what it can be told to do.");
    json.endObject();
    json.name("paths").beginObject();
    Map<String, Map<String, Route>> byPath = new LinkedHashMap<>();
    for (Route route : routes) {
      byPath.computeIfAbsent(route.path(), _ -> new LinkedHashMap<>()).put(route.method(), route);
    }
    for (Map.Entry<String, Map<String, Route>> path : byPath.entrySet()) {
      json.name(path.getKey()).beginObject();
      for (Route route : path.getValue().values()) {
        operation(json, route);
      }
      json.endObject();
    }
    json.endObject();
    components(json);
    json.endObject();
  }

  private static void operation(JsonWriter json, Route route) throws IOException {
    json.name(route.method().toLowerCase(Locale.ROOT)).beginObject();
    json.name("summary").value(route.summary());
    if (route.access() == Route.Access.TOKEN) {
      json.name("security").beginArray().beginObject();
      json.name("token").beginArray().endArray();
      json.endObject().endArray();
    }
    parameters(json, route);
    body(json, route.parameters().stream().filter(RouteParameter::isInBody).toList(), route);
    json.name("responses").beginObject();
    response(json, "200", "Done, or what was asked for.", false);
    response(json, "4XX", "Refused: the object says why.", true);
    json.endObject();
    json.endObject();
  }

  private static void parameters(JsonWriter json, Route route) throws IOException {
    json.name("parameters").beginArray();
    Matcher variables = VARIABLE.matcher(route.path());
    while (variables.find()) {
      parameter(json, variables.group(1), "path", "string", true, "");
    }
    for (RouteParameter it : route.parameters()) {
      if (!it.isInBody()) {
        parameter(json, it.name(), "query", it.type(), it.isRequired(), it.description());
      }
    }
    json.endArray();
  }

  private static void parameter(
      JsonWriter json,
      String name,
      String where,
      String type,
      boolean isRequired,
      String description)
      throws IOException {
    json.beginObject();
    json.name("name").value(name);
    json.name("in").value(where);
    json.name("required").value(isRequired);
    if (!description.isEmpty()) {
      json.name("description").value(description);
    }
    type(json.name("schema").beginObject(), type).endObject();
    json.endObject();
  }

  private static JsonWriter type(JsonWriter json, String type) throws IOException {
    return json.name("type").value(type);
  }

  private static void body(JsonWriter json, List<RouteParameter> members, Route route)
      throws IOException {
    if (!route.isChange() || route.method().equals("DELETE")) {
      return;
    }
    json.name("requestBody").beginObject();
    json.name("required").value(true);
    json.name("content").beginObject().name(Call.JSON).beginObject().name("schema").beginObject();
    type(json, "object");
    json.name("required").beginArray();
    for (RouteParameter member : members) {
      if (member.isRequired()) {
        json.value(member.name());
      }
    }
    json.endArray();
    json.name("properties").beginObject();
    for (RouteParameter member : members) {
      json.name(member.name()).beginObject();
      type(json, member.type());
      json.name("description").value(member.description());
      json.endObject();
    }
    json.endObject();
    json.name("additionalProperties").value(false);
    json.endObject().endObject().endObject();
    json.endObject();
  }

  private static void response(JsonWriter json, String status, String text, boolean isRefusal)
      throws IOException {
    json.name(status).beginObject();
    json.name("description").value(text);
    if (isRefusal) {
      json.name("content").beginObject().name(Call.JSON).beginObject().name("schema").beginObject();
      json.name("$ref").value("#/components/schemas/Refusal");
      json.endObject().endObject().endObject();
    }
    json.endObject();
  }

  private static void components(JsonWriter json) throws IOException {
    json.name("components").beginObject();
    json.name("securitySchemes").beginObject().name("token").beginObject();
    type(json, "http");
    json.name("scheme").value("bearer");
    json.name("description").value("Shown once when the program starts.");
    json.endObject().endObject();
    json.name("schemas").beginObject().name("Refusal").beginObject();
    type(json, "object");
    json.name("properties").beginObject().name("error").beginObject();
    type(json, "string");
    json.endObject().endObject();
    json.endObject().endObject();
    json.endObject();
  }
}
