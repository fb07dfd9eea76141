package io.linerate.fabric;

import io.linerate.core.driver.CFunction;
import io.linerate.core.driver.KeptSignals;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/**
 * A function of the shim, linerate_fabric.c, which says what each does, or one of libfabric itself.
 * Addresses are longs; negative results are values of fi_errno.h, negated. For all but the data
 * path, whose functions {@link FabricLibrary} calls.
 */
enum FabricFunction {
  LAYOUT,
  VERSION("fi_version"),
  ERROR_TEXT("fi_strerror"),
  GETINFO(true),
  FREE_INFO("fi_freeinfo"),
  NEXT,
  DESTINATION,
  DUPLICATE("fi_dupinfo"),
  DESCRIBE,
  FABRIC(true),
  DOMAIN(true),
  CLOSE(true),
  EVENT_QUEUE,
  COMPLETION_QUEUE,
  COUNTER,
  COUNTER_READ,
  COUNTER_ERRORS,
  ADDRESS_VECTOR,
  PEER_INSERT,
  PEER_REMOVE,
  ENDPOINT(true),
  SHARED_RECEIVE,
  BIND,
  ENABLE(true),
  OPTION,
  OPTION_VALUE,
  PASSIVE(true),
  CONNECT,
  ACCEPT,
  REJECT,
  SHUTDOWN,
  NAME,
  SET_NAME,
  REGISTER,
  REGION_KEY,
  REGION_DESCRIPTOR,
  CANCEL,
  DESCRIPTOR,
  ATOMIC_LIMIT;

  private final MethodHandle function;
  private final boolean changesSignals;

  FabricFunction() {
    this(false);
  }

  /**
   * @param changesSignals whether a provider may install handlers of signals in it, as shm does at
   *     its first endpoint
   */
  FabricFunction(boolean changesSignals) {
    this.changesSignals = changesSignals;
    function = FabricShim.SHIM.function("lrf_" + name().toLowerCase(Locale.ROOT));
  }

  FabricFunction(String itsOwnName) {
    changesSignals = false;
    function = FabricShim.SHIM.function(itsOwnName);
  }

  /**
   * Calls a function that returns an int, or nothing.
   *
   * @throws FabricException if the shim or libfabric is missing
   */
  int call(long... arguments) {
    return (int) callLong(arguments);
  }

  /** As {@link #call}, of one that returns an address or another long. */
  long callLong(long... arguments) {
    return NativeWatch.during(this, () -> callUnwatched(arguments));
  }

  /** As {@link #callLong}, again and again, by a domain's thread. */
  long callLong(CallCount by, long... arguments) {
    by.enter();
    try {
      return callUnwatched(arguments);
    } finally {
      by.leave();
    }
  }

  /** As {@link #callLong}, where the caller has it watched. */
  long callUnwatched(long... arguments) {
    return changesSignals
        ? KeptSignals.during(() -> CFunction.call(function, arguments))
        : CFunction.call(function, arguments);
  }
}
