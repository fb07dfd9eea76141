package io.linerate.apps.stats;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Label;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.counter.Sample;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.program.run.SummaryJson;
import io.linerate.program.run.TerminalText;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How samples are printed. */
enum StatsFormat {
  /** A line for each sample, as Prometheus writes it. */
  TEXT,

  /** A line for each sample; quotation marks are doubled, as RFC 4180 wants it. */
  CSV,

  /** One object on a line. */
  JSON;

  /** What stands before everything else. */
  void begin(PrintStream out) {
    if (this == CSV) {
      out.println("timeMs,pid,sample,kind,value");
    }
  }

  void print(PrintStream out, ProgramInfo program, long timeMs, List<Sample> samples) {
    switch (this) {
      case TEXT -> {
        String name = TerminalText.of(program.name());
        out.println("# " + name + " " + program.pid() + " " + Instant.ofEpochMilli(timeMs));
        samples.forEach(sample -> out.println(TerminalText.of(sample.toString())));
      }
      case CSV -> {
        for (Sample sample : samples) {
          String key = TerminalText.of(sample.key()).replace("\"", "\"\"");
          out.printf(
              Locale.ROOT,
              "%d,%d,\"%s\",%s,%s%n",
              timeMs,
              program.pid(),
              key,
              kind(sample),
              number(sample));
        }
      }
      case JSON ->
          SummaryJson.printObject(
              out,
              json -> {
                json.name("timeMs").value(timeMs);
                json.name("program").value(program.name());
                json.name("pid").value(program.pid());
                json.name("version").value(program.version());
                json.name("startedMs").value(program.startedMs());
                json.name("command").value(program.command());
                JsonMembers.objects(json.name("samples"), samples, sample -> write(json, sample));
              });
    }
  }

  private static void write(JsonWriter json, Sample sample) throws IOException {
    json.name("name").value(sample.name());
    json.name("labels").beginObject();
    for (Label label : sample.labels()) {
      json.name(label.name()).value(label.value());
    }
    json.endObject();
    json.name("kind").value(kind(sample));
    json.name("value").jsonValue(number(sample));
  }

  private static String kind(Sample sample) {
    return sample.kind().name().toLowerCase(Locale.ROOT);
  }

  private static String number(Sample sample) {
    return sample.unit().inUnitOfName(sample.value()).toPlainString();
  }
}
