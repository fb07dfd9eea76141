package io.linerate.dashboard;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;

/** The programs of this user that have a dashboard, without their tokens. */
final class ProgramList {
  private ProgramList() {}

  static void write(JsonWriter json) throws IOException {
    long self = ProcessHandle.current().pid();
    json.beginArray();
    for (DashboardFile.Entry entry : DashboardFile.running(DashboardFile.folder())) {
      json.beginObject();
      json.name("pid").value(entry.pid());
      json.name("name").value(entry.name());
      json.name("startedMs")
          .value(
              ProcessHandle.of(entry.pid())
                  .flatMap(process -> process.info().startInstant())
                  .map(start -> start.toEpochMilli())
                  .orElse(0L));
      json.name("self").value(entry.pid() == self);
      json.name("url").value(entry.url());
      json.endObject();
    }
    json.endArray();
  }
}
