package io.linerate.dashboard;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.state.Moment;
import io.linerate.dashboard.state.SampleTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The running programs as JSON: totals, of which readers take differences, and where the page of
 * each is, if it has one of its own. Never a token.
 */
record ProgramRows(
    List<Map.Entry<String, FollowedProgram>> programs, List<DashboardFile.Entry> dashboards)
    implements JsonMembers {

  @Override
  public void write(JsonWriter json) throws IOException {
    List<DashboardFile.Entry> pages = new ArrayList<>(dashboards);
    json.beginArray();
    for (Map.Entry<String, FollowedProgram> program : programs) {
      ProgramInfo info = program.getValue().info();
      Optional<DashboardFile.Entry> own =
          pages.stream()
              .filter(page -> page.pid() == info.pid() && page.name().equals(info.name()))
              .findFirst();
      own.ifPresent(pages::remove);
      row(
          json,
          program.getKey(),
          program.getValue(),
          own.map(DashboardFile.Entry::url).orElse(null));
    }
    for (DashboardFile.Entry page : pages) {
      json.beginObject();
      json.name("pid").value(page.pid());
      json.name("name").value(page.name());
      json.name("url").value(page.url());
      json.name("self").value(false);
      json.endObject();
    }
    json.endArray();
  }

  private static void row(
      JsonWriter json, String key, FollowedProgram program, @Nullable String url)
      throws IOException {
    Moment moment = program.moment();
    SampleTable table = moment.table();
    json.beginObject();
    json.name("program").value(key);
    json.name("pid").value(program.info().pid());
    json.name("name").value(program.info().name());
    json.name("version").value(program.info().version());
    json.name("command").value(program.info().command());
    json.name("startedMs").value(program.info().startedMs());
    json.name("url").value(url);
    json.name("self").value(false);
    json.name("timeMs").value(moment.timeMs());
    json.name("received").value(table.value("linerate_received_packets_total"));
    json.name("sent").value(table.value("linerate_sent_packets_total"));
    json.name("dropped").value(table.dropped());
    json.name("lost").value(table.lost());
    json.name("rxBytes").value(table.value("linerate_port_received_bytes_total"));
    json.name("txBytes").value(table.value("linerate_port_sent_bytes_total"));
    json.name("busyNs").value(table.value("linerate_worker_busy_seconds_total"));
    json.name("idleNs").value(table.value("linerate_worker_idle_seconds_total"));
    json.endObject();
  }
}
