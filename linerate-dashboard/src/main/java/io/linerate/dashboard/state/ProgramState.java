package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** All of a program as one object, made anew when it is asked for and not fresh any more. */
public final class ProgramState {
  /** However many ask, the program is looked at this often at most. */
  private static final long FRESH_NS = 50_000_000;

  private final String name;
  private final String version;
  private final List<StateSource> sources;
  private final ProcessHandle self = ProcessHandle.current();
  private final long startedMs =
      self.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
  private final String command = command(self.info().arguments().orElse(new String[0]));

  private byte[] latest = new byte[0];
  private long latestNs;

  public ProgramState(String name, String version, List<StateSource> sources) {
    this.name = name;
    this.version = version;
    this.sources = List.copyOf(sources);
  }

  /** Without what is the virtual machine's: that ends with the class that it runs. */
  private static String command(String[] arguments) {
    List<String> all = List.of(arguments);
    int main =
        IntStream.range(0, arguments.length)
            .filter(i -> arguments[i].endsWith(".Main"))
            .findFirst()
            .orElse(-1);
    return String.join(" ", all.subList(main + 1, all.size()));
  }

  /** The object, as it is now or was a moment ago. Any thread. */
  public synchronized byte[] json() {
    if (latest.length == 0 || System.nanoTime() - latestNs > FRESH_NS) {
      return exactJson();
    }
    return latest.clone();
  }

  /** The object, as it is now. Any thread. */
  public synchronized byte[] exactJson() {
    latest = ((JsonMembers) this::write).toBytes();
    latestNs = System.nanoTime();
    return latest.clone();
  }

  private void write(JsonWriter json) throws IOException {
    json.beginObject();
    json.name("timeMs").value(System.currentTimeMillis());
    json.name("program").beginObject();
    json.name("name").value(name);
    json.name("pid").value(self.pid());
    json.name("version").value(version);
    json.name("startedMs").value(startedMs);
    json.name("command").value(command);
    json.endObject();
    for (StateSource source : sources) {
      source.writeMembers(json);
    }
    json.endObject();
  }
}
