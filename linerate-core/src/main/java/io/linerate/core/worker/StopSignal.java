package io.linerate.core.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns SIGINT and SIGTERM into an orderly end: the program is told to stop, and the process waits
 * until it has said what it did.
 *
 * <pre>{@code
 * var engine = new Engine();
 * try (var _ = StopSignal.install(engine::stop);
 *     engine) {
 *   // ports, inputs, outputs
 *   System.out.println(engine.run());
 * }
 * }</pre>
 *
 * The engine stands second, so that it is closed first: its files are complete before the process
 * may end.
 */
public final class StopSignal implements AutoCloseable {
  private static final long TIMEOUT_S = 20;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;
  private volatile int exitStatus;

  private StopSignal(Runnable stop) {
    hook =
        new Thread(
            () -> {
              stop.run();
              awaitDone();
              // The virtual machine would exit with 128 + the signal's number; the program ended as
              // it was asked to.
              Runtime.getRuntime().halt(exitStatus);
            },
            "stop-signal");
  }

  /** Calls {@code stop} on a signal, then lets the process live until {@link #close}. */
  public static StopSignal install(Runnable stop) {
    StopSignal signal = new StopSignal(stop);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** The status that the process exits with when a signal ended it; 0 unless set. */
  public void exitStatus(int status) {
    exitStatus = status;
  }

  private void awaitDone() {
    try {
      if (!done.await(TIMEOUT_S, TimeUnit.SECONDS)) {
        exitStatus = 1;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The program has said all that it has to say. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // A signal came: the hook waits for this.
      done.countDown();
    }
  }
}
