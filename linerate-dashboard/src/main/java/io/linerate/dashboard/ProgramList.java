package io.linerate.dashboard;

import com.google.gson.stream.JsonWriter;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;

/**
 * The programs of this user that have a dashboard, without their tokens.
 *
 * @param ownUrl of the one that says this
 */
record ProgramList(String ownUrl) implements JsonMembers {
  @Override
  public void write(JsonWriter json) throws IOException {
    JsonMembers.objects(
        json,
        DashboardFile.running(),
        entry -> {
          json.name("pid").value(entry.pid());
          json.name("name").value(entry.name());
          json.name("startedMs").value(entry.startedMs());
          json.name("self").value(entry.url().equals(ownUrl));
          json.name("url").value(entry.url());
        });
  }
}
