package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What a worker does each round beside its inputs. For its thread, and before it runs. */
final class WorkerTasks {
  private final int worker;
  private final RunFailures failures;
  private WorkerTask[] tasks = new WorkerTask[0];

  WorkerTasks(int worker, RunFailures failures) {
    this.worker = worker;
    this.failures = failures;
  }

  void add(WorkerTask task) {
    tasks = Arrays.copyOf(tasks, tasks.length + 1);
    tasks[tasks.length - 1] = task;
  }

  boolean isEmpty() {
    return tasks.length == 0;
  }

  void begin() {
    for (WorkerTask task : tasks) {
      task.begin();
    }
  }

  /** A round of all; returns the pieces of work done. */
  int doWork(Outputs outputs) {
    int work = 0;
    for (WorkerTask task : tasks) {
      int done = task.doWork();
      if (done > 0) { // What handlers have sent before is left for the next poll.
        outputs.transmitDue();
      }
      work += done;
    }
    return work;
  }

  /** See {@link WorkerTask#restNs}. */
  long restNs(Runnable wake) {
    long least = Long.MAX_VALUE;
    for (WorkerTask task : tasks) {
      least = Math.min(least, task.restNs(wake));
    }
    return least;
  }

  /** Whether one of them may still bring packets: asked after each round once no port does. */
  boolean isActive() {
    for (WorkerTask task : tasks) {
      if (task.isActive()) {
        return true;
      }
    }
    return false;
  }

  /** See {@link WorkerTask#waitedNs}. Any thread. */
  long waitedNs() {
    return Arrays.stream(tasks).mapToLong(WorkerTask::waitedNs).sum();
  }

  /** Whether what they have handed to other workers until now was taken up there. */
  BooleanSupplier takenOver() {
    List<BooleanSupplier> all = Arrays.stream(tasks).map(WorkerTask::handedOver).toList();
    return () -> all.stream().allMatch(BooleanSupplier::getAsBoolean);
  }

  /**
   * Any thread.
   *
   * @throws ConfigException if other workers cannot do without one of them
   */
  void requireUnbound() {
    for (WorkerTask task : tasks) {
      String bond = task.bond();
      if (bond != null) {
        throw new ConfigException(
            "worker cannot be retired: worker=%d, %s; change the graph or the workers that need it first"
                .formatted(worker, bond));
      }
    }
  }

  void end() {
    for (WorkerTask task : tasks) {
      try {
        task.end();
      } catch (Throwable e) { // What is stored elsewhere still goes where it belongs.
        failures.add(
            "task cannot end: worker=%d, task=%s".formatted(worker, task.getClass().getName()), e);
      }
    }
  }
}
