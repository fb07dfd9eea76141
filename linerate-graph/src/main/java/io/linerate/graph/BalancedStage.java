package io.linerate.graph;

import io.linerate.core.driver.MovableWork;
import java.util.concurrent.CompletableFuture;

/** A stage that is left to the engine, as the balancer knows it. */
record BalancedStage(GraphRunner runner, Replica stage) implements MovableWork {
  @Override
  public int worker() {
    return stage.freeStage().home() == null ? -1 : stage.worker();
  }

  @Override
  public long ns() {
    return stage.elements().values().stream().mapToLong(element -> element.time().ns()).sum();
  }

  @Override
  public void move(int worker, String reason) {
    CompletableFuture<Boolean> _ = runner.move(stage, worker, reason);
  }

  @Override
  public String toString() {
    return "stage=" + FreeStages.name(stage);
  }
}
