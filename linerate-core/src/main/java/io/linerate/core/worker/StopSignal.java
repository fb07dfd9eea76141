package io.linerate.core.worker;

import io.linerate.core.log.FailureLog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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
 * may end, with 0, or 1 if the program failed; {@link #exit} tells another status.
 */
public final class StopSignal implements AutoCloseable {
  private static final long TIMEOUT_MS = 20_000;

  /** How long a program may still say why it failed. */
  private static final long LAST_WORDS_MS = 5_000;

  private static final int FAILED = 1;

  /** The one whose signal has come. */
  private static volatile @Nullable StopSignal ending;

  private final Thread program = Thread.currentThread();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch exited = new CountDownLatch(1);
  private final Thread hook;
  private volatile int exitStatus;

  private StopSignal(Runnable stop) {
    hook = new Thread(() -> end(stop), "stop-signal");
  }

  /**
   * Calls {@code stop} on a signal, then lets the process live until {@link #close}, and the
   * calling thread until it ends or calls {@link #exit}.
   */
  public static StopSignal install(Runnable stop) {
    StopSignal signal = new StopSignal(stop);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** As {@link System#exit}; also while a signal ends the process, which exits with this status. */
  public static void exit(int status) {
    StopSignal signal = ending;
    if (signal != null) {
      signal.exitStatus = status;
      signal.exited.countDown();
    }
    System.exit(status);
  }

  private void end(Runnable stop) {
    program.setUncaughtExceptionHandler((thread, thrown) -> {
      exitStatus = FAILED;
      thread.getThreadGroup().uncaughtException(thread, thrown);
    });
    ending = this;
    try {
      stop.run();
    } catch (Throwable e) { // The program may end all the same.
      exitStatus = FAILED; // Loggers have ended by now.
      System.err.println("linerate: stopping failed, error=" + FailureLog.printable(e));
    }
    try {
      if (!closed.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
        exitStatus = FAILED;
      }
      for (int i = 0; i < LAST_WORDS_MS && program.isAlive(); i++) {
        if (exited.await(1, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
    } catch (InterruptedException e) {
      exitStatus = FAILED;
    }
    // The virtual machine would exit with 128 + the signal's number; the program ended as it was
    // asked to.
    Runtime.getRuntime().halt(exitStatus);
  }

  /** The program has closed what it had open. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // A signal came: the hook waits for this.
      closed.countDown();
    }
  }
}
