package io.linerate.bench.warmup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The worker of another process, as Linux sees it: proc(5), {@code /proc/PID/task/TID}. */
final class WorkerThread {
  private static final String NAME = "worker-0";
  private static final double NS_PER_MS = 1e6;

  private final Path tasks;
  private Optional<Path> task = Optional.empty();

  WorkerThread(long pid) {
    tasks = Path.of("/proc", Long.toString(pid), "task");
  }

  /**
   * For how long it was ready to run and had no CPU, until now: the second number of schedstat. 0
   * while there is no such thread.
   */
  double waitedMs() {
    try {
      if (task.isEmpty()) {
        task = find();
      }
      return task.isEmpty()
          ? 0
          : Long.parseLong(Files.readString(task.get().resolve("schedstat")).split(" ", -1)[1])
              / NS_PER_MS;
    } catch (IOException e) {
      return 0; // It has just ended.
    }
  }

  private Optional<Path> find() throws IOException {
    try (Stream<Path> all = Files.list(tasks)) {
      return all.filter(WorkerThread::isWorker).findFirst();
    }
  }

  private static boolean isWorker(Path one) {
    try {
      return Files.readString(one.resolve("comm")).strip().equals(NAME);
    } catch (IOException e) {
      return false; // It has just ended.
    }
  }
}
