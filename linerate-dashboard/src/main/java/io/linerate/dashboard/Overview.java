package io.linerate.dashboard;

import io.linerate.core.counter.ProgramFolder;
import io.linerate.dashboard.http.AccessToken;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.http.Refusal;
import io.linerate.dashboard.http.RequestCounts;
import io.linerate.dashboard.http.Route;
import io.linerate.dashboard.http.RouteParameter;
import io.linerate.dashboard.http.SharedAnswer;
import io.linerate.dashboard.http.StaticFiles;
import io.linerate.dashboard.http.WebServer;
import java.util.ArrayList;
import java.util.List;

/**
 * Serves a page that lists all running programs of this user, and shows those without a page of
 * their own. It reads their counters files once a second: the programs do not notice, and nothing
 * here can change them.
 */
public final class Overview implements AutoCloseable {
  private static final RouteParameter PROGRAM =
      RouteParameter.query("program", "string", "The one of /api/programs.");

  private final AccessToken token = AccessToken.random();
  private final RequestCounts requests = new RequestCounts();
  private final LivePlaces places = new LivePlaces();
  private final StaticFiles files = new StaticFiles();
  private final RunningPrograms programs;
  private final WebServer server;
  private final EverySecond deadlines;
  private final EverySecond updates;

  private Overview(DashboardSettings settings, ProgramFolder folder) {
    programs = new RunningPrograms(folder, json -> requests.write(json, places.taken()), places);
    programs.update();
    server =
        WebServer.start(
            settings.address(),
            settings.tls().map(KeyStoreFile::context).orElse(null),
            token,
            requests,
            routes(settings),
            () -> {});
    // Apart from each other: reading files of other programs must not keep slow clients connected.
    deadlines = EverySecond.start("dashboard", server::enforceDeadlines);
    updates = EverySecond.start("dashboard-programs", programs::update);
  }

  /**
   * Serves the page.
   *
   * @throws io.linerate.core.config.ConfigException if the address cannot be had, or is that of no
   *     loopback interface without TLS and without a permission
   */
  public static Overview start(DashboardSettings settings) {
    settings.requireSafe();
    return new Overview(settings, ProgramFolder.ofUser());
  }

  private List<Route> routes(DashboardSettings settings) {
    SharedAnswer list = new SharedAnswer(this::rows);
    List<Route> routes = new ArrayList<>(ProgramFeed.routes(call -> program(call).feed(), PROGRAM));
    routes.add(
        Route.get(
            "/api/programs",
            "The programs of this user that run: totals since their start.",
            call -> call.json(list)));
    List<Route> all = new ArrayList<>(settings.served(routes));
    all.add(
        Route.get("/", "The page of all programs.", call -> files.reply("/programs.html", call)));
    return all;
  }

  private byte[] rows() {
    return new ProgramRows(programs.all(), DashboardFile.running()).toBytes();
  }

  private FollowedProgram program(Call call) {
    String key = call.required("program");
    return programs
        .find(key)
        .orElseThrow(
            () -> new Refusal(404, "no such program runs: program=" + key + "; see /api/programs"));
  }

  /** Where the page is, with the token, which reading needs where other machines reach it. */
  public String url() {
    return server.urlWithToken();
  }

  @Override
  public void close() {
    updates.close();
    deadlines.close();
    programs.close();
    server.close();
  }
}
