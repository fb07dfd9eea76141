package io.linerate.dashboard.http;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is asked for by a method and a path.
 *
 * @param method GET, PUT, POST or DELETE
 * @param path such as {@code /api/handlers/{element}/{handler}}
 * @param access who may ask
 * @param summary a sentence for the description of the interface
 * @param parameters after the question mark, and members of the body
 */
public record Route(
    String method,
    String path,
    Access access,
    String summary,
    List<RouteParameter> parameters,
    Action action) {
  /** Does what is asked for, and answers. */
  @FunctionalInterface
  public interface Action {
    void run(Call call) throws IOException;
  }

  /** Who may ask. */
  public enum Access {
    /** Whoever reaches the server. */
    ANYBODY,
    /** Whoever has the token. */
    TOKEN
  }

  public Route {
    parameters = List.copyOf(parameters);
  }

  /** Something to read for anybody. */
  public static Route get(String path, String summary, Action action) {
    return new Route("GET", path, Access.ANYBODY, summary, List.of(), action);
  }

  /** A change, for who has the token. */
  public static Route change(String method, String path, String summary, Action action) {
    return new Route(method, path, Access.TOKEN, summary, List.of(), action);
  }

  /** The same with these parameters as well. */
  public Route with(RouteParameter... more) {
    List<RouteParameter> all = Stream.concat(parameters.stream(), Stream.of(more)).toList();
    return new Route(method, path, access, summary, all, action);
  }

  /** The same for who has the token only. */
  public Route guarded() {
    return new Route(method, path, Access.TOKEN, summary, parameters, action);
  }

  /** Whether it changes something, and so may not be asked for by a page of another origin. */
  boolean isChange() {
    return !method.equals("GET");
  }

  /** Whether a request for it carries something. */
  boolean hasBody() {
    return method.equals("POST") || method.equals("PUT");
  }

  /** What stands in a path in place of the variables, if this route leads there. */
  Optional<Map<String, String>> match(String rawPath) {
    String[] wanted = path.split("/", -1);
    String[] actual = rawPath.split("/", -1);
    if (wanted.length != actual.length) {
      return Optional.empty();
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        String name = wanted[i].substring(1, wanted[i].length() - 1);
        variables.put(name, Call.decode(actual[i].replace("+", "%2B")));
      } else if (!wanted[i].equals(actual[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(variables);
  }
}
