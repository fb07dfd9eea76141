package io.linerate.dashboard;

import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.LiveFeed;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.http.Route;
import io.linerate.dashboard.http.RouteParameter;
import io.linerate.dashboard.http.SharedAnswer;
import io.linerate.dashboard.state.History;
import io.linerate.dashboard.state.Metrics;
import io.linerate.dashboard.state.ProgramState;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What clients are told of a program.
 *
 * @param state all of it as it is, made once for all who ask
 * @param metrics the same as Prometheus reads it
 * @param history its last hour
 * @param live clients that are sent the state as it changes
 */
record ProgramFeed(SharedAnswer state, SharedAnswer metrics, History history, LiveFeed live) {
  ProgramFeed(ProgramState program, LivePlaces places) {
    this(
        new SharedAnswer(program::json),
        new SharedAnswer(() -> Metrics.text(program.now().table())),
        new History(),
        new LiveFeed(places));
  }

  /**
   * What a server is asked about programs.
   *
   * @param of the program that a call is about
   * @param which parameters that name it
   */
  static List<Route> routes(Function<Call, ProgramFeed> of, RouteParameter... which) {
    return Stream.of(
            Route.get(
                "/api/state",
                "Everything about a program: totals since its start.",
                call -> call.json(of.apply(call).state)),
            Route.get(
                "/api/live",
                "The state once a second, as server-sent events.",
                call -> {
                  ProgramFeed feed = of.apply(call);
                  feed.live.serve(call, "state", feed.state);
                }),
            Route.get(
                    "/api/history",
                    "The totals of the last hour, once a second.",
                    call -> of.apply(call).history.serve(call))
                .with(
                    RouteParameter.query("seconds", "integer", "The last ones; 3600 if not said.")),
            Route.get(
                "/metrics",
                "All numbers of a program as Prometheus reads them.",
                call -> call.reply(200, Metrics.CONTENT_TYPE, of.apply(call).metrics.get())))
        .map(route -> route.with(which))
        .toList();
  }

  /** Whoever asks from now on is told of the change. */
  void stale() {
    state.stale();
    metrics.stale();
  }

  /** Sends clients the state as it is now. */
  void publish() {
    if (live.hasClients()) {
      live.publish(state.anew());
    }
  }
}
