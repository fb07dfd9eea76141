package io.linerate.apps.ctl;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.linerate.apps.run.TerminalText;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.NumberText;
import io.linerate.core.config.PathText;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a program can be told, by its word on the command line. */
enum Order {
  STATE("state", "", 0, "everything, as JSON") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      out.println(client.ask("GET", "/api/state", null));
    }
  },
  READ("read", "ELEMENT.HANDLER", 1, "a value of an element") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      JsonElement reading = client.ask("GET", handler(arguments.getFirst()), null);
      out.println(TerminalText.ofLines(reading.getAsJsonObject().get("value").getAsString()));
    }
  },
  WRITE("write", "ELEMENT.HANDLER VALUE", 2, "another value") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      client.ask("PUT", handler(arguments.getFirst()), text("value", arguments.get(1)));
    }
  },
  RULES("rules", "", 0, "the rules and how often each decided") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      JsonArray rules = client.ask("GET", RULES_PATH, null).getAsJsonArray();
      for (JsonElement element : rules) {
        JsonObject rule = element.getAsJsonObject();
        out.printf(
            "%4d  %15d  %s%n",
            rule.get("index").getAsInt(),
            rule.get("hits").getAsLong(),
            TerminalText.of(rule.get("rule").getAsString()));
      }
    }
  },
  ADD_RULE("add-rule", "RULE [INDEX]", 1, "one more rule, at the end or at a place") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      JsonObject body = text("rule", arguments.getFirst());
      if (arguments.size() > 1) {
        body.addProperty("index", number("INDEX", arguments.get(1)));
      }
      client.ask("POST", RULES_PATH, body);
    }
  },
  REMOVE_RULE("remove-rule", "INDEX RULE", 2, "one rule less: what stands at the place") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      int index = number("INDEX", arguments.getFirst());
      String path = RULES_PATH + "?index=" + index + "&rule=" + encoded(arguments.get(1));
      client.ask("DELETE", path, null);
    }
  },
  RELOAD(
      "reload", "", 0, "the configuration and its rules again: what holds, and what does not yet") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      JsonObject reloaded = client.ask("POST", "/api/reload", new JsonObject()).getAsJsonObject();
      reloaded
          .getAsJsonArray("taken")
          .forEach(entry -> out.println("holds now: " + TerminalText.of(entry.getAsString())));
      reloaded
          .getAsJsonArray("restart")
          .forEach(
              entry -> out.println("needs a restart: " + TerminalText.of(entry.getAsString())));
    }
  },
  TAP("tap", "FROM TO PACKETS", 3, "capture what passes between two elements: a number") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      JsonObject body = new JsonObject();
      body.add("edge", edge(client, arguments.getFirst(), arguments.get(1)));
      body.addProperty("packets", number("PACKETS", arguments.get(2)));
      out.println(client.ask("POST", TAPS_PATH, body).getAsJsonObject().get("id").getAsString());
    }
  },
  SAVE_TAP("save-tap", "NUMBER FILE", 2, "what a tap has captured until now, as pcapng") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      Path file = PathText.parse(arguments.get(1));
      try {
        Files.write(file, client.bytes("GET", TAPS_PATH + "/" + encoded(arguments.getFirst()), ""));
      } catch (IOException e) {
        throw new PortException("cannot write the file: file=" + file + ", reason=" + e, e);
      }
    }
  },
  END_TAP("end-tap", "NUMBER", 1, "a tap ends and its packets are forgotten") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      client.ask("DELETE", TAPS_PATH + "/" + encoded(arguments.getFirst()), null);
    }
  },
  ADD_WORKER("add-worker", "", 0, "one more worker, without queues: its number") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      JsonElement added = client.ask("POST", "/api/workers", new JsonObject());
      out.println(added.getAsJsonObject().get("worker").getAsInt());
    }
  },
  RETIRE_WORKER("retire-worker", "WORKER", 1, "a worker gives its queues away and ends") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      client.ask("DELETE", "/api/workers/" + number("WORKER", arguments.getFirst()), null);
    }
  },
  MOVE("move", "PORT QUEUE WORKER", 3, "a queue goes to another worker") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      JsonObject body = text("port", arguments.getFirst());
      body.addProperty("queue", number("QUEUE", arguments.get(1)));
      body.addProperty("worker", number("WORKER", arguments.get(2)));
      client.ask("POST", "/api/queues/move", body);
    }
  },
  SPREAD("spread", "", 0, "all workers get as many queues") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      client.ask("POST", "/api/queues/spread", new JsonObject());
    }
  },
  LOG_LEVEL("loglevel", "[LEVEL]", 0, "the least level that is logged, or another") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      if (arguments.isEmpty()) {
        JsonObject state = client.ask("GET", "/api/state", null).getAsJsonObject();
        out.println(state.get("logLevel").getAsString());
      } else {
        client.ask("PUT", "/api/loglevel", text("level", arguments.getFirst()));
      }
    }
  },
  STOP("stop", "", 0, "it sends what it holds, and ends") {
    @Override
    void run(ProgramClient client, List<String> arguments, PrintStream out) {
      client.ask("POST", "/api/stop", new JsonObject());
    }
  };

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

  /** Tells the program, and prints what it answers. */
  abstract void run(ProgramClient client, List<String> arguments, PrintStream out);

  static Optional<Order> of(String word) {
    return Arrays.stream(values()).filter(order -> order.word.equals(word)).findFirst();
  }

  /** How it is written, and what it means. */
  static List<String> usage() {
    return Arrays.stream(values())
        .map(order -> "  %-34s%s".formatted(order.word + " " + order.arguments, order.meaning))
        .toList();
  }

  void require(List<String> given) {
    long most = arguments.isEmpty() ? 0 : arguments.chars().filter(c -> c == ' ').count() + 1;
    if (given.size() < least || given.size() > most) {
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

  private static JsonObject text(String name, String value) {
    JsonObject body = new JsonObject();
    body.addProperty(name, value);
    return body;
  }

  private static int number(String what, String text) {
    return NumberText.read(text, 0, Integer.MAX_VALUE)
        .orElseThrow(() -> new ConfigException("not a number: %s=%s".formatted(what, text)))
        .intValue();
  }

  private static JsonObject edge(ProgramClient client, String from, String to) {
    JsonArray edges =
        client.ask("GET", "/api/state", null).getAsJsonObject().getAsJsonArray("edges");
    for (JsonElement element : edges) {
      JsonObject edge = element.getAsJsonObject();
      if (edge.get("from").getAsString().equals(from) && edge.get("to").getAsString().equals(to)) {
        edge.remove("packets");
        edge.remove("bytes");
        return edge;
      }
    }
    throw new ConfigException(
        "no such edge: from=%s, to=%s; linerate ctl state lists them".formatted(from, to));
  }
}
