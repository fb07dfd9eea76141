package io.linerate.core.worker;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.RxQueue;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Warns of what is hardly meant, when an engine starts.
 *
 * @param hasWork whether there are ports, those included that belong to a generator, or a graph
 * @param ports the names of those that the application has opened
 */
record StartWarnings(
    EngineConfig config, boolean hasWork, List<String> ports, List<Worker> workers) {
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
    if (!hasWork) {
      LOG.log(
          Level.WARNING,
          "engine has no ports, no packet comes in or goes out: program={0}; open one before it starts",
          config.programName());
    } else if (workers.stream()
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

  /** Which ports have to be looked at all the time, though workers are to wait. Once they run. */
  void logPolled() {
    Set<String> polled = new TreeSet<>();
    if (config.idle() == Idle.INTERRUPT) {
      for (Worker worker : workers) {
        for (DriverPort port : worker.ports().inputs()) {
          RxQueue queue = port.rxQueue(0);
          if (!queue.canWait() && !queue.isMappedFile()) {
            polled.add(port.name());
          }
        }
      }
    }
    if (!polled.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "ports cannot tell when packets come, they are looked at every ms: idle=interrupt, ports={0}; packet:, xdp:, tap:, ring: and libpcap: can, and dpdk: where its driver has receive interrupts",
          String.join(", ", polled));
    }
  }

  private static void unused(String port) {
    LOG.log(
        Level.WARNING,
        "no worker uses the port, what it receives is lost there: port={0}; give it to Worker.input or Worker.output, or leave it out",
        port);
  }
}
