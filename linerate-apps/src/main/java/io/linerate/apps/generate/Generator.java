package io.linerate.apps.generate;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import org.jspecify.annotations.Nullable;

/**
 * Sends traffic to a port, for programs.
 *
 * <pre>{@code
 * var dns = TrafficStream.of("dns", "size=64-512 dst=192.0.2.0/24 dstport=53 rate=10kpps");
 * var plan = TrafficPlan.of(dns, Optional.of(Duration.ofSeconds(10)), Long.MAX_VALUE);
 * IO.println(Generator.to("pcap:tx=dns.pcapng").run(plan));
 * }</pre>
 */
public final class Generator {
  /** A worker that sends at a rate reads the clock without a pause. */
  static final EngineConfig CONFIG =
      EngineConfig.DEFAULT.withProgramName("generate").withIdle(Idle.BUSY_SPIN);

  private final EngineConfig config;
  private final String address;
  private final @Nullable String returnAddress;

  private Generator(EngineConfig config, String address, @Nullable String returnAddress) {
    this.config = config;
    this.address = address;
    this.returnAddress = returnAddress;
  }

  /** A generator that sends to this port. */
  public static Generator to(String address) {
    return new Generator(CONFIG, address, null);
  }

  /** The same, measuring what comes back at that port. Streams need {@code sequence=true}. */
  public Generator receive(String newReturnAddress) {
    return new Generator(config, address, newReturnAddress);
  }

  /** The same on another engine. Start from {@link #config}. */
  public Generator config(EngineConfig newConfig) {
    return new Generator(newConfig, address, returnAddress);
  }

  /** How its engine runs. */
  public EngineConfig config() {
    return config;
  }

  /**
   * Sends a plan, until it ends or a signal comes.
   *
   * @throws io.linerate.core.config.ConfigException if something is wrong with plan or ports
   * @throws io.linerate.core.port.PortException if a port cannot be opened, or completed
   */
  public GeneratorResult run(TrafficPlan plan) {
    Traffic traffic = new Traffic(plan, address, returnAddress);
    Engine engine = new Engine(withRoom(config));
    try (var _ = StopSignal.install(engine::stop);
        engine) {
      traffic.wire(engine);
      RunSummary summary = engine.run();
      return traffic.result(summary);
    }
  }

  /** A whole burst waits in an output without filling it. */
  static EngineConfig withRoom(EngineConfig config) {
    return config.withTxBurst(Math.min(4_096, Math.max(config.txBurst(), 2 * config.rxBurst())));
  }
}
