package io.linerate.apps.ctl;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.linerate.core.config.RateText;
import io.linerate.program.run.CommandException;
import io.linerate.program.run.TerminalText;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What each element takes of its worker's time, between two states of a program: see {@code
 * docs/statistics.md}.
 */
record RuntimeTable(JsonObject before, JsonObject now) {
  /** The state is made once a second at most. */
  private static final long PAUSE_MS = 1_100;

  /** What a worker is busy with outside of elements. */
  private static final String REST = "(ports and the rest)";

  /** What an element has done on one worker. */
  private record Use(double bursts, double packets, double ns) {
    Use minus(Use other) {
      return new Use(bursts - other.bursts, packets - other.packets, ns - other.ns);
    }
  }

  /** Of a program during a second. */
  static RuntimeTable of(ProgramClient client) {
    JsonObject before = state(client);
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted while waiting for the program; ask again");
    }
    return new RuntimeTable(before, state(client));
  }

  private static JsonObject state(ProgramClient client) {
    return client.ask("GET", "/api/state", null).getAsJsonObject();
  }

  void print(PrintStream out) {
    double seconds = (number(now, "timeMs") - number(before, "timeMs")) / 1e3;
    out.printf(
        "%-24s %6s %12s %8s %12s %9s%n",
        "element", "worker", "packets", "a burst", "ns a packet", "of worker");
    Map<String, Double> ofElements = new LinkedHashMap<>();
    Map<String, Use> earlier = uses(before);
    Map<String, JsonObject> workers = workers(now);
    Map<String, JsonObject> workersBefore = workers(before);
    uses(now)
        .forEach((key, total) -> {
          String worker = key.substring(0, key.indexOf(' '));
          Use use = total.minus(earlier.getOrDefault(key, new Use(0, 0, 0)));
          ofElements.merge(worker, use.ns(), Double::sum);
          double timeNs = time(workers, worker) - time(workersBefore, worker);
          row(out, key.substring(key.indexOf(' ') + 1), worker, use, seconds, timeNs);
        });
    workers.forEach((worker, state) -> {
      double busyNs =
          number(state, "busyNs")
              - (workersBefore.containsKey(worker)
                  ? number(workersBefore.get(worker), "busyNs")
                  : 0);
      double restNs = Math.max(0, busyNs - ofElements.getOrDefault(worker, 0.0));
      double timeNs = time(workers, worker) - time(workersBefore, worker);
      row(out, REST, worker, new Use(0, 0, restNs), seconds, timeNs);
    });
  }

  private static void row(
      PrintStream out, String name, String worker, Use use, double seconds, double timeNs) {
    out.printf(
        Locale.ROOT,
        "%-24s %6s %12s %8s %12s %9s%n",
        TerminalText.of(name),
        worker,
        use.packets() == 0 ? "-" : RateText.packets(use.packets() / seconds),
        quotient("%.1f", use.packets(), use.bursts()),
        quotient("%.1f", use.ns(), use.packets()),
        quotient("%.1f %%", 100 * use.ns(), timeNs));
  }

  private static String quotient(String format, double of, double by) {
    return of == 0 || by == 0 ? "-" : String.format(Locale.ROOT, format, of / by);
  }

  /** By worker and element, in the order of the graph. */
  private static Map<String, Use> uses(JsonObject state) {
    Map<String, Use> uses = new LinkedHashMap<>();
    for (JsonElement each : state.getAsJsonArray("elements")) {
      JsonObject element = each.getAsJsonObject();
      for (JsonElement timed : element.getAsJsonArray("timed")) {
        JsonObject time = timed.getAsJsonObject();
        uses.put(
            time.get("worker").getAsString() + " " + element.get("name").getAsString(),
            new Use(number(time, "bursts"), number(time, "packets"), number(time, "ns")));
      }
    }
    return uses;
  }

  private static Map<String, JsonObject> workers(JsonObject state) {
    Map<String, JsonObject> workers = new LinkedHashMap<>();
    for (JsonElement worker : state.getAsJsonArray("workers")) {
      workers.put(worker.getAsJsonObject().get("id").getAsString(), worker.getAsJsonObject());
    }
    return workers;
  }

  private static double time(Map<String, JsonObject> workers, String worker) {
    JsonObject state = workers.get(worker);
    return state == null ? 0 : number(state, "busyNs") + number(state, "idleNs");
  }

  private static double number(JsonObject object, String name) {
    return object.get(name).getAsDouble();
  }
}
