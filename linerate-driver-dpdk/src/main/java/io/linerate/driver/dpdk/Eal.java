package io.linerate.driver.dpdk;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.Errno;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.CpuAffinity;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * DPDK's environment (EAL). One can be started in a process, once.
 *
 * @param isShared whether its memory is in files
 * @param hasSecondaries whether secondary processes may attach: {@code pdump=true}
 */
record Eal(
    int memoryMiB,
    boolean hugepages,
    boolean isShared,
    boolean hasSecondaries,
    EalLog log,
    ProgramName name)
    implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Eal.class.getName());
  private static final Path PCI_BUS = Path.of("/sys/bus/pci/devices");

  /**
   * Starts it.
   *
   * @throws PortException if it does not start, or was started before in this process
   */
  static Eal start(EngineConfig config) {
    BitSet allowed = CpuAffinity.allowed();
    long freeMiB = Hugepages.freeMiB(Hugepages.SYSTEM);
    EalArguments arguments =
        EalArguments.of(config, mainCpu(config, allowed), freeMiB, Files.isDirectory(PCI_BUS));
    if (!arguments.hugepages() && config.get(DpdkSettings.PDUMP)) {
      throw new PortException(
          "pdump=true needs memory that other processes can map: freeMiB=%d, memoryMiB=%d; make huge pages: echo %d > /proc/sys/vm/nr_hugepages"
              .formatted(freeMiB, config.memoryMiB(), Math.max(512, config.memoryMiB())));
    }
    boolean isShared = arguments.hugepages() && EalArguments.isShared(config);
    if (isShared) {
      EalFiles.requireMount();
    }
    if (!arguments.hugepages() && freeMiB < config.memoryMiB()) {
      warnOfHugepages(config, freeMiB);
    }
    ProgramName name = ProgramName.take(EalArguments.givenName(config));
    EalLog log = EalLog.open();
    int result;
    try {
      result = init(arguments.values());
      if (result >= 0) {
        result =
            ShimFunction.RESERVE.call(
                Mbuf.TIMESTAMP_OFFSET, Long.numberOfTrailingZeros(Mbuf.HAS_TIMESTAMP));
      }
      if (result >= 0 && config.get(DpdkSettings.PDUMP)) {
        result = ShimFunction.PDUMP_INIT.call();
      }
    } finally {
      CpuAffinity.set(allowed); // The EAL ties the thread that starts it to the main lcore.
      log.settle();
    }
    if (result < 0) {
      log.close();
      name.close();
      throw new PortException(
          "DPDK does not start: %s, arguments=%s; %s"
              .formatted(DpdkLibrary.error(result), arguments.values(), remedy(result)));
    }
    deleteRuntimeDirectory();
    return new Eal(
        config.memoryMiB(),
        arguments.hugepages(),
        isShared,
        config.get(DpdkSettings.PDUMP),
        log,
        name);
  }

  /** The EAL keeps its own threads off this CPU: a worker's, if workers have theirs. */
  private static int mainCpu(EngineConfig config, BitSet allowed) {
    return config.cpus().stream()
        .filter(allowed::get)
        .findFirst()
        .orElseGet(() -> allowed.nextSetBit(0));
  }

  private static void warnOfHugepages(EngineConfig config, long freeMiB) {
    LOG.log(
        Level.WARNING,
        "too few huge pages are free, DPDK runs slower without: freeMiB=%d, memoryMiB=%d; make some: echo %d > /proc/sys/vm/nr_hugepages"
            .formatted(freeMiB, config.memoryMiB(), Math.max(512, config.memoryMiB())));
  }

  private static int init(List<String> arguments) {
    // The EAL may keep pointers into its arguments for as long as the process runs.
    Arena forever = Arena.global();
    MemorySegment argv = forever.allocate(ValueLayout.ADDRESS, arguments.size() + 1L);
    for (int i = 0; i < arguments.size(); i++) {
      argv.setAtIndex(ValueLayout.ADDRESS, i, forever.allocateFrom(arguments.get(i)));
    }
    return ShimFunction.EAL_INIT.call(arguments.size(), argv.address());
  }

  private static String remedy(int result) {
    return switch (-result) {
      case Errno.EALREADY ->
          "it starts only once in a process: use one engine for all DPDK ports, or a new process";
      case Errno.EACCES, Errno.EPERM ->
          "run as root, or with the rights to the memory and devices it needs";
      case Errno.EINVAL -> "correct eal=, of which DPDK's own messages before this one say more";
      default -> "DPDK's own messages before this one say more; free huge pages or lower memory=";
    };
  }

  /** With everything in memory nothing is in it; where it is not empty, it is not ours alone. */
  private static void deleteRuntimeDirectory() {
    try {
      Files.deleteIfExists(Path.of(DpdkLibrary.runtimeDir()));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "DPDK's runtime directory stays", e);
    }
  }

  /** Waits until what DPDK has said is in the program's log: before what comes of it is said. */
  void settleLog() {
    log.settle();
  }

  /** Memory in a message: what it has, and what to do when that is too little. */
  String memoryRemedy() {
    return "memoryMiB=%d, hugepages=%b; raise memory= %sor lower buffers="
        .formatted(memoryMiB, hugepages, hugepages ? "and the number of huge pages, " : "");
  }

  /** Ends it, after all ports are closed and their pools freed. */
  @Override
  public void close() {
    Path runtimeDirectory = Path.of(DpdkLibrary.runtimeDir());
    int result = ShimFunction.EAL_CLEANUP.call();
    if (isShared) {
      EalFiles.delete(runtimeDirectory);
    }
    log.close();
    name.close();
    if (result < 0) {
      throw new PortException("DPDK does not end in order: " + DpdkLibrary.error(result));
    }
  }
}
