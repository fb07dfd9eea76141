package io.linerate.dashboard.control;

import static io.linerate.dashboard.http.RouteParameter.member;

import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.Members;
import io.linerate.dashboard.http.Refusal;
import io.linerate.dashboard.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Workers and their queues over HTTP: they change while packets flow, without loss. */
public record WorkerRoutes(Engine engine) {
  private static final String PATH = "/api/workers";
  private static final long TIMEOUT_S = 10;

  public List<Route> routes() {
    return List.of(
        Route.change(
            "POST", PATH, "Adds a worker, which has no queues yet: its number.", this::add),
        Route.change(
            "DELETE",
            PATH + "/{worker}",
            "Moves a worker's queues to others, then ends it.",
            this::retire),
        Route.change("POST", "/api/queues/move", "Gives a queue to another worker.", this::move)
            .with(
                member("port", "string", "Name of the queue's port."),
                member("queue", "integer", "Its number."),
                member("worker", "integer", "Number of its next worker.")),
        Route.change(
            "POST",
            "/api/queues/spread",
            "Moves queues until all workers have as many of them.",
            this::spread),
        Route.change(
            "POST", "/api/stop", "Ends the program: it sends what it holds first.", this::stop));
  }

  private void add(Call call) throws IOException {
    call.members();
    Worker worker = ifPossible(engine::addWorker);
    call.object(json -> json.name("worker").value(worker.id()));
  }

  private void retire(Call call) throws IOException {
    int id = (int) Call.number("worker", call.variable("worker"), 0, Integer.MAX_VALUE);
    Worker worker = worker(id);
    if (engine.workers().size() == 1) {
      throw new Refusal(409, "the only worker cannot be retired: worker=" + id + "; add another");
    }
    await(ifPossible(() -> engine.retire(worker)));
    call.done();
  }

  private void move(Call call) throws IOException {
    Members body = call.members("port", "queue", "worker");
    String port = body.text("port");
    int queue = body.number("queue", 0, Integer.MAX_VALUE);
    Worker worker = worker(body.number("worker", 0, Integer.MAX_VALUE));
    await(ifPossible(() -> engine.move(port, queue, worker)));
    call.done();
  }

  private void spread(Call call) throws IOException {
    call.members();
    await(ifPossible(engine::spread));
    call.done();
  }

  private void stop(Call call) throws IOException {
    call.members();
    try {
      call.done(); // First: the page ends with the program.
    } finally {
      engine.stop();
    }
  }

  private Worker worker(int id) {
    return engine.workers().stream()
        .filter(worker -> worker.id() == id)
        .findFirst()
        .orElseThrow(() -> new Refusal(404, "no such worker: worker=" + id));
  }

  /** An engine that cannot do it now, because it stops, says so: that is no bug. */
  private static <T> T ifPossible(Supplier<T> action) {
    try {
      return action.get();
    } catch (IllegalStateException e) {
      throw new Refusal(409, String.valueOf(e.getMessage()));
    }
  }

  private static void await(CompletableFuture<Void> done) {
    try {
      done.get(TIMEOUT_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw new Refusal(409, cause == null ? "it failed" : String.valueOf(cause.getMessage()));
    } catch (TimeoutException e) {
      throw new Refusal(504, "worker does not answer: waitedS=" + TIMEOUT_S);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(503, "interrupted");
    }
  }
}
