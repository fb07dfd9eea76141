package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.RunSummary;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever is thrown, and whoever closes it: an engine leaves nothing open and hides nothing. */
class EngineCloseTest {
  private final List<String> events = new CopyOnWriteArrayList<>();

  private AutoCloseable closing(String name, Throwable thrown) {
    return () -> {
      events.add(name);
      throw rethrown(thrown);
    };
  }

  /** Throws it, whatever it is. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException rethrown(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static boolean isPrintable(Throwable thrown) {
    thrown.printStackTrace(new PrintWriter(Writer.nullWriter()));
    return thrown.getMessage() != null;
  }

  /** Runs it on a thread of its own, and returns when that has ended or waits for the engine. */
  private static Thread start(Runnable action) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(action);
    while (thread.isAlive() && !isWaitingForTheEngine(thread)) {
      Thread.sleep(1);
    }
    return thread;
  }

  private static boolean isWaitingForTheEngine(Thread thread) {
    return switch (thread.getState()) {
      case WAITING -> true;
      case BLOCKED -> // Or for a class that is being loaded.
          Stream.of(thread.getStackTrace())
              .limit(1)
              .anyMatch(frame -> frame.getClassName().startsWith(Engine.class.getPackageName()));
      default -> false;
    };
  }

  @Test
  void shouldCloseEverythingWhateverIsThrown() {
    Engine engine = new Engine();
    RuntimeException twice = new IllegalStateException("thrown twice");
    engine.closeAlso(() -> events.add("first"));
    engine.closeAlso(closing("twice", twice));
    engine.closeAlso(closing("again", twice));
    engine.closeAlso(closing("unprintable", new Unprintable()));
    engine.closeAlso(closing("error", new AssertionError("an error")));
    engine.source(_ -> {
      throw new AssertionError("of the samples");
    });
    engine.drivers().pools().create("whole", 8, 0, 64);
    engine.start();
    assertThat(engine.awaitEnd(60_000)).isTrue();
    Throwable thrown = catchThrowable(engine::close);
    assertThat(events).containsExactly("error", "unprintable", "again", "twice", "first");
    assertThat(engine.drivers().pools().own()).isEmpty();
    assertThat(thrown).isInstanceOf(RuntimeException.class).matches(EngineCloseTest::isPrintable);
    List<Throwable> all = new ArrayList<>(List.of(thrown.getSuppressed()));
    all.addFirst(thrown);
    assertThat(all).hasSize(4);
    assertThat(all.toString())
        .contains("of the samples", "an error", Unprintable.class.getName(), "thrown twice");
  }

  @Test
  void shouldKeepTheLastSamplesOfOthersWhenASourceThrows() {
    Engine engine = new Engine();
    engine.source(_ -> {
      throw new AssertionError("of the samples");
    });
    engine.source(sink -> sink.gauge("of_another", SampleUnit.NONE, 7));
    assertThatThrownBy(engine::close).hasMessageContaining("of the samples");
    assertThat(engine.samples()).extracting("name").contains("of_another");
  }

  /** Throws in one of its methods. */
  private record ThrowingTask(String method) implements WorkerTask {
    private void called(String called) {
      if (called.equals(method)) {
        throw new Unprintable();
      }
    }

    @Override
    public void begin() {
      called("begin");
    }

    @Override
    public int doWork() {
      called("doWork");
      return 0;
    }

    @Override
    public boolean isActive() {
      called("isActive");
      return false;
    }

    @Override
    public void end() {
      called("end");
    }
  }

  @Test
  void shouldFailTheRunWhateverMethodOfATaskThrows() {
    for (String method : List.of("begin", "doWork", "isActive", "end")) {
      try (Engine engine = new Engine()) {
        engine
            .worker()
            .input(ScriptedPort.source(engine, 3), burst -> burst.dropAll(DropReason.CONSUMED));
        engine.worker().task(new ThrowingTask(method));
        assertThat(engine.run().failures())
            .as(method)
            .singleElement()
            .asString()
            .contains(Unprintable.class.getName(), "cannot be printed");
      }
    }
  }

  @Test
  void shouldEndWhatRetiresAndIsAddedWhileItCloses() throws Exception {
    for (int round = 0; round < 20; round++) {
      Engine engine = new Engine(EngineConfig.DEFAULT.withMaxWorkers(3));
      ScriptedPort port = ScriptedPort.silent();
      engine.eachWorker(worker -> worker.input(port, _ -> {}));
      engine.closeAlso(() -> events.add("closed"));
      engine.start();
      CountDownLatch hasBegun = new CountDownLatch(1);
      List<CompletableFuture<Void>> retired = new CopyOnWriteArrayList<>();
      CompletableFuture<Throwable> others =
          CompletableFuture.supplyAsync(() ->
              catchThrowable(() -> {
                while (true) {
                  Worker worker = engine.addWorker();
                  retired.add(engine.spread());
                  retired.add(engine.retire(engine.workers().getFirst()));
                  retired.add(engine.move("source", 0, worker));
                  hasBegun.countDown();
                }
              }));
      hasBegun.await();
      engine.close();
      assertThat(others.get(60, TimeUnit.SECONDS))
          .isInstanceOfAny(IllegalStateException.class, ConfigException.class);
      for (CompletableFuture<Void> one : retired) {
        one.handle((_, _) -> "ended").get(60, TimeUnit.SECONDS);
      }
    }
    assertThat(events).hasSize(20);
  }

  /** Ends in an exception. */
  private record EndingTask(Throwable thrown) implements WorkerTask {
    @Override
    public int doWork() {
      return 0;
    }

    @Override
    public void end() {
      throw rethrown(thrown);
    }
  }

  @Test
  void shouldFailTheRunWhenATaskCannotEnd() {
    List<Throwable> all = List.of(new Unprintable(), new AssertionError("of a task"));
    for (Throwable thrown : all) {
      try (Engine engine = new Engine()) {
        engine.worker().task(new EndingTask(thrown));
        engine.closeAlso(() -> events.add("closed"));
        RunSummary summary = engine.run();
        assertThat(summary.hasFailed()).isTrue();
        assertThat(summary.failures())
            .singleElement()
            .asString()
            .startsWith(
                "task cannot end: worker=0, task=" + EndingTask.class.getName() + ", error=")
            .contains(thrown.getClass().getName());
      }
    }
    assertThat(events).hasSize(2);
  }

  @Test
  void shouldWaitForItsWorkersThoughTheThreadIsInterrupted() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Engine engine = new Engine();
    engine.closeAlso(
        () -> events.add("closed, interrupted=" + Thread.currentThread().isInterrupted()));
    engine
        .worker()
        .task(
            new WorkerTask() {
              @Override
              public int doWork() {
                return 0;
              }

              @Override
              public boolean isActive() {
                return true;
              }

              @Override
              public void end() {
                while (mayEnd.getCount() > 0) {
                  Thread.onSpinWait();
                }
                events.add("ended");
              }
            });
    engine.start();
    Thread closer = Thread.currentThread();
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          while (closer.getState() != Thread.State.TIMED_WAITING
              && closer.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
          }
          mayEnd.countDown();
        });
    closer.interrupt();
    try {
      engine.close();
    } finally {
      mayEnd.countDown();
      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }
    assertThat(events).containsExactly("ended", "closed, interrupted=false");
  }

  @Test
  void shouldCloseOnceWhenItIsClosedWhileItCloses() throws Exception {
    Engine engine = new Engine();
    AtomicReference<Thread> other = new AtomicReference<>();
    engine.closeAlso(() -> {
      if (other.get() == null) {
        other.set(Thread.currentThread());
        other.set(
            start(() -> {
              engine.close();
              events.add("other returns");
            }));
        engine.close();
      }
      events.add("closed");
    });
    engine.close();
    other.get().join();
    assertThat(events).containsExactly("closed", "other returns");
  }

  @Test
  void shouldRunNoWorkerThatIsWiredWhileItCloses() throws Exception {
    Engine engine = new Engine(EngineConfig.DEFAULT.withMaxWorkers(2));
    engine.worker().input(ScriptedPort.silent(), _ -> {});
    engine.closeAlso(() -> events.add("closed"));
    engine.start();
    CountDownLatch isWiring = new CountDownLatch(1);
    CountDownLatch mayGo = new CountDownLatch(1);
    CompletableFuture<Throwable> added =
        CompletableFuture.supplyAsync(() ->
            catchThrowable(() ->
                engine.addWorker(worker -> {
                  isWiring.countDown();
                  awaitUninterrupted(mayGo);
                  worker.task(() -> {
                    events.add("ran");
                    return 0;
                  });
                  events.add("wired");
                })));
    isWiring.await();
    Thread closer = start(engine::close);
    mayGo.countDown();
    closer.join();
    assertThat(added.get(60, TimeUnit.SECONDS))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("engine");
    assertThat(events).containsExactly("wired", "closed");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldForgetAWorkerWhoseWiringEndsInAnError() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withMaxWorkers(2))) {
      assertThatThrownBy(() ->
              engine.addWorker(_ -> {
                throw new AssertionError("of the wiring");
              }))
          .isInstanceOf(AssertionError.class);
      assertThat(engine.workers()).hasSize(1);
      assertThat(engine.addWorker(_ -> {}).id()).isEqualTo(1);
    }
  }

  @Test
  void shouldTakeNothingMoreToCloseWhenItIsClosed() {
    Engine engine = new Engine();
    engine.close();
    List<Runnable> calls =
        List.of(
            () -> engine.closeAlso(() -> {}),
            () -> engine.drivers().open("late", "ring:late"),
            () -> engine.drivers().keepWorkers(() -> ""));
    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("engine is closed: program=linerate; make another");
    }
  }
}
