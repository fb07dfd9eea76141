package io.linerate.apps.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Memory: hugepages, free memory, how much may be locked. */
record MemoryExam(SystemFiles files) {
  private static final String HUGEPAGES = "sys/kernel/mm/hugepages";
  private static final Pattern HUGEPAGE_SIZE = Pattern.compile("hugepages-([0-9]+)kB");
  private static final long KIB_PER_MIB = 1_024;

  /** Less may be locked than a small pool of buffers needs. */
  private static final long ENOUGH_LOCKED_BYTES = 64L << 20;

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>(hugepages());
    findings.add(memory());
    findings.add(locked());
    return findings;
  }

  private List<Finding> hugepages() {
    List<Finding> findings = new ArrayList<>();
    boolean some = false;
    for (String size : files.names(HUGEPAGES)) {
      Matcher matcher = HUGEPAGE_SIZE.matcher(size);
      if (matcher.matches()) {
        long kib = Long.parseLong(matcher.group(1));
        long total = files.number(HUGEPAGES + "/" + size + "/nr_hugepages", 0);
        long free = files.number(HUGEPAGES + "/" + size + "/free_hugepages", 0);
        some |= total > 0;
        findings.add(
            Finding.ok(
                "hugepages of " + kib / KIB_PER_MIB + " MiB", total + " total, " + free + " free"));
      }
    }
    if (!some) {
      findings.add(
          Finding.missing(
                  "hugepages", "none reserved", "echo 512 | sudo tee /proc/sys/vm/nr_hugepages")
              .fixedBy(
                  "echo 0 | sudo tee /proc/sys/vm/nr_hugepages",
                  "sh",
                  "-c",
                  "echo 512 > /proc/sys/vm/nr_hugepages"));
    }
    return findings;
  }

  private Finding memory() {
    long totalMiB = field("MemTotal:") / KIB_PER_MIB;
    long availableMiB = field("MemAvailable:") / KIB_PER_MIB;
    return Finding.ok("memory", totalMiB + " MiB, " + availableMiB + " MiB available");
  }

  private long field(String name) {
    return files.lines("proc/meminfo").stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .filter(number -> !number.isEmpty())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }

  /** Drivers lock what devices write to: RLIMIT_MEMLOCK, or CAP_IPC_LOCK. */
  private Finding locked() {
    String limit =
        files.lines("proc/self/limits").stream()
            .filter(line -> line.startsWith("Max locked memory"))
            .map(line ->
                line.substring("Max locked memory".length()).strip().replaceAll("\\s.*", ""))
            .findFirst()
            .orElse("unknown");
    boolean enough = !limit.matches("[0-9]{1,18}") || Long.parseLong(limit) >= ENOUGH_LOCKED_BYTES;
    String value =
        limit.matches("[0-9]{1,18}")
            ? String.format(Locale.ROOT, "%,d bytes", Long.parseLong(limit))
            : limit;
    return Finding.optional(enough, "memory that may be locked", value, "ulimit -l unlimited");
  }
}
