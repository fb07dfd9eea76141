package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.SampleSource;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** All of a program as one object. Whoever uses it sees to it that it is not made too often. */
public final class ProgramState {
  private final ProgramInfo program;
  private final SampleSource samples;
  private final List<SampleView> views;
  private final List<StateSource> others;

  /**
   * @param pages of the manual, by the names of elements
   * @param others what no sample says
   */
  public ProgramState(
      ProgramInfo program,
      SampleSource samples,
      Supplier<Map<String, String>> pages,
      List<StateSource> others) {
    this.program = program;
    this.samples = samples;
    views = List.of(new EngineView(), new GraphView(pages), new TrafficView(), new JvmView());
    this.others = List.copyOf(others);
  }

  /** Looks at the program. Any thread. */
  public SampleTable look() {
    return new SampleTable(samples.samples());
  }

  /** The object as it is now. Any thread. */
  public byte[] json() {
    return json(look());
  }

  /** The object, of what was seen. Any thread. */
  public byte[] json(SampleTable table) {
    return ((JsonMembers) json -> write(json, table)).toBytes();
  }

  private void write(JsonWriter json, SampleTable table) throws IOException {
    json.beginObject();
    json.name("timeMs").value(System.currentTimeMillis());
    json.name("program").beginObject();
    json.name("name").value(program.name());
    json.name("pid").value(program.pid());
    json.name("version").value(program.version());
    json.name("startedMs").value(program.startedMs());
    json.name("command").value(program.command());
    json.endObject();
    for (SampleView view : views) {
      view.writeMembers(json, table);
    }
    for (StateSource source : others) {
      source.writeMembers(json);
    }
    json.endObject();
  }
}
