package io.linerate.core.worker;

import io.linerate.core.config.EngineConfig;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Warns of what is hardly meant, when an engine starts.
 *
 * @param ports the names of those that the application has opened
 */
record StartWarnings(EngineConfig config, List<String> ports, List<Worker> workers) {
  private static final System.Logger LOG = System.getLogger(Engine.class.getName());

  void log() {
    int cpus = Runtime.getRuntime().availableProcessors();
    if (config.cpus().isEmpty() && workers.size() > cpus) {
      LOG.log(
          Level.WARNING,
          "more workers than CPUs, they take turns: workers={0}, cpus={1}; set workers={1} or fewer",
          workers.size(),
          cpus);
    }
    if (workers.stream()
        .allMatch(worker -> worker.ports().inputs().isEmpty() && worker.tasks().isEmpty())) {
      LOG.log(
          Level.WARNING,
          "engine has nothing to do and ends at once: program={0}; give a worker an input or a task",
          config.programName());
    }
    Set<String> used =
        workers.stream().flatMap(worker -> worker.ports().names()).collect(Collectors.toSet());
    ports.stream().filter(port -> !used.contains(port)).forEach(StartWarnings::unused);
  }

  private static void unused(String port) {
    LOG.log(
        Level.WARNING,
        "no worker uses the port, what it receives is lost there: port={0}; give it to Worker.input or Worker.output, or leave it out",
        port);
  }
}
