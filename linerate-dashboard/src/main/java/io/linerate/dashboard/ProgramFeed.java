package io.linerate.dashboard;

import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.LiveFeed;
import io.linerate.dashboard.http.LivePlaces;
import io.linerate.dashboard.http.Route;
import io.linerate.dashboard.http.RouteParameter;
import io.linerate.dashboard.http.SharedAnswer;
import io.linerate.dashboard.state.History;
import io.linerate.dashboard.state.HistoryRoom;
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
 * @param history its last day
 * @param live clients that are sent the state as it changes
 */
record ProgramFeed(SharedAnswer state, SharedAnswer metrics, History history, LiveFeed live) {
  ProgramFeed(ProgramState program, LivePlaces places, HistoryRoom room) {
    this(
        new SharedAnswer(program::json),
        new SharedAnswer(() -> Metrics.text(program.now().table())),
        new History(room),
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
                      boolean takesChanges = call.query("changes").isPresent();
                      feed.live.serve(call, takesChanges, feed.state);
                    })
                .with(
                    RouteParameter.query(
                        "changes",
                        "string",
                        "If it is there, events named change have what is to be done to the last"
                            + " state: members that are others, by index in arrays that are as long; null"
                            + " for those that are gone.")),
            Route.get(
                    "/api/history",
                    "The totals of the last day at most: each second of ten minutes, then in"
                        + " longer steps.",
                    call -> of.apply(call).history.serve(call))
                .with(
                    RouteParameter.query("seconds", "integer", "The last ones; 3600 if not said."),
                    RouteParameter.query(
                        "series",
                        "string",
                        "Starts of names, with commas between; %s if not said."
                            .formatted(History.USUAL_SERIES))),
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
