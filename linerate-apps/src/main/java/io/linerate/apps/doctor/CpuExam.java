package io.linerate.apps.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** CPUs: how many, on how many sockets, at which speed policy, which are kept for us. */
record CpuExam(SystemFiles files) {
  private static final String CPUS = "sys/devices/system/cpu";

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    TreeSet<String> sockets = new TreeSet<>();
    TreeSet<String> cores = new TreeSet<>();
    TreeSet<String> governors = new TreeSet<>();
    int cpus = 0;
    for (String name : files.names(CPUS)) {
      if (name.matches("cpu[0-9]+")) {
        String cpu = CPUS + "/" + name;
        String socket = files.text(cpu + "/topology/physical_package_id");
        cpus++;
        sockets.add(socket);
        cores.add(socket + "/" + files.text(cpu + "/topology/core_id"));
        governors.add(files.text(cpu + "/cpufreq/scaling_governor"));
      }
    }
    governors.remove("");
    findings.add(
        Finding.ok(
            "CPUs", cpus + " on " + sockets.size() + " sockets, " + cores.size() + " cores"));
    findings.add(governor(governors));
    findings.add(isolated());
    return findings;
  }

  private static Finding governor(TreeSet<String> governors) {
    if (governors.isEmpty()) {
      return Finding.ok("CPU governor", "none: the speed is not the kernel's to choose");
    }
    return Finding.optional(
            governors.equals(new TreeSet<>(List.of("performance"))),
            "CPU governor",
            String.join(", ", governors),
            "sudo cpupower frequency-set -g performance")
        .fixedBy(
            "sudo cpupower frequency-set -g " + governors.first(),
            "sh",
            "-c",
            "for f in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do echo performance > $f; done");
  }

  private Finding isolated() {
    String isolated = files.text(CPUS + "/isolated");
    return Finding.optional(
        !isolated.isEmpty(),
        "isolated CPUs",
        isolated.isEmpty() ? "none" : isolated,
        "add isolcpus=CPUS to the kernel's command line, and set cpus=CPUS");
  }
}
