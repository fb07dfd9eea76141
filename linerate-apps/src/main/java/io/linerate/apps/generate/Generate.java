package io.linerate.apps.generate;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.config.RateText;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.SummaryJson;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The generator as an application of the command. */
record Generate(Traffic traffic, boolean isJson, Console console) implements Application {
  @Override
  public void wire(Engine engine) {
    traffic.wire(engine);
  }

  @Override
  public double done(PacketCounts now) {
    return traffic.done(now.sent());
  }

  @Override
  public String progress(PacketCounts now, PacketCounts before, long intervalNs) {
    return String.format(
        Locale.ROOT,
        "%,d sent, %,d came back, %,d dropped, %s",
        now.sent(),
        now.dropped().getOrDefault("consumed", 0L),
        now.droppedTotal() - now.dropped().getOrDefault("consumed", 0L),
        RateText.packets((now.sent() - before.sent()) * 1e9 / intervalNs));
  }

  @Override
  public void report(RunSummary summary) {
    GeneratorResult result = traffic.result(summary);
    if (isJson) {
      SummaryJson.print(console.out(), summary, json -> write(json, result));
    } else {
      console.out().print(result);
    }
  }

  private static void write(JsonWriter json, GeneratorResult result) throws IOException {
    JsonMembers.objects(json.name("phases"), result.phases(), phase -> write(json, phase));
    ReceptionResult reception = result.reception();
    if (reception != null) {
      json.name("reception").beginObject();
      write(json, reception);
      json.endObject();
    }
  }

  private static void write(JsonWriter json, PhaseResult phase) throws IOException {
    json.name("stream").value(phase.stream());
    json.name("rate").value(phase.rate());
    json.name("askedPps").value(optional(phase.askedPps()));
    json.name("sentPps").value(phase.sentPps());
    json.name("errorPercent").value(phase.errorPercent());
    json.name("packets").value(phase.packets());
    json.name("frameBytes").value(phase.frameBytes());
    json.name("layer2Bps").value(phase.layer2Bps());
    json.name("layer1Bps").value(phase.layer1Bps());
    json.name("latePackets").value(phase.latePackets());
    json.name("worstLateUs").value(phase.worstLateUs());
  }

  private static @Nullable Double optional(double value) {
    return value == 0 ? null : value;
  }

  private static void write(JsonWriter json, ReceptionResult reception) throws IOException {
    json.name("sent").value(reception.sent());
    json.name("received").value(reception.received());
    json.name("lost").value(reception.lost());
    json.name("lostPercent").value(reception.lostPercent());
    json.name("duplicates").value(reception.duplicates());
    json.name("reordered").value(reception.reordered());
    json.name("reorderingExtent").value(reception.reorderingExtent());
    json.name("others").value(reception.foreign());
    JsonMembers.numbers(json, "delayUs", reception.delaysUs());
  }
}
