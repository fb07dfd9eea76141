package io.linerate.driver.ring;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
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
    AddressOptions options = AddressOptions.named(request.address(), List.of("size", "loopback"));
    String name =
        options.name(
            NAME.asMatchPredicate(),
            "ring has a bad name",
            "write ring:NAME[,size=1024][,loopback], with letters, digits, _, . and - in the name");
    return wire(name, options, request).end(request.name(), request.address());
  }

  private Wire wire(String name, AddressOptions options, PortRequest request) {
    int size = options.number("size", Wire.DEFAULT_SIZE, 1, Wire.MAX_SIZE);
    if (Integer.bitCount(size) != 1) {
      throw options.wrong("size", "a power of two up to " + Wire.MAX_SIZE);
    }
    boolean isLoopback = options.flag("loopback");
    Wire wire = wires.get(name);
    if (wire == null) {
      wire = make(name, size, isLoopback, request);
      wires.put(name, wire);
      return wire;
    }
    if (!wire.hasFreeEnd() || isLoopback) {
      throw new ConfigException(
          "ring has no free end: name=%s, address=%s; a wire has two ends and a loopback one, so use another name"
              .formatted(name, request.address()));
    }
    if (options.has("size") && size != wire.size()) {
      throw options.wrong("size", "size=" + wire.size() + " as at the other end");
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
