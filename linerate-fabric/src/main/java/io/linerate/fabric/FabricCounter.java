package io.linerate.fabric;

/**
 * Counts operations that have completed, of all endpoints that it is bound to (fi_cntr(3)): for who
 * need not know which. {@link FabricDomain#counter} makes one.
 */
public final class FabricCounter implements AutoCloseable {
  /** What is counted: bits of fi_ep_bind(3). */
  public enum Counted {
    SENDS(1L << 11),
    RECEIVES(1L << 10),
    READS(1L << 8),
    WRITES(1L << 9),
    /** Reads of this side's memory by peers. */
    REMOTE_READS(1L << 12),
    /** Writes of this side's memory by peers. */
    REMOTE_WRITES(1L << 13);

    private final long bit;

    Counted(long bit) {
      this.bit = bit;
    }

    long bit() {
      return bit;
    }
  }

  private final FabricDomain domain;
  private final long handle;
  private boolean isClosed;

  FabricCounter(FabricDomain domain) {
    this.domain = domain;
    handle =
        NativeObject.open(
            "a counter cannot be opened: provider=" + domain.provider().name() + ",",
            FabricFunction.COUNTER,
            domain.handle());
  }

  long handle() {
    requireOpen();
    return handle;
  }

  /** Throws unless endpoints of a domain can be bound to it. */
  void requireFor(FabricDomain other) {
    requireOpen();
    if (other != domain) {
      throw new FabricException(
          "a counter belongs to another domain: domain=%s; ask the endpoint's domain for one"
              .formatted(domain.address()));
    }
  }

  /** Operations that have completed without an error. */
  public long value() {
    return FabricFunction.COUNTER_READ.callLong(domain.calls(), handle());
  }

  /** Operations that have failed. */
  public long errors() {
    return FabricFunction.COUNTER_ERRORS.callLong(domain.calls(), handle());
  }

  private void requireOpen() {
    domain.requireOpen();
    if (isClosed) {
      throw new FabricException("a counter is closed: ask the domain for another");
    }
  }

  /**
   * Ends it.
   *
   * @throws FabricException if an endpoint is bound to it
   */
  @Override
  public void close() {
    domain.check();
    if (!isClosed && !domain.isClosed()) {
      domain.requireUnbound("a counter", this);
      domain.forget(this);
      isClosed = true;
      domain.parts().closePart("counter", handle);
    }
  }

  /** With its domain. */
  void end() {
    isClosed = true;
    boolean _ = domain.parts().close("counter", handle);
  }
}
