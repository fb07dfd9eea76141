package io.linerate.dashboard.http;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is made once a second at most, however many ask, and given to all of them. A
 * change of the program makes it {@link #stale}.
 */
public final class SharedAnswer implements Supplier<Body> {
  private static final long FRESH_NS = 1_000_000_000;

  private final Supplier<byte[]> maker;
  private final LongSupplier clockNs;
  private @Nullable Body latest;
  private long madeNs;

  public SharedAnswer(Supplier<byte[]> maker) {
    this(maker, System::nanoTime);
  }

  SharedAnswer(Supplier<byte[]> maker, LongSupplier clockNs) {
    this.maker = maker;
    this.clockNs = clockNs;
  }

  /** The answer as it was made last, or as it is now if that was a while ago. */
  @Override
  public synchronized Body get() {
    Body body = latest;
    return body == null || clockNs.getAsLong() - madeNs >= FRESH_NS ? anew() : body;
  }

  /** The answer as it is now. */
  public synchronized Body anew() {
    madeNs = clockNs.getAsLong();
    Body body = new Body(maker.get());
    latest = body;
    return body;
  }

  /** The next to ask gets another. */
  public synchronized void stale() {
    latest = null;
  }
}
