package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.SampleSource;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** All of a program as one object, made anew when it is asked for and not fresh any more. */
public final class ProgramState {
  /** However many ask, the program is looked at this often at most. */
  private static final long FRESH_NS = 50_000_000;

  private final ProgramInfo program;
  private final SampleSource samples;
  private final List<SampleView> views;
  private final List<StateSource> others;

  private SampleTable table = new SampleTable(List.of());
  private byte[] latest = new byte[0];
  private long latestNs;

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

  /** The object, as it is now or was a moment ago. Any thread. */
  public synchronized byte[] json() {
    lookIfStale();
    return latest.clone();
  }

  /** The object, as it is now. Any thread. */
  public synchronized byte[] exactJson() {
    look();
    return latest.clone();
  }

  /** The samples that the object is made of. Any thread. */
  public synchronized SampleTable table() {
    lookIfStale();
    return table;
  }

  private void lookIfStale() {
    if (latest.length == 0 || System.nanoTime() - latestNs > FRESH_NS) {
      look();
    }
  }

  private void look() {
    table = new SampleTable(samples.samples());
    latest = ((JsonMembers) this::write).toBytes();
    latestNs = System.nanoTime();
  }

  private void write(JsonWriter json) throws IOException {
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
