package io.linerate.bench.port;

import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bench:frame=BYTES,port=ADDRESS} in front of a port whose device leaves buffers as they
 * are, such as {@code dpdk:net_null0,size=64}: fills them with frames and takes orders from the
 * harness. {@code frame=0} leaves them. {@code bench:sink=,port=ADDRESS} only transmits.
 *
 * <p>So the program that is measured is the one that users run; only its addresses are special.
 */
public final class BenchPortProvider implements PortProvider {
  private static final int MAX_FRAME_BYTES = 0xFFFF;

  private final List<DriverPort> sinks = new ArrayList<>();

  @Override
  public String scheme() {
    return "bench";
  }

  @Override
  public DriverPort open(PortRequest request) {
    AddressOptions options =
        AddressOptions.of(request.address(), List.of("frame", "sink", AddressOptions.PORT));
    boolean isSink = options.flag("sink");
    int frameBytes = options.number("frame", 0, 0, MAX_FRAME_BYTES);
    DriverPort inner = request.inner().apply(options.port());
    if (isSink) {
      sinks.add(inner);
    }
    return new BenchPort(request, inner, isSink, frameBytes, sinks);
  }
}
