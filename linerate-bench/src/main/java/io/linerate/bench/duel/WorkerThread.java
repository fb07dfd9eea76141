package io.linerate.bench.duel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The worker of another process, Linerate's or DPDK's, as Linux sees it: proc(5), {@code
 * /proc/PID/task/TID}.
 */
public final class WorkerThread {
  private static final List<String> NAMES = List.of("worker-0", "rte-worker-1");
  private static final double NS_PER_MS = 1e6;

  private final Path tasks;
  private Optional<Path> task = Optional.empty();

  public WorkerThread(long pid) {
    tasks = Path.of("/proc", Long.toString(pid), "task");
  }

  /**
   * For how long it was ready to run and had no CPU, until now: the second number of schedstat. 0
   * while there is no such thread.
   */
  public double waitedMs() {
    try {
      Optional<Path> file = schedstat();
      return file.isEmpty()
          ? 0
          : Long.parseLong(Files.readString(file.get()).split(" ", -1)[1]) / NS_PER_MS;
    } catch (IOException e) {
      return 0; // It has just ended.
    }
  }

  /** The file that says so; none while there is no such thread. */
  public Optional<Path> schedstat() throws IOException {
    if (task.isEmpty()) {
      task = find();
    }
    return task.map(path -> path.resolve("schedstat"));
  }

  private Optional<Path> find() throws IOException {
    try (Stream<Path> all = Files.list(tasks)) {
      return all.filter(WorkerThread::isWorker).findFirst();
    }
  }

  private static boolean isWorker(Path one) {
    try {
      return NAMES.contains(Files.readString(one.resolve("comm")).strip());
    } catch (IOException e) {
      return false; // It has just ended.
    }
  }
}
