package io.linerate.driver.dpdk;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortProvider;
import io.linerate.core.port.PortRequest;
import org.jspecify.annotations.Nullable;

/**
 * Opens {@code dpdk-shared:DEVARGS}: the same ports as {@code dpdk:}, in one environment that stays
 * until the process ends, so that the tests of one class can open an engine each.
 */
public final class SharedEalPortProvider implements PortProvider {
  private @Nullable DpdkPools pools;

  @Override
  public String scheme() {
    return "dpdk-shared";
  }

  @Override
  public DriverPort open(PortRequest request) {
    if (pools == null) {
      pools = new DpdkPools(request.pools(), Shared.EAL);
    }
    return DpdkPort.open(pools, DpdkAddress.parse(request.address()), request);
  }

  @Override
  public void close() {
    if (pools != null) {
      pools.close();
    }
  }

  /** Started when first used. */
  private static final class Shared {
    static final Eal EAL = Eal.start(EngineConfig.DEFAULT.withMemoryMiB(256));
  }
}
