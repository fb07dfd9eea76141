package io.linerate.apps.ctl;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.NumberText;
import io.linerate.core.config.PathText;
import io.linerate.program.run.CommandException;
import io.linerate.program.run.TerminalText;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What a program can be told, by its word on the command line. */
enum Order {
  LIST("list", "", 0, "the programs that run and their dashboards"),
  STATE("state", "", 0, "everything, as JSON"),
  EXPLAIN("explain", "", 0, "which elements are on which worker, and what they hand on"),
  READ("read", "ELEMENT.HANDLER", 1, "a value of an element"),
  WRITE("write", "ELEMENT.HANDLER VALUE", 2, "another value"),
  RULES("rules", "", 0, "the rules and how often each decided"),
  ADD_RULE("add-rule", "RULE [INDEX]", 1, "one more rule, at the end or at a place"),
  REMOVE_RULE("remove-rule", "INDEX RULE", 2, "one rule less: what stands at the place"),
  RELOAD("reload", "", 0, "the configuration and its rules, read again"),
  RUNTIME("runtime", "", 0, "what elements take of their workers' time now"),
  TAP("tap", "FROM TO PACKETS [filter=F] [bytes=N]", 3, "capture between two elements: a number"),
  TAP_DROPS(
      "tap-drops",
      "PACKETS [reason=R] [element=E] [filter=F] [bytes=N]",
      1,
      "capture what is dropped: a number"),
  TAPS("taps", "", 0, "what is captured, and how much"),
  SAVE_TAP("save-tap", "NUMBER FILE", 2, "what a tap has until now, as pcapng"),
  END_TAP("end-tap", "NUMBER", 1, "a tap ends and its packets are forgotten"),
  ADD_WORKER("add-worker", "", 0, "one more worker, without queues: its number"),
  RETIRE_WORKER("retire-worker", "WORKER", 1, "a worker gives its queues away and ends"),
  MOVE("move", "PORT QUEUE WORKER", 3, "a queue goes to another worker"),
  MOVE_STAGE("move", "ELEMENT WORKER", 2, "a stage goes there; anywhere: as the balancer says"),
  SPREAD("spread", "", 0, "all workers get as many queues"),
  LOG_LEVEL("loglevel", "[LEVEL]", 0, "the least level that is logged, or another"),
  STOP("stop", "", 0, "it sends what it holds, and ends");

  private static final String RULES_PATH = "/api/rules";
  private static final String TAPS_PATH = "/api/taps";

  private final String word;
  private final String arguments;
  private final int least;
  private final String meaning;

  Order(String word, String arguments, int least, String meaning) {
    this.word = word;
    this.arguments = arguments;
    this.least = least;
    this.meaning = meaning;
  }

  /**
   * Tells the program, and prints what it answers.
   *
   * @param given arguments, as many as it has
   * @throws CommandException if it does not answer as a program of Linerate does
   */
  void run(ProgramClient client, List<String> given, PrintStream out) {
    try {
      tell(client, given, out);
    } catch (ConfigException | CommandException e) {
      throw e;
    } catch (IllegalStateException
        | ClassCastException
        | NullPointerException
        | NumberFormatException
        | UnsupportedOperationException e) { // Gson's, for an answer of another shape.
      throw client.isNoAnswer(e);
    }
  }

  private void tell(ProgramClient client, List<String> given, PrintStream out) {
    String first = given.isEmpty() ? "" : given.getFirst();
    switch (this) {
      case LIST -> throw new IllegalArgumentException("no program is asked: order=" + this);
      case STATE -> out.println(TerminalText.of(client.ask("GET", "/api/state", null).toString()));
      case EXPLAIN ->
          out.print(TerminalText.ofLines(lines(client.ask("GET", "/api/explain", null), "text")));
      case READ ->
          out.println(
              TerminalText.ofLines(lines(client.ask("GET", handler(first), null), "value")));
      case WRITE -> client.ask("PUT", handler(first), body("value", given.get(1)));
      case RULES -> printRules(client.ask("GET", RULES_PATH, null).getAsJsonArray(), out);
      case ADD_RULE -> client.ask("POST", RULES_PATH, rule(given));
      case REMOVE_RULE -> {
        String place = "?index=" + number("INDEX", first) + "&rule=" + encoded(given.get(1));
        client.ask("DELETE", RULES_PATH + place, null);
      }
      case RELOAD -> {
        JsonObject reloaded = client.ask("POST", "/api/reload", new JsonObject()).getAsJsonObject();
        printEach("holds now: ", reloaded.getAsJsonArray("taken"), out);
        printEach("needs a restart: ", reloaded.getAsJsonArray("restart"), out);
      }
      case RUNTIME -> RuntimeTable.of(client).print(out);
      case TAP -> out.println(text(client.ask("POST", TAPS_PATH, tap(client, given)), "id"));
      case TAP_DROPS -> out.println(text(client.ask("POST", TAPS_PATH, dropTap(given)), "id"));
      case TAPS -> printTaps(client.ask("GET", TAPS_PATH, null).getAsJsonArray(), out);
      case SAVE_TAP ->
          save(
              PathText.parse(given.get(1)),
              client.bytes("GET", TAPS_PATH + "/" + encoded(first), ""));
      case END_TAP -> client.ask("DELETE", TAPS_PATH + "/" + encoded(first), null);
      case ADD_WORKER ->
          out.println(text(client.ask("POST", "/api/workers", new JsonObject()), "worker"));
      case RETIRE_WORKER -> client.ask("DELETE", "/api/workers/" + number("WORKER", first), null);
      case MOVE -> {
        JsonObject body = body("port", first);
        body.addProperty("queue", number("QUEUE", given.get(1)));
        body.addProperty("worker", number("WORKER", given.get(2)));
        client.ask("POST", "/api/queues/move", body);
      }
      case MOVE_STAGE -> {
        JsonObject body = body("element", first);
        if (!given.get(1).equals("anywhere")) {
          body.addProperty("worker", number("WORKER", given.get(1)));
        }
        client.ask("POST", "/api/stages/move", body);
      }
      case SPREAD -> client.ask("POST", "/api/queues/spread", new JsonObject());
      case LOG_LEVEL -> {
        if (given.isEmpty()) {
          out.println(text(client.ask("GET", "/api/state", null), "logLevel"));
        } else {
          client.ask("PUT", "/api/loglevel", body("level", first));
        }
      }
      case STOP -> client.ask("POST", "/api/stop", new JsonObject());
    }
  }

  private static void printRules(JsonArray rules, PrintStream out) {
    for (JsonElement rule : rules) {
      long hits = rule.getAsJsonObject().get("hits").getAsLong();
      out.printf("%4s  %15d  %s%n", text(rule, "index"), hits, text(rule, "rule"));
    }
  }

  private static void printEach(String what, JsonArray entries, PrintStream out) {
    entries.forEach(entry -> out.println(what + TerminalText.of(entry.getAsString())));
  }

  private static JsonObject rule(List<String> given) {
    JsonObject body = body("rule", given.getFirst());
    if (given.size() > 1) {
      body.addProperty("index", number("INDEX", given.get(1)));
    }
    return body;
  }

  private static JsonObject tap(ProgramClient client, List<String> given) {
    JsonObject body = new JsonObject();
    JsonObject state = client.ask("GET", "/api/state", null).getAsJsonObject();
    body.add("edge", EdgeChoice.of(state, given.getFirst(), given.get(1)));
    body.addProperty("packets", number("PACKETS", given.get(2)));
    for (String word : given.subList(3, given.size())) {
      if (!isAdded(body, word)) {
        throw new ConfigException(
            "wrong argument: order=tap, argument=%s; write filter=EXPRESSION or bytes=N"
                .formatted(word));
      }
    }
    return body;
  }

  private static JsonObject dropTap(List<String> given) {
    JsonObject drops = new JsonObject();
    JsonObject body = new JsonObject();
    body.add("drops", drops);
    body.addProperty("packets", number("PACKETS", given.getFirst()));
    for (String word : given.subList(1, given.size())) {
      String[] pair = word.split("=", 2);
      if (pair.length == 2 && (pair[0].equals("reason") || pair[0].equals("element"))) {
        drops.addProperty(pair[0], pair[1]);
      } else if (!isAdded(body, word)) {
        throw new ConfigException(
            "wrong argument: order=tap-drops, argument=%s; write reason=REASON, element=ELEMENT, filter=EXPRESSION or bytes=N"
                .formatted(word));
      }
    }
    return body;
  }

  /** Adds what both kinds of taps may have, if a word says it. */
  private static boolean isAdded(JsonObject body, String word) {
    String[] pair = word.split("=", 2);
    switch (pair.length == 1 ? "" : pair[0]) {
      case "filter" -> body.addProperty("filter", pair[1]);
      case "bytes" -> body.addProperty("snapBytes", number("bytes", pair[1]));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** What is captured where: a reason or element that is not named stands for all. */
  private static void printTaps(JsonArray taps, PrintStream out) {
    for (JsonElement element : taps) {
      JsonObject tap = element.getAsJsonObject();
      boolean isOfDrops = tap.has("drops");
      JsonObject what = tap.getAsJsonObject(isOfDrops ? "drops" : "edge");
      String source =
          isOfDrops
              ? "drops reason=%s element=%s"
                  .formatted(orAll(what, "reason"), orAll(what, "element"))
              : text(what, "from") + " to " + text(what, "to");
      JsonElement filter = tap.get("filter"); // A program of an older version says none.
      if (filter != null && !filter.isJsonNull()) {
        source += " filter=" + text(tap, "filter");
      }
      out.printf(
          "%4s  %-40s %s of %s packets, %s missed%s%n",
          text(tap, "id"),
          source,
          text(tap, "packets"),
          text(tap, "maxPackets"),
          text(tap, "missed"),
          tap.get("running").getAsBoolean() ? "" : ", ended");
    }
  }

  private static String orAll(JsonObject object, String name) {
    return object.get(name).isJsonNull() ? "all" : text(object, name);
  }

  private static void save(Path file, byte[] packets) {
    try {
      Files.write(file, packets);
    } catch (IOException e) {
      throw new CommandException(
          "cannot write the file: file=%s, reason=%s; name another".formatted(file, e));
    }
  }

  /** What a program lacks that cannot do this at all. */
  String need() {
    return switch (this) {
      case RULES, ADD_RULE, REMOVE_RULE -> "rules";
      case READ, WRITE, RUNTIME, TAP, MOVE_STAGE -> "graph of elements";
      case RELOAD -> "configuration that can be read again";
      default -> "such order";
    };
  }

  static boolean isOne(String word) {
    return Arrays.stream(values()).anyMatch(order -> order.word.equals(word));
  }

  /** The order of this name, and of several the one that has so many arguments. */
  static Optional<Order> of(String word, int arguments) {
    return Arrays.stream(values())
        .filter(order -> order.word.equals(word))
        .min(Comparator.comparing(order -> !order.takes(arguments)));
  }

  /** How it is written, and what it means. */
  static List<String> usage() {
    return Arrays.stream(values())
        .map(order -> "  %-51s %s".formatted(order.word + " " + order.arguments, order.meaning))
        .toList();
  }

  private boolean takes(int count) {
    long most = arguments.isEmpty() ? 0 : arguments.chars().filter(c -> c == ' ').count() + 1;
    return count >= least && count <= most;
  }

  void require(List<String> given) {
    if (!takes(given.size())) {
      throw new ConfigException(
          "wrong number of arguments: order=%s, arguments=%d; write %s %s"
              .formatted(word, given.size(), word, arguments)
              .strip());
    }
  }

  private static String handler(String name) {
    int dot = name.indexOf('.');
    if (dot <= 0) {
      String element = dot < 0 ? name : "ELEMENT";
      throw new ConfigException(
          "not the name of a value: name=%s; write %s.HANDLER, such as %s.packets"
              .formatted(name, element, element));
    }
    return "/api/handlers/"
        + encoded(name.substring(0, dot))
        + "/"
        + encoded(name.substring(dot + 1));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Perhaps of several lines. */
  private static String lines(JsonElement answer, String name) {
    return answer.getAsJsonObject().get(name).getAsString();
  }

  /** On one line, without what could control the terminal: who answers is not known. */
  private static String text(JsonElement answer, String name) {
    return TerminalText.of(answer.getAsJsonObject().get(name).getAsString());
  }

  private static JsonObject body(String name, String value) {
    JsonObject body = new JsonObject();
    body.addProperty(name, value);
    return body;
  }

  private static int number(String what, String text) {
    return NumberText.read(text, 0, Integer.MAX_VALUE)
        .orElseThrow(() -> new ConfigException("not a number: %s=%s".formatted(what, text)))
        .intValue();
  }
}
