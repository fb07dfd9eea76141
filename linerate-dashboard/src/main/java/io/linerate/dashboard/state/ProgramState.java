package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** All of a program as one object. Whoever uses it sees to it that it is not made too often. */
public final class ProgramState {
  private final ProgramInfo program;
  private final Supplier<Moment> source;
  private final List<SampleView> views;
  private final List<JsonMembers> others;

  /**
   * @param source says how the program stands
   * @param pages of the manual, by the names of elements
   * @param others what no sample says
   */
  public ProgramState(
      ProgramInfo program,
      Supplier<Moment> source,
      Supplier<Map<String, String>> pages,
      List<JsonMembers> others) {
    this.program = program;
    this.source = source;
    views =
        List.of(
            new EngineView(),
            new GraphView(pages),
            new TrafficView(),
            new GeneratorView(),
            new JvmView());
    this.others = List.copyOf(others);
  }

  /** How the program stands now. Any thread. */
  public Moment now() {
    return source.get();
  }

  /** The object as it is now. Any thread. */
  public byte[] json() {
    Moment moment = now();
    return JsonMembers.object(json -> write(json, moment));
  }

  private void write(JsonWriter json, Moment moment) throws IOException {
    json.name("timeMs").value(moment.timeMs());
    json.name("program").beginObject();
    json.name("name").value(program.name());
    json.name("pid").value(program.pid());
    json.name("version").value(program.version());
    json.name("startedMs").value(program.startedMs());
    json.name("command").value(program.command());
    json.endObject();
    for (SampleView view : views) {
      view.writeMembers(json, moment.table());
    }
    for (JsonMembers source : others) {
      source.write(json);
    }
  }
}
