package io.linerate.core.worker;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.Port;
import io.linerate.core.port.PortProperties;
import io.linerate.core.port.PortStatistics;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What applications and handlers see of a driver's port. Two of the same port are equal. */
record PortView(DriverPort port) implements Port {
  /** What a driver made, of a port that an application names. */
  static DriverPort unwrap(Port port) {
    return switch (port) {
      case PortView view -> view.port;
      case DriverPort own -> own;
      default ->
          throw new ConfigException(
              "not a port of an engine: port=" + port.name() + "; open it with Engine.port");
    };
  }

  @Override
  public PortProperties properties() {
    return port.properties();
  }

  @Override
  public @Nullable FlowSteering steering() {
    return port.steering();
  }

  @Override
  public boolean isLinkUp() {
    return port.isLinkUp();
  }

  @Override
  public Set<LinkType> linkTypes() {
    return port.linkTypes();
  }

  @Override
  public boolean transmits(LinkType type) {
    return port.transmits(type);
  }

  @Override
  public PortStatistics statistics() {
    return port.statistics();
  }

  @Override
  public String toString() {
    return name() + " " + address();
  }
}
