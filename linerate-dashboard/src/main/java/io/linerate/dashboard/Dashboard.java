package io.linerate.dashboard;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.log.ProgramLog;
import io.linerate.core.statistics.LiveChanges;
import io.linerate.dashboard.control.ConfigurationControl;
import io.linerate.dashboard.control.HandlerRoutes;
import io.linerate.dashboard.control.LogRoutes;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.dashboard.control.RuleRoutes;
import io.linerate.dashboard.control.TapRoutes;
import io.linerate.dashboard.control.Taps;
import io.linerate.dashboard.control.WorkerRoutes;
import io.linerate.dashboard.http.AccessToken;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.http.RequestCounts;
import io.linerate.dashboard.http.Route;
import io.linerate.dashboard.http.SharedAnswer;
import io.linerate.dashboard.http.WebServer;
import io.linerate.dashboard.state.HistoryRoom;
import io.linerate.dashboard.state.Moment;
import io.linerate.dashboard.state.ProgramState;
import io.linerate.dashboard.talkers.TopTalkers;
import io.linerate.graph.ElementDescription;
import io.linerate.graph.GraphRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page of a program and its HTTP interface while the program runs.
 *
 * <p>Nothing of it is on the path of packets: a thread reads the counters once a second, and
 * clients are served what it saw.
 */
public final class Dashboard implements AutoCloseable {
  private final AccessToken token = AccessToken.random();
  private final RequestCounts requests = new RequestCounts();
  private final TopTalkers talkers;
  private final Optional<LogRoutes> logRoutes = ProgramLog.current().map(LogRoutes::new);
  private final Taps taps;
  private final @Nullable RuleRoutes ruleRoutes;
  private final TapRoutes tapRoutes;
  private final ProgramState program;
  private final ProgramFeed feed;
  private final WebServer server;
  private final Optional<DashboardFile> file;
  private final EverySecond everySecond;

  private Dashboard(DashboardSettings settings, WatchedProgram watched) {
    @Nullable SSLContext tls = settings.tls().map(KeyStoreFile::context).orElse(null);
    talkers = new TopTalkers(watched.engine());
    GraphRunner graph = watched.graph();
    taps = new Taps(watched.engine(), graph);
    RuleControl rules = watched.rules();
    ruleRoutes = rules == null ? null : new RuleRoutes(rules);
    tapRoutes = new TapRoutes(taps);
    ProgramInfo info = ProgramInfo.ofThisProcess(watched.engine().config().programName());
    program =
        new ProgramState(
            info, () -> Moment.now(watched.engine()), () -> pages(graph), others(watched));
    feed = new ProgramFeed(program, new LivePlaces(), HistoryRoom.usual());
    server =
        WebServer.start(
            settings.address(), tls, token, requests, routes(settings, watched), this::changed);
    file =
        DashboardFile.write(
            ProgramFolder.ofUser(),
            new DashboardFile.Entry(
                info.pid(), info.name(), info.startedMs(), server.url(), token.reveal()));
    everySecond = EverySecond.start("dashboard", this::update);
  }

  /**
   * Serves the page.
   *
   * @throws io.linerate.core.config.ConfigException if the address cannot be had, or is that of no
   *     loopback interface without TLS and without a permission
   */
  public static Dashboard start(DashboardSettings settings, WatchedProgram program) {
    settings.requireSafe();
    return new Dashboard(settings, program);
  }

  private List<JsonMembers> others(WatchedProgram watched) {
    List<JsonMembers> others = new ArrayList<>();
    others.add(json -> changes(json, watched.engine().changes().latest()));
    others.add(json -> tapRoutes.list(json.name("taps")));
    others.add(json -> talkers.write(json.name("talkers")));
    logRoutes.ifPresent(others::add);
    watched.view().ifPresent(others::add);
    others.add(json -> requests.write(json, feed.live().clients()));
    return others;
  }

  private static void changes(JsonWriter json, List<LiveChanges.Change> latest) throws IOException {
    JsonMembers.objects(
        json.name("changes"),
        latest,
        change -> {
          json.name("timeMs").value(change.timeMs());
          json.name("what").value(change.what());
          json.name("text").value(change.text());
        });
  }

  /** The elements' pages of the manual, by their names. */
  private static Map<String, String> pages(@Nullable GraphRunner graph) {
    Map<String, String> pages = new LinkedHashMap<>();
    if (graph != null) {
      for (ElementDescription element : graph.description().elements()) {
        pages.put(element.name(), element.page());
      }
    }
    return pages;
  }

  private List<Route> routes(DashboardSettings settings, WatchedProgram watched) {
    SharedAnswer programs = new SharedAnswer(() -> new ProgramList(server.url()).toBytes());
    List<Route> routes = new ArrayList<>(ProgramFeed.routes(_ -> feed));
    routes.add(
        Route.get(
            "/api/programs",
            "The programs of this user that have a dashboard.",
            call -> call.json(programs)));
    GraphRunner graph = watched.graph();
    if (graph != null) {
      routes.addAll(new HandlerRoutes(graph).routes());
    }
    routes.addAll(tapRoutes.routes());
    if (ruleRoutes != null) {
      routes.addAll(ruleRoutes.routes());
    }
    ConfigurationControl configuration = watched.configuration();
    if (configuration != null) {
      routes.add(
          Route.change(
              "POST",
              "/api/reload",
              "Reads the configuration again: takes what it can, and names what needs a restart.",
              call -> reload(call, configuration)));
    }
    routes.addAll(new WorkerRoutes(watched.engine()).routes());
    logRoutes.ifPresent(log -> routes.addAll(log.routes()));
    return settings.served(routes);
  }

  private static void reload(Call call, ConfigurationControl configuration) throws IOException {
    call.members();
    ConfigurationControl.Reloaded reloaded = configuration.reload();
    call.object(json -> {
      JsonMembers.texts(json, "taken", reloaded.taken());
      JsonMembers.texts(json, "restart", reloaded.restart());
    });
  }

  /** Whoever asks from now on is told of the change. */
  private void changed() {
    feed.stale();
    if (ruleRoutes != null) {
      ruleRoutes.answer().stale();
    }
  }

  private void update() {
    server.enforceDeadlines();
    taps.tidy();
    talkers.update(feed.live().hasClients());
    feed.history().add(program.now());
    feed.publish();
  }

  /** Where the page is, with the token: opened as it is, the page may change things. */
  public String url() {
    return server.urlWithToken();
  }

  /** The secret that changes need. */
  AccessToken token() {
    return token;
  }

  /** Sends clients the last state, and ends. Before the engine is closed. */
  @Override
  public void close() {
    file.ifPresent(DashboardFile::close);
    everySecond.close();
    talkers.update(false);
    feed.publish();
    feed.live().close();
    server.close();
    taps.close();
  }
}
