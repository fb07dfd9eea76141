package io.linerate.driver.dpdk;

import io.linerate.core.port.PortException;

/**
 * Whether {@code dpdk:} ports can be opened here, without starting DPDK.
 *
 * @param release of DPDK that the shim found, such as {@code DPDK 22.11.11}; "" if it is not loaded
 * @param problem why DPDK cannot be used and what to do, in the form {@code reason=...; what to
 *     do}; "" if it can
 */
public record DpdkStatus(String release, String problem) {
  /** Loads the shim, if that was not done before, and checks it. */
  public static DpdkStatus check() {
    return new DpdkStatus(loadedRelease(), DpdkLibrary.problem());
  }

  private static String loadedRelease() {
    try {
      return DpdkLibrary.version();
    } catch (PortException e) { // No shim: the problem says why.
      return "";
    }
  }
}
