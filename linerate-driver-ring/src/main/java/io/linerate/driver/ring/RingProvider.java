package io.linerate.driver.ring;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code ring:NAME[,size=1024][,loopback]}: in-memory wires, each known by its name in one engine.
 *
 * <p>Opened twice, a name gives the two ends of a wire. With {@code loopback} it is one port that
 * receives what it sends, queue by queue. {@code size} is the number of packets that a queue holds,
 * a power of two.
 */
public final class RingProvider implements PortProvider {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+");

  private final Map<String, Wire> wires = new HashMap<>();

  @Override
  public String scheme() {
    return "ring";
  }

  @Override
  public DriverPort open(PortRequest request) {
    PortAddress address = request.address();
    int comma = address.rest().indexOf(',');
    String name = comma < 0 ? address.rest() : address.rest().substring(0, comma);
    if (!NAME.matcher(name).matches()) {
      throw new ConfigException(
          "ring has a bad name: name=%s, address=%s; write ring:NAME[,size=1024][,loopback], with letters, digits, _, . and - in the name"
              .formatted(name, address));
    }
    String rest = comma < 0 ? "" : address.rest().substring(comma + 1);
    Options options = Options.of(address, rest, List.of("size", "loopback"));
    return wire(name, options, request).end(request.name(), address);
  }

  private Wire wire(String name, Options options, PortRequest request) {
    int size = (int) options.number("size", Wire.DEFAULT_SIZE, 1, Wire.MAX_SIZE);
    if (Integer.bitCount(size) != 1) {
      throw options.bad("size", "write a power of two, at most " + Wire.MAX_SIZE);
    }
    Wire wire = wires.get(name);
    if (wire == null) {
      wire = make(name, size, options.has("loopback"), request);
      wires.put(name, wire);
      return wire;
    }
    if (!wire.hasFreeEnd() || options.has("loopback")) {
      throw new ConfigException(
          "ring has no free end: name=%s, address=%s; a wire has two ends and a loopback one, so use another name"
              .formatted(name, options.address()));
    }
    if (options.has("size") && size != wire.size()) {
      throw options.bad("size", "the other end says size=" + wire.size());
    }
    return wire;
  }

  private static Wire make(String name, int size, boolean isLoopback, PortRequest request) {
    int queues = Math.max(request.rxQueues(), request.txQueues());
    return isLoopback
        ? Wire.loopback(name, queues, size, request.pools())
        : new Wire(name, queues, size, request.pools());
  }

  @Override
  public void close() {
    wires.values().forEach(Wire::close);
  }
}
