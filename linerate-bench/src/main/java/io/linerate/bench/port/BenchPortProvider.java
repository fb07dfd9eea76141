package io.linerate.bench.port;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code bench:frame=BYTES,port=ADDRESS} in front of a port whose device leaves buffers as they
 * are, such as {@code dpdk:net_null0,size=64}: fills them with frames and takes orders from the
 * harness. {@code frame=0} leaves them. {@code bench:sink=,port=ADDRESS} only transmits.
 *
 * <p>So the program that is measured is the one that users run; only its addresses are special.
 */
public final class BenchPortProvider implements PortProvider {
  private static final String PORT = "port=";

  private final List<DriverPort> sinks = new ArrayList<>();

  @Override
  public String scheme() {
    return "bench";
  }

  @Override
  public DriverPort open(PortRequest request) {
    String rest = request.address().rest();
    int comma = rest.indexOf("," + PORT);
    if (comma < 0) {
      throw new ConfigException(
          "no inner port: address=" + request.address() + "; write bench:frame=64,port=ADDRESS");
    }
    Map<String, String> options =
        new PortAddress(scheme(), rest.substring(0, comma)).options(List.of("frame", "sink"));
    DriverPort inner =
        request.inner().apply(PortAddress.parse(rest.substring(comma + 1 + PORT.length())));
    boolean isSink = options.containsKey("sink");
    if (isSink) {
      sinks.add(inner);
    }
    int frameBytes = Integer.parseInt(options.getOrDefault("frame", "0"));
    return new BenchPort(request, inner, isSink, frameBytes, sinks);
  }
}
