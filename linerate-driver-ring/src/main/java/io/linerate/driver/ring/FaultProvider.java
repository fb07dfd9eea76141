package io.linerate.driver.ring;

import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import java.util.List;

/**
 * {@code fault:[drop=P,][duplicate=P,][corrupt=P,][truncate=P,][refuse=P,][seed=N,]port=ADDRESS}:
 * disturbs what passes the port, each fault with its probability, 0 unless given.
 *
 * <p>Received packets are dropped (counted as {@code missed}), duplicated, changed in one byte, or
 * cut to a random length. A transmit queue refuses a packet, and with it the rest of its burst. The
 * same seed (1 unless given) makes the same faults to the same packets. The statistics {@code
 * fault_drop} and so on count them.
 */
public final class FaultProvider implements PortProvider {
  private static final List<String> KEYS =
      List.of("drop", "duplicate", "corrupt", "truncate", "refuse", "seed", AddressOptions.PORT);

  @Override
  public String scheme() {
    return "fault";
  }

  @Override
  public DriverPort open(PortRequest request) {
    AddressOptions options = AddressOptions.of(request.address(), KEYS);
    FaultPlan plan = FaultPlan.of(options);
    return DecoratedPort.open(request, options.port(), inner -> new Fault(plan, request));
  }
}
