package io.linerate.fabric;

import io.linerate.core.driver.Errno;

/**
 * What was asked of a fabric cannot be done: the library or a provider is missing, a provider has
 * refused, or a rule of this package is broken. The message names it, the cause and what to do.
 */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final int EADDRNOTAVAIL = 99;

  private final int error;
  private final boolean isAddressUnknown;

  public FabricException(String message) {
    this(message, 0, false);
  }

  private FabricException(String message, int error, boolean isAddressUnknown) {
    super(message);
    this.error = error;
    this.isAddressUnknown = isAddressUnknown;
  }

  /**
   * Of a native call that has failed.
   *
   * @param what failed, with names and values, up to the last comma or colon
   * @param result the negative value it returned
   */
  static FabricException of(String what, long result) {
    String remedy =
        switch ((int) -result) {
          case Errno.EADDRINUSE -> "; take another port, or end who has it";
          case EADDRNOTAVAIL -> "; write an address of this host";
          default -> "";
        };
    return new FabricException(
        what + " " + FabricLibrary.error(result) + remedy, (int) -result, false);
  }

  /** Somebody else has the address. */
  static FabricException taken(String message) {
    return new FabricException(message, Errno.EADDRINUSE, false);
  }

  /** This host has no such provider, or knows no such host. */
  static FabricException unknown(String message, int error) {
    return new FabricException(message, error, true);
  }

  /** As {@link #of(String, long)}, with what to do. */
  static FabricException of(String what, long result, String remedy) {
    return new FabricException(
        what + " " + FabricLibrary.error(result) + "; " + remedy, (int) -result, false);
  }

  /** Number of the error (fi_errno.h), also where this side has found it; 0 where it has none. */
  public int error() {
    return error;
  }

  /**
   * Whether this host has no such provider, or knows no such host: to be written in another way.
   */
  public boolean isAddressUnknown() {
    return isAddressUnknown;
  }

  /**
   * Whether nobody can listen at the address from here: somebody else has it, or it is none of this
   * host's, which libfabric tells as {@code ENODATA}.
   */
  public boolean isAddressUnavailable() {
    return error == Errno.EADDRINUSE || error == Errno.EBUSY || isAddressElsewhere();
  }

  /**
   * Whether the address is none of this host's, of those at which nobody can listen from here. Also
   * of a name that leads to no address.
   */
  public boolean isAddressElsewhere() {
    return error == EADDRNOTAVAIL || error == FabricError.FI_ENODATA;
  }
}
