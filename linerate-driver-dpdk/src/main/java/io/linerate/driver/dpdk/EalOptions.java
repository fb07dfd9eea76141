package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.NearestWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code eal=} passes on to DPDK: its options with blanks between them, such as {@code
 * eal=--iova-mode=va --telemetry}. What Linerate has settings of its own for is refused, and so is
 * a secondary process: it would use the buffers and devices of another program, which Linerate's
 * conservation law knows nothing of.
 */
final class EalOptions {
  /** Options that DPDK is given as they are: EAL parameters of DPDK's Linux guide. */
  private static final Set<String> PASSED_ON =
      Set.of(
          "-d",
          "--base-virtaddr",
          "--create-uio-dev",
          "--file-prefix",
          "--force-max-simd-bitwidth",
          "--huge-dir",
          "--huge-unlink",
          "--huge-worker-stack",
          "--iova-mode",
          "--legacy-mem",
          "--log-color",
          "--log-level",
          "--match-allocations",
          "--mbuf-pool-ops-name",
          "--no-hpet",
          "--no-huge",
          "--proc-type",
          "--single-file-segments",
          "--socket-limit",
          "--syslog",
          "--telemetry",
          "--trace",
          "--trace-bufsz",
          "--trace-dir",
          "--trace-mode",
          "--vfio-intr",
          "--vfio-vf-token",
          "--vmware-tsc-map");

  /** What to use in place of others. */
  private static final Map<String, String> OWN =
      Map.ofEntries(
          Map.entry("-l", "workers= and cpus="),
          Map.entry("-c", "workers= and cpus="),
          Map.entry("-s", "workers= and cpus="),
          Map.entry("--lcores", "workers= and cpus="),
          Map.entry("--main-lcore", "workers= and cpus="),
          Map.entry("-m", "memory="),
          Map.entry("--socket-mem", "memory="),
          Map.entry("-n", "memorychannels="),
          Map.entry("-b", "block="),
          Map.entry("--block", "block="),
          Map.entry("-a", "the address of a port: dpdk:DEVICE"),
          Map.entry("--allow", "the address of a port: dpdk:DEVICE"),
          Map.entry("--vdev", "the address of a port: dpdk:DEVICE"),
          Map.entry("--no-pci", "the addresses of ports: no other device is opened"),
          Map.entry("--in-memory", "nothing: so it is unless pdump= or an option needs files"),
          Map.entry("--no-telemetry", "nothing: it is off without --telemetry"));

  /** They need files that others can open, or have them: not with {@code --in-memory}. */
  private static final Set<String> WITH_FILES =
      Set.of("--huge-dir", "--huge-unlink", "--legacy-mem", "--proc-type");

  private EalOptions() {}

  /** The words of a value. */
  static List<String> parse(ConfigEntry entry) {
    List<String> words = new ArrayList<>();
    for (String word : entry.value().strip().split("\\s+", -1)) {
      if (word.startsWith("-")) {
        require(entry, name(word));
      } else if (words.isEmpty() && !word.isEmpty()) {
        throw entry.error(
            "not an option of DPDK: option=" + word,
            "write eal=--NAME[=VALUE] [--NAME[=VALUE]...]");
      }
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    String prefix = value(words, "--file-prefix");
    if (has(words, "--file-prefix")
        && (prefix.isEmpty() || !prefix.matches(DpdkSettings.DIRECTORY_NAME))) {
      throw entry.error(
          "not the name of a program: --file-prefix=" + prefix,
          "write 1 to 64 letters, digits, '.', '_' and '-'");
    }
    String type = value(words, "--proc-type");
    if (!type.isEmpty() && !type.equals("primary")) {
      throw entry.error(
          "Linerate is no secondary process of another program: --proc-type=" + type,
          "leave it out, and exchange packets by net_memif or net_virtio_user");
    }
    return List.copyOf(words);
  }

  private static void require(ConfigEntry entry, String name) {
    if (OWN.containsKey(name)) {
      throw entry.error("option is not for eal=: option=" + name, "use " + OWN.get(name));
    }
    if (!PASSED_ON.contains(name)) {
      String hint =
          NearestWord.to(name, List.copyOf(PASSED_ON))
              .map(near -> "did you mean " + near + "? ")
              .orElse("");
      throw entry.error(
          "no such option of DPDK: option=" + name,
          hint + "there are " + String.join(", ", PASSED_ON.stream().sorted().toList()));
    }
  }

  private static String name(String word) {
    int equals = word.indexOf('=');
    return equals < 0 ? word : word.substring(0, equals);
  }

  static boolean has(List<String> words, String name) {
    return words.stream().anyMatch(word -> name(word).equals(name));
  }

  /** What an option says, by {@code =} or as the next word; "" if it is not there. */
  static String value(List<String> words, String name) {
    String value = "";
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).startsWith(name + "=")) {
        value = words.get(i).substring(name.length() + 1);
      } else if (words.get(i).equals(name) && i + 1 < words.size()) {
        value = words.get(i + 1);
      }
    }
    return value;
  }

  /** Whether memory cannot be in this process alone. */
  static boolean needsFiles(List<String> words) {
    return WITH_FILES.stream().anyMatch(name -> has(words, name));
  }
}
