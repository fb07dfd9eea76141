package io.linerate.core.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How an engine runs. Start from {@link #DEFAULT} and change what differs: {@code
 * EngineConfig.DEFAULT.withRxBurst(64)}. Immutable. What is not allowed is a {@link
 * ConfigException}.
 */
public final class EngineConfig {
  private static final int MAX_CPU = 1_023;

  // The table of settings: key, default, what is allowed.
  private static final Setting<String> PROGRAM_NAME =
      Setting.text("programname", "linerate", "(?s).*", "any text");
  private static final Setting<Integer> WORKERS = Setting.number("workers", 1, 1, 128);
  private static final Setting<Integer> MAX_WORKERS = Setting.number("maxworkers", 0, 0, 128);
  private static final Setting<Integer> QUEUES = Setting.number("queues", 0, 0, 1_024);
  private static final Setting<QueueOrder> QUEUE_ORDER =
      Setting.choice("queuechoice", "order", QueueOrder.ROUND_ROBIN);
  private static final Setting<Boolean> BALANCE = Setting.truth("balance", false);
  private static final Setting<List<Integer>> CPUS =
      Setting.of("cpus", List.of(), EngineConfig::parseCpus, EngineConfig::commaSeparated);
  private static final Setting<Integer> RX_BURST = Setting.number("rxburst", 64, 1, 4_096);
  private static final Setting<Integer> TX_BURST = Setting.number("txburst", 32, 1, 4_096);
  private static final Setting<Integer> FREE_BURST = Setting.number("freeburst", 32, 1, 4_096);
  private static final Setting<Integer> DRAIN_US =
      Setting.number("drainus", 100, 0, 1_000_000, ", in µs");
  private static final Setting<Integer> TX_RETRY_US =
      Setting.number("txretryus", 1_000, 0, 1_000_000, ", in µs");
  private static final Setting<Idle> IDLE = Setting.choice("idle", "idle strategy", Idle.BACKOFF);
  private static final Setting<Integer> MEMORY =
      Setting.number("memory", 128, 16, 1_048_576, ", in MiB");
  private static final Setting<Integer> BUFFERS = Setting.number("buffers", 16_384, 64, 8_388_608);
  private static final Setting<Integer> DESCRIPTORS = Setting.number("descriptors", 0, 0, 32_768);
  private static final Setting<Integer> MTU = Setting.number("mtu", 1_500, 68, 9_500, ", in bytes");
  private static final Setting<Boolean> PROMISCUOUS = Setting.truth("promiscuous", true);
  private static final Setting<Boolean> COUNTERS = Setting.truth("counters", true);
  private static final Setting<Integer> SLOW_BURST_US =
      Setting.number("slowburstus", 1_000, 1, 60_000_000, ", in µs");

  static final List<Setting<?>> SETTINGS =
      List.of(
          PROGRAM_NAME,
          WORKERS,
          MAX_WORKERS,
          QUEUES,
          QUEUE_ORDER,
          BALANCE,
          CPUS,
          RX_BURST,
          TX_BURST,
          FREE_BURST,
          DRAIN_US,
          TX_RETRY_US,
          IDLE,
          MEMORY,
          BUFFERS,
          DESCRIPTORS,
          MTU,
          PROMISCUOUS,
          COUNTERS,
          SLOW_BURST_US);

  public static final EngineConfig DEFAULT = new EngineConfig(Map.of());

  /** Those that differ from the defaults. */
  private final Map<Setting<?>, Object> values;

  private EngineConfig(Map<Setting<?>, Object> values) {
    this.values = values;
  }

  /** The value of a setting that a {@link SettingsOwner} has. */
  @SuppressWarnings("unchecked") // Its own parser made it.
  public <T> T get(Setting<T> setting) {
    return (T) values.getOrDefault(setting, setting.byDefault());
  }

  /**
   * Another value, as a configuration file has it: for settings of drivers, and of the program of
   * this name.
   *
   * @throws ConfigException if there is no such key, or the value is not allowed
   */
  public EngineConfig with(String key, String value) {
    ConfigEntry entry = new ConfigEntry("", key, value);
    return with(new KnownSettings(programName()).of(entry), entry);
  }

  private <T> EngineConfig with(Setting<T> setting, T value) {
    return with(setting, new ConfigEntry("", setting.key(), setting.text(value)));
  }

  <T> EngineConfig with(Setting<T> setting, ConfigEntry entry) {
    Map<Setting<?>, Object> changed = new LinkedHashMap<>(values);
    T value = setting.parse(entry);
    if (value.equals(setting.byDefault())) {
      changed.remove(setting);
    } else {
      changed.put(setting, value);
    }
    EngineConfig config = new EngineConfig(changed);
    if (!config.cpus().isEmpty() && config.cpus().size() < config.workers()) {
      throw entry.error(
          "fewer CPUs than workers: cpus=%s, workers=%d; name a CPU for each worker, or none"
              .formatted(config.cpus(), config.workers()));
    }
    return config;
  }

  /** Name in messages and the summary. */
  public String programName() {
    return get(PROGRAM_NAME);
  }

  public EngineConfig withProgramName(String programName) {
    return with(PROGRAM_NAME, programName);
  }

  /** Threads that process packets, 1 to 128. */
  public int workers() {
    return get(WORKERS);
  }

  public EngineConfig withWorkers(int workers) {
    return with(WORKERS, workers);
  }

  /**
   * Workers that there may be at once, up to 128: ports have a transmit queue for each; 0: as many
   * as at the start.
   */
  public EngineConfig withMaxWorkers(int maxWorkers) {
    return with(MAX_WORKERS, maxWorkers);
  }

  /** Workers that there may be at once, those that are added later included. */
  public int mostWorkers() {
    return Math.max(workers(), get(MAX_WORKERS));
  }

  /** Receive queues to ask each port for, 1 to 1,024; 0: one for each worker. */
  public EngineConfig withQueues(int queues) {
    return with(QUEUES, queues);
  }

  /** Receive queues to ask a port for. */
  public int queuesPerPort() {
    return get(QUEUES) == 0 ? workers() : get(QUEUES);
  }

  /** In which order a worker that has several queues polls them. */
  public QueueOrder queueOrder() {
    return get(QUEUE_ORDER);
  }

  public EngineConfig withQueueOrder(QueueOrder order) {
    return with(QUEUE_ORDER, order);
  }

  /** Whether queues move from busy workers to idle ones by themselves. */
  public boolean isBalanced() {
    return get(BALANCE);
  }

  public EngineConfig withBalanced(boolean isBalanced) {
    return with(BALANCE, isBalanced);
  }

  /** CPUs to pin workers to, in the order of the workers; empty: not pinned. */
  public List<Integer> cpus() {
    return get(CPUS);
  }

  public EngineConfig withCpus(List<Integer> cpus) {
    return with(CPUS, cpus);
  }

  /** Packets to ask a receive queue for, 1 to 4,096. */
  public int rxBurst() {
    return get(RX_BURST);
  }

  public EngineConfig withRxBurst(int rxBurst) {
    return with(RX_BURST, rxBurst);
  }

  /** Packets to store before they are transmitted together, 1 to 4,096. */
  public int txBurst() {
    return get(TX_BURST);
  }

  public EngineConfig withTxBurst(int txBurst) {
    return with(TX_BURST, txBurst);
  }

  /** Dropped packets to store before they are freed together, 1 to 4,096. */
  public int freeBurst() {
    return get(FREE_BURST);
  }

  public EngineConfig withFreeBurst(int freeBurst) {
    return with(FREE_BURST, freeBurst);
  }

  /**
   * Longest time in µs that a packet is stored in a busy worker before it is transmitted, 0 to
   * 1,000,000.
   */
  public int drainUs() {
    return get(DRAIN_US);
  }

  public EngineConfig withDrainUs(int drainUs) {
    return with(DRAIN_US, drainUs);
  }

  /**
   * Longest time in µs for which a full transmit queue is tried again before packets are dropped as
   * {@code tx_full}, 0 to 1,000,000.
   */
  public int txRetryUs() {
    return get(TX_RETRY_US);
  }

  public EngineConfig withTxRetryUs(int txRetryUs) {
    return with(TX_RETRY_US, txRetryUs);
  }

  /** What a worker does when no packet comes. */
  public Idle idle() {
    return get(IDLE);
  }

  public EngineConfig withIdle(Idle idle) {
    return with(IDLE, idle);
  }

  /** Memory for DPDK in MiB, 16 to 1,048,576. */
  public int memoryMiB() {
    return get(MEMORY);
  }

  public EngineConfig withMemoryMiB(int memoryMiB) {
    return with(MEMORY, memoryMiB);
  }

  /** Packet buffers in a port's pool, for ports that have one, 64 to 8,388,608. */
  public int buffers() {
    return get(BUFFERS);
  }

  public EngineConfig withBuffers(int buffers) {
    return with(BUFFERS, buffers);
  }

  /**
   * Slots in each receive and transmit ring of a device, up to 32,768; 0: as many as its driver
   * finds right. A device that cannot have so many has the number that is next to it.
   */
  public int descriptors() {
    return get(DESCRIPTORS);
  }

  public EngineConfig withDescriptors(int descriptors) {
    return with(DESCRIPTORS, descriptors);
  }

  /** Largest Ethernet payload in bytes, 68 to 9,500; more than 1,500 are jumbo frames. */
  public int mtu() {
    return get(MTU);
  }

  public EngineConfig withMtu(int mtu) {
    return with(MTU, mtu);
  }

  /** Whether devices receive frames for other MAC addresses too. */
  public boolean promiscuous() {
    return get(PROMISCUOUS);
  }

  public EngineConfig withPromiscuous(boolean promiscuous) {
    return with(PROMISCUOUS, promiscuous);
  }

  /** Whether other processes can read the program's counters: docs/statistics.md. */
  public boolean counters() {
    return get(COUNTERS);
  }

  public EngineConfig withCounters(boolean counters) {
    return with(COUNTERS, counters);
  }

  /**
   * Time in µs from which the rounds between two readings of the clock are told to Flight Recorder
   * as slow, 1 to 60,000,000.
   */
  public int slowBurstUs() {
    return get(SLOW_BURST_US);
  }

  public EngineConfig withSlowBurstUs(int slowBurstUs) {
    return with(SLOW_BURST_US, slowBurstUs);
  }

  /** Numbers and ranges of them, with commas or blanks between. */
  private static List<Integer> parseCpus(ConfigEntry entry) {
    String allowed = "write 0 to " + MAX_CPU + " and ranges, such as 0,2-3";
    return Setting.parts(entry.value()).stream()
        .map(part ->
            NumberText.range(part, MAX_CPU).orElseThrow(() -> entry.error("wrong value", allowed)))
        .flatMap(List::stream)
        .toList();
  }

  private static String commaSeparated(List<Integer> cpus) {
    return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EngineConfig config && config.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** What differs from the defaults. */
  @Override
  public String toString() {
    return "EngineConfig" + values;
  }
}
