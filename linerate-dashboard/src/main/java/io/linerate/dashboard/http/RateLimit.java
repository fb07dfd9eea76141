package io.linerate.dashboard.http;

import io.linerate.core.time.TokenBucket;
import java.util.function.LongSupplier;

/** Permissions, one for each request: as many each second, twice that after a pause. Any thread. */
public final class RateLimit {
  private final TokenBucket bucket;
  private final LongSupplier clockNs;

  public RateLimit(long perSecond, LongSupplier clockNs) {
    bucket = new TokenBucket(perSecond, 2 * perSecond);
    this.clockNs = clockNs;
    bucket.fill(clockNs.getAsLong());
  }

  public synchronized boolean take() {
    bucket.fill(clockNs.getAsLong());
    return bucket.take(1);
  }
}
