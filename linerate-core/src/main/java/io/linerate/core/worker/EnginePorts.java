package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FilterSettings;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.SteeringSettings;
import io.linerate.core.time.EpochClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ports of an engine, and the drivers that open them. */
final class EnginePorts {
  /** Where the drivers of Linerate are, for programs that have not all. */
  private static final Map<String, String> ARTEFACTS =
      Map.ofEntries(
          Map.entry("pcap", "linerate-driver-pcap"),
          Map.entry("libpcap", "linerate-driver-pcap"),
          Map.entry("ring", "linerate-driver-ring"),
          Map.entry("trace", "linerate-driver-ring"),
          Map.entry("record", "linerate-driver-ring"),
          Map.entry("fault", "linerate-driver-ring"),
          Map.entry("packet", "linerate-driver-linux"),
          Map.entry("xdp", "linerate-driver-linux"),
          Map.entry("tap", "linerate-driver-linux"),
          Map.entry("dpdk", "linerate-driver-dpdk"),
          Map.entry("fabric", "linerate-fabric"));

  private final EngineConfig config;
  private final PacketPools pools;
  private final EpochClock clock;
  private final Map<String, PortProvider> providers = new TreeMap<>();
  private final Map<String, DriverPort> ports = Collections.synchronizedMap(new LinkedHashMap<>());

  EnginePorts(EngineConfig config, PacketPools pools, EpochClock clock) {
    this.config = config;
    this.pools = pools;
    this.clock = clock;
    for (PortProvider provider : ServiceLoader.load(PortProvider.class)) {
      providers.put(provider.scheme(), provider);
    }
  }

  /**
   * See {@link Engine#port(String, String)}.
   *
   * @param given null: the next of those that are numbered
   */
  synchronized DriverPort open(@Nullable String given, String address) {
    String name = given != null ? given : "port" + ports.size();
    if (ports.containsKey(name)) {
      throw new ConfigException("port name is taken: name=" + name + "; use another");
    }
    DriverPort port = prepared(open(name, PortAddress.parse(address)));
    ports.put(name, port);
    return port;
  }

  private DriverPort prepared(DriverPort port) {
    try {
      FilterSettings.check(config, port);
      SteeringSettings.apply(config, port);
      return port;
    } catch (RuntimeException e) {
      try (port) {
        throw e;
      }
    }
  }

  /**
   * @throws ConfigException if a port that is not there is to have steering rules
   */
  void requireSteered() {
    for (String name : SteeringSettings.ports(config)) {
      if (!ports.containsKey(name)) {
        throw new ConfigException(
            "steer names a port that is not there: port=%s, ports=%s; name one of these"
                .formatted(name, String.join(", ", ports.keySet())));
      }
    }
  }

  private DriverPort open(String name, PortAddress address) {
    PortProvider provider = providers.get(address.scheme());
    if (provider == null) {
      String artefact = ARTEFACTS.get(address.scheme());
      throw new ConfigException(
          "no driver for the scheme: scheme=%s, address=%s; there are %s"
                  .formatted(address.scheme(), address, String.join(", ", providers.keySet()))
              + (artefact == null ? "" : "; add the artefact io.linerate:" + artefact));
    }
    return provider.open(
        new PortRequest(
            name,
            address,
            config.queuesPerPort(),
            config.mostWorkers(),
            config,
            pools,
            clock,
            inner -> open(name, inner)));
  }

  /** In the order in which they were opened. Any thread. */
  List<DriverPort> all() {
    synchronized (ports) {
      return List.copyOf(ports.values());
    }
  }

  /**
   * Forgets all ports.
   *
   * @return what is to be closed, in this order: what belongs to the engine beside them, from the
   *     last to the first, then the ports likewise, then their drivers
   */
  synchronized List<AutoCloseable> remove(List<AutoCloseable> beside) {
    List<AutoCloseable> closing = new ArrayList<>(all());
    closing.addAll(beside);
    Collections.reverse(closing);
    closing.addAll(providers.values());
    ports.clear();
    providers.clear();
    return closing;
  }
}
