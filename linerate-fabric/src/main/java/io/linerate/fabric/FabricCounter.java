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

  /** Operations that have completed without an error. */
  public long value() {
    return FabricFunction.COUNTER_READ.callLong(handle());
  }

  /** Operations that have failed. */
  public long errors() {
    return FabricFunction.COUNTER_ERRORS.callLong(handle());
  }

  private void requireOpen() {
    domain.check();
    if (isClosed) {
      throw new FabricException("a counter is closed: ask the domain for another");
    }
  }

  /** Ends it; to be closed after the endpoints that it is bound to. */
  @Override
  public void close() {
    domain.check();
    if (!isClosed) {
      domain.forget(this);
      end();
    }
  }

  /** With its domain. */
  void end() {
    isClosed = true;
    domain.closeNative("counter", handle);
  }
}
