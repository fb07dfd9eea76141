package io.linerate.core.config;

import java.util.List;
import java.util.function.Consumer;

/**
 * How an engine runs. Start from {@link #DEFAULT} and change what differs: {@code
 * EngineConfig.DEFAULT.withRxBurst(64)}.
 *
 * @param programName name in messages and the summary
 * @param programId sets this process apart from other DPDK programs of the machine (EAL {@code
 *     --file-prefix}); "" for one of its own
 * @param workers threads that process packets, 1 to 128
 * @param cpus CPUs to pin workers to, in the order of the workers; empty: not pinned
 * @param rxBurst packets to ask a receive queue for, 1 to 4,096
 * @param txBurst packets to store before they are transmitted together, 1 to 4,096
 * @param freeBurst dropped packets to store before they are freed together, 1 to 4,096
 * @param drainUs longest time in µs that a packet is stored in a busy worker before it is
 *     transmitted, 0 to 1,000,000
 * @param txRetryUs longest time in µs for which a full transmit queue is tried again before packets
 *     are dropped as {@code tx_full}, 0 to 1,000,000
 * @param idle what a worker does when no packet comes
 * @param memoryMiB memory for DPDK in MiB
 * @param memoryChannels memory channels of the machine, for DPDK (EAL {@code -n}); 0: let DPDK find
 *     out
 * @param blacklist PCI addresses of devices that DPDK must not use (EAL {@code --block})
 * @param buffers packet buffers in a port's pool, for ports that have one
 * @param descriptors slots in each receive and transmit ring of a device
 * @param mtu largest Ethernet payload in bytes, 68 to 9,500; more than 1,500 are jumbo frames
 * @param promiscuous whether devices receive frames for other MAC addresses too
 * @param statistics what it says about itself
 * @param queues how many queues ports have, and how workers share them
 */
public record EngineConfig(
    String programName,
    String programId,
    int workers,
    List<Integer> cpus,
    int rxBurst,
    int txBurst,
    int freeBurst,
    int drainUs,
    int txRetryUs,
    Idle idle,
    int memoryMiB,
    int memoryChannels,
    List<String> blacklist,
    int buffers,
    int descriptors,
    int mtu,
    boolean promiscuous,
    StatisticsConfig statistics,
    QueueConfig queues) {
  public static final EngineConfig DEFAULT =
      new EngineConfig(
          "linerate",
          "",
          1,
          List.of(),
          32,
          32,
          32,
          100,
          1_000,
          Idle.BACKOFF,
          128,
          0,
          List.of(),
          16_384,
          1_024,
          1_500,
          true,
          StatisticsConfig.DEFAULT,
          QueueConfig.DEFAULT);

  /**
   * @throws ConfigException if a number is out of range
   */
  public EngineConfig {
    cpus = List.copyOf(cpus);
    blacklist = List.copyOf(blacklist);
    Bounds.require("workers", workers, 1, 128);
    Bounds.require("rxburst", rxBurst, 1, 4_096);
    Bounds.require("txburst", txBurst, 1, 4_096);
    Bounds.require("freeburst", freeBurst, 1, 4_096);
    Bounds.require("drainus", drainUs, 0, 1_000_000);
    Bounds.require("txretryus", txRetryUs, 0, 1_000_000);
    Bounds.require("memory", memoryMiB, 16, 1_048_576);
    Bounds.require("memorychannels", memoryChannels, 0, 32);
    Bounds.require("buffers", buffers, 64, 8_388_608);
    Bounds.require("descriptors", descriptors, 16, 32_768);
    Bounds.require("mtu", mtu, 68, 9_500);
    for (int cpu : cpus) {
      Bounds.require("cpus", cpu, 0, 1_023);
    }
    if (!cpus.isEmpty() && cpus.size() < workers) {
      throw new ConfigException(
          "fewer CPUs than workers: cpus="
              + cpus
              + ", workers="
              + workers
              + "; name a CPU for each worker, or none");
    }
  }

  private EngineConfig with(Consumer<EngineConfigDraft> change) {
    EngineConfigDraft draft = new EngineConfigDraft(this);
    change.accept(draft);
    return draft.config();
  }

  public EngineConfig withProgramName(String programName) {
    return with(draft -> draft.programName = programName);
  }

  public EngineConfig withProgramId(String programId) {
    return with(draft -> draft.programId = programId);
  }

  public EngineConfig withWorkers(int workers) {
    return with(draft -> draft.workers = workers);
  }

  public EngineConfig withCpus(List<Integer> cpus) {
    return with(draft -> draft.cpus = cpus);
  }

  public EngineConfig withRxBurst(int rxBurst) {
    return with(draft -> draft.rxBurst = rxBurst);
  }

  public EngineConfig withTxBurst(int txBurst) {
    return with(draft -> draft.txBurst = txBurst);
  }

  public EngineConfig withFreeBurst(int freeBurst) {
    return with(draft -> draft.freeBurst = freeBurst);
  }

  public EngineConfig withDrainUs(int drainUs) {
    return with(draft -> draft.drainUs = drainUs);
  }

  public EngineConfig withTxRetryUs(int txRetryUs) {
    return with(draft -> draft.txRetryUs = txRetryUs);
  }

  public EngineConfig withIdle(Idle idle) {
    return with(draft -> draft.idle = idle);
  }

  public EngineConfig withMemoryMiB(int memoryMiB) {
    return with(draft -> draft.memoryMiB = memoryMiB);
  }

  public EngineConfig withMemoryChannels(int memoryChannels) {
    return with(draft -> draft.memoryChannels = memoryChannels);
  }

  public EngineConfig withBlacklist(List<String> blacklist) {
    return with(draft -> draft.blacklist = blacklist);
  }

  public EngineConfig withBuffers(int buffers) {
    return with(draft -> draft.buffers = buffers);
  }

  public EngineConfig withDescriptors(int descriptors) {
    return with(draft -> draft.descriptors = descriptors);
  }

  public EngineConfig withMtu(int mtu) {
    return with(draft -> draft.mtu = mtu);
  }

  public EngineConfig withPromiscuous(boolean promiscuous) {
    return with(draft -> draft.promiscuous = promiscuous);
  }

  public EngineConfig withStatistics(StatisticsConfig statistics) {
    return with(draft -> draft.statistics = statistics);
  }

  public EngineConfig withQueues(QueueConfig queues) {
    return with(draft -> draft.queues = queues);
  }

  /** Workers that there may be at once, those that are added later included. */
  public int mostWorkers() {
    return Math.max(workers, queues.maxWorkers());
  }

  /** Receive queues to ask a port for. */
  public int queuesPerPort() {
    return queues.perPort() == 0 ? workers : queues.perPort();
  }
}
