package io.linerate.bench.report;

import com.google.gson.stream.JsonWriter;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes {@code results.json}: see docs/benchmarks.md. */
final class ResultsJson {
  private final JsonWriter json;

  private ResultsJson(JsonWriter json) {
    this.json = json;
  }

  static void write(Path file, Machine machine, List<Section> sections) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file);
        JsonWriter json = new JsonWriter(writer)) {
      json.setIndent(" ");
      new ResultsJson(json).document(machine, sections);
      writer.write('\n');
    }
  }

  private void document(Machine machine, List<Section> sections) throws IOException {
    json.beginObject();
    json.name("machine").beginObject();
    for (Map.Entry<String, String> fact : machine.facts().entrySet()) {
      json.name(fact.getKey()).value(fact.getValue());
    }
    json.endObject();
    json.name("results").beginArray();
    for (Section section : sections) {
      for (Result result : section.results()) {
        result(result);
      }
    }
    json.endArray();
    json.name("benchmarks").beginArray();
    for (Section section : sections) {
      section(section);
    }
    json.endArray();
    json.endObject();
  }

  private void result(Result result) throws IOException {
    json.beginObject();
    json.name("name").value(result.name());
    json.name("case").value(result.caseName());
    json.name("unit").value(result.unit());
    for (Map.Entry<String, Spread> contestant : result.contestants().entrySet()) {
      json.name(contestant.getKey());
      spread(contestant.getValue());
      double ns = Nanoseconds.of(result.unit(), contestant.getValue().median());
      if (!Double.isNaN(ns)) {
        number("nanoseconds", ns);
      }
      json.endObject();
    }
    if (result.ratio().isPresent()) {
      json.name("ratio");
      spread(result.ratio().get());
      json.name("of").value(result.ratioOf());
      json.name("jvms").value(result.jvms());
      number("relativeSpread", result.ratio().get().relativeSpread());
      number("relativeRange", result.ratio().get().relativeRange());
      json.name("conclusive").value(!Noise.isTooWide(result));
      json.endObject();
    }
    if (result.heapBytesPerPacket().isPresent()) {
      number("heapBytesPerPacket", result.heapBytesPerPacket().getAsDouble());
    }
    for (Map.Entry<String, Double> figure : result.figures().entrySet()) {
      number(figure.getKey(), figure.getValue());
    }
    theirs(result.theirs());
    strings("notes", result.notes());
    json.endObject();
  }

  /** Leaves its object open. */
  private void spread(Spread spread) throws IOException {
    json.beginObject();
    number("median", spread.median());
    number("min", spread.min());
    number("max", spread.max());
    json.name("samples").beginArray();
    for (double sample : spread.samples()) {
      value(sample);
    }
    json.endArray();
  }

  private void theirs(List<Result.Theirs> theirs) throws IOException {
    if (theirs.isEmpty()) {
      return;
    }
    json.name("theirs").beginArray();
    for (Result.Theirs one : theirs) {
      json.beginObject();
      json.name("source").value(one.source());
      json.name("what").value(one.what());
      number("value", one.value());
      json.endObject();
    }
    json.endArray();
  }

  private void section(Section section) throws IOException {
    json.beginObject();
    json.name("name").value(section.name());
    json.name("summary").value(section.summary());
    number("seconds", section.seconds());
    number("foreignCpus", section.noise().foreignCpus());
    number("stealShare", section.noise().stealShare());
    strings("tooNoisy", section.noise().complaints());
    strings("conclusions", section.conclusions());
    strings("charts", section.charts().stream().map(Chart::file).toList());
    json.name("skipped").beginObject();
    for (Map.Entry<String, String> one : section.skipped().entrySet()) {
      json.name(one.getKey()).value(one.getValue());
    }
    json.endObject();
    if (section.failure().isPresent()) {
      json.name("failure").value(section.failure().get());
    }
    json.endObject();
  }

  private void strings(String name, List<String> values) throws IOException {
    json.name(name).beginArray();
    for (String value : values) {
      json.value(value);
    }
    json.endArray();
  }

  private void number(String name, double value) throws IOException {
    json.name(name);
    value(value);
  }

  /** A slice in which nothing came makes a ratio that is no number. */
  private void value(double value) throws IOException {
    if (Double.isFinite(value)) {
      json.value(rounded(value));
    } else {
      json.nullValue();
    }
  }

  /** Five digits say all that was measured. */
  private static double rounded(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.5g", value));
  }
}
