package io.linerate.apps.stats;

import com.google.gson.stream.JsonWriter;
import io.linerate.apps.run.SummaryJson;
import io.linerate.apps.run.TerminalText;
import io.linerate.core.counter.Label;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.counter.Sample;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** How samples are printed. */
enum StatsFormat {
  /** A line for each sample, as Prometheus writes it. */
  TEXT {
    @Override
    void print(PrintStream out, ProgramInfo program, long timeMs, List<Sample> samples) {
      String name = TerminalText.of(program.name());
      out.println("# " + name + " " + program.pid() + " " + Instant.ofEpochMilli(timeMs));
      samples.forEach(sample -> out.println(TerminalText.of(sample.toString())));
    }
  },

  /** A line for each sample; quotation marks are doubled, as RFC 4180 wants it. */
  CSV {
    @Override
    void begin(PrintStream out) {
      out.println("timeMs,pid,sample,kind,value");
    }

    @Override
    void print(PrintStream out, ProgramInfo program, long timeMs, List<Sample> samples) {
      for (Sample sample : samples) {
        out.println(
            timeMs
                + ","
                + program.pid()
                + ",\""
                + TerminalText.of(sample.key()).replace("\"", "\"\"")
                + "\","
                + kind(sample)
                + ","
                + number(sample));
      }
    }
  },

  /** One object on a line. */
  JSON {
    @Override
    void print(PrintStream out, ProgramInfo program, long timeMs, List<Sample> samples) {
      SummaryJson.printObject(
          out,
          json -> {
            json.name("timeMs").value(timeMs);
            json.name("program").value(program.name());
            json.name("pid").value(program.pid());
            json.name("version").value(program.version());
            json.name("startedMs").value(program.startedMs());
            json.name("command").value(program.command());
            json.name("samples").beginArray();
            for (Sample sample : samples) {
              write(json, sample);
            }
            json.endArray();
          });
    }
  };

  /** What stands before everything else. */
  void begin(PrintStream out) {}

  abstract void print(PrintStream out, ProgramInfo program, long timeMs, List<Sample> samples);

  private static void write(JsonWriter json, Sample sample) throws IOException {
    json.beginObject();
    json.name("name").value(sample.name());
    json.name("labels").beginObject();
    for (Label label : sample.labels()) {
      json.name(label.name()).value(label.value());
    }
    json.endObject();
    json.name("kind").value(kind(sample));
    json.name("value").jsonValue(number(sample));
    json.endObject();
  }

  private static String kind(Sample sample) {
    return sample.kind().name().toLowerCase(Locale.ROOT);
  }

  private static String number(Sample sample) {
    return sample.unit().inUnitOfName(sample.value()).toPlainString();
  }
}
