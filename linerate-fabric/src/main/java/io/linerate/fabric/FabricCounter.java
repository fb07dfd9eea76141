package io.linerate.fabric;

/**
 * Counts operations that have completed, of all endpoints that it is bound to (fi_cntr(3)): for who
 * need not know which. {@link FabricDomain#counter} makes one.
 */
public final class FabricCounter implements AutoCloseable {
  /** What is counted: bits of fi_ep_bind(3). */
  public enum Counted {
    SENDS(FabricFlags.FI_SEND),
    RECEIVES(FabricFlags.FI_RECV),
    READS(FabricFlags.FI_READ),
    WRITES(FabricFlags.FI_WRITE),
    /** Reads of this side's memory by peers. */
    REMOTE_READS(FabricFlags.FI_REMOTE_READ),
    /** Writes of this side's memory by peers. */
    REMOTE_WRITES(FabricFlags.FI_REMOTE_WRITE);

    private final long bit;

    Counted(long bit) {
      this.bit = bit;
    }

    long bit() {
      return bit;
    }
  }

  private final BoundObject bound;

  FabricCounter(FabricDomain domain) {
    long handle =
        NativeObject.open(
            "a counter cannot be opened: provider=" + domain.provider().name() + ",",
            FabricFunction.COUNTER,
            domain.handle());
    bound = new BoundObject(domain, "counter", handle);
  }

  long handle() {
    bound.requireOpen();
    return bound.handle();
  }

  /** Throws unless endpoints of a domain can be bound to it. */
  void requireFor(FabricDomain other) {
    bound.requireFor(other);
  }

  /** Operations that have completed without an error. */
  public long value() {
    return FabricFunction.COUNTER_READ.callLong(bound.domain().calls(), handle());
  }

  /** Operations that have failed. */
  public long errors() {
    return FabricFunction.COUNTER_ERRORS.callLong(bound.domain().calls(), handle());
  }

  /**
   * Ends it.
   *
   * @throws FabricException if an endpoint is bound to it
   */
  @Override
  public void close() {
    bound.close(this);
  }

  /** With its domain. */
  void end() {
    bound.end();
  }
}
