package io.linerate.driver.dpdk;

import io.linerate.core.config.EngineConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of rte_eal_init: see the EAL parameters in DPDK's Linux guide.
 *
 * @param hugepages whether memory is in huge pages
 * @param values the arguments, the program's name first
 */
record EalArguments(boolean hugepages, List<String> values) {
  /** Without huge pages the environment cannot grow: what one port with 16,384 buffers needs. */
  static final int LEAST_MIB_WITHOUT_HUGEPAGES = 256;

  /**
   * Only devices that are named may be opened. With one device named here, the others on the PCI
   * bus are left alone until a port asks for one. No machine has this one.
   */
  private static final String NO_PCI_DEVICE = "ffff:ff:1f.7";

  /**
   * @param mainCpu where the environment's one thread is
   * @param freeHugepagesMiB what the machine has left
   * @param hasPciBus whether there is a PCI bus to look at
   */
  static EalArguments of(
      EngineConfig config, int mainCpu, long freeHugepagesMiB, boolean hasPciBus) {
    List<String> options = config.get(DpdkSettings.EAL);
    boolean isShared = isShared(config);
    boolean hugepages =
        freeHugepagesMiB >= config.memoryMiB() && !EalOptions.has(options, "--no-huge");
    int memoryMiB =
        hugepages ? config.memoryMiB() : Math.max(config.memoryMiB(), LEAST_MIB_WITHOUT_HUGEPAGES);
    // The EAL warns of each page size that has no free page. Lcore 0 alone leaves the other numbers
    // to workers.
    List<String> values =
        new ArrayList<>(
            List.of(
                "linerate",
                "--lcores=0@" + mainCpu,
                "--file-prefix=" + prefix(config.get(DpdkSettings.PROGRAM_ID)),
                "--log-level=warning",
                "--log-level=lib.eal:error",
                "-m",
                Integer.toString(memoryMiB)));
    // Without huge pages the EAL refuses --in-memory; --no-shconf leaves no files either.
    if (hugepages && !isShared) {
      values.add("--in-memory");
    } else if (!hugepages) {
      values.addAll(List.of("--no-huge", "--no-shconf"));
    }
    if (!EalOptions.has(options, "--telemetry")) {
      values.add("--no-telemetry");
    }
    int channels = config.get(DpdkSettings.MEMORY_CHANNELS);
    if (channels > 0) {
      values.addAll(List.of("-n", Integer.toString(channels)));
    }
    values.addAll(hasPciBus ? List.of("-a", NO_PCI_DEVICE) : List.of("--no-pci"));
    options.stream().filter(option -> !option.equals("--no-huge")).forEach(values::add);
    return new EalArguments(hugepages, List.copyOf(values));
  }

  /** Whether other processes are to map its memory. */
  static boolean isShared(EngineConfig config) {
    return config.get(DpdkSettings.PDUMP) || EalOptions.needsFiles(config.get(DpdkSettings.EAL));
  }

  private static String prefix(String programId) {
    return programId.isEmpty() ? "linerate-" + ProcessHandle.current().pid() : programId;
  }

  /** What is to set this program apart from others; "" if that is left to us. */
  static String givenName(EngineConfig config) {
    String named = EalOptions.value(config.get(DpdkSettings.EAL), "--file-prefix");
    return named.isEmpty() ? config.get(DpdkSettings.PROGRAM_ID) : named;
  }
}
