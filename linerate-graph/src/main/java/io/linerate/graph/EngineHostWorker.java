package io.linerate.graph;

import io.linerate.core.worker.Engine;
import java.util.Optional;

/** One of an engine, which can be stopped. */
interface EngineHostWorker extends HostWorker {
  Engine engine();

  @Override
  default void stop(String what, Throwable why) {
    engine().drivers().failed(what, why);
    engine().stop();
  }

  @Override
  default void giveUp(Throwable why) {
    engine().drivers().givenUp(why);
    engine().stop();
  }

  @Override
  default void stop() {
    engine().stop();
  }

  @Override
  default boolean isStopping() {
    return engine().drivers().isStopping();
  }

  @Override
  default Optional<Throwable> failure() {
    return engine().drivers().failure();
  }
}
