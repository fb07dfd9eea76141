package io.linerate.bench.latency;

import java.nio.file.Path;
import java.util.List;

/**
 * Two memif connections between the meter and a forwarder: rings in shared memory, one for each
 * direction.
 *
 * @param folder where their sockets are
 */
record Link(Path folder) {
  private static final String ARGUMENTS = ",id=0,socket-abstract=no,bsize=2048,rsize=10,socket=";

  /** From the meter to the forwarder. */
  String there(String role) {
    return "net_memif0,role=" + role + ARGUMENTS + folder.resolve("there");
  }

  /** From the forwarder to the meter. */
  String back(String role) {
    return "net_memif1,role=" + role + ARGUMENTS + folder.resolve("back");
  }

  /** For DPDK's environment in a C program: what Linerate gives it. */
  List<String> ealArguments(String prefix, int cpu) {
    return List.of(
        "--no-pci",
        "--in-memory",
        "--no-telemetry",
        "--log-level=error",
        "-m",
        "128",
        "--file-prefix",
        prefix + ProcessHandle.current().pid(),
        "--lcores",
        "0@" + cpu);
  }
}
