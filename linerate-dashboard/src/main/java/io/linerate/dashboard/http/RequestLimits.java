package io.linerate.dashboard.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Lets in as many requests as the machine should spend time on: some for the owner of the token,
 * which nobody else can use up, and some for others, each address a part of them.
 */
final class RequestLimits {
  private static final long OWNER_PER_S = 1_000;

  /** All the others together, in times of what one may. */
  private static final int ADDRESSES_AT_ONCE = 2;

  /** Addresses that are remembered; who is forgotten begins anew. */
  private static final int MOST_ADDRESSES = 256;

  private final LongSupplier clockNs;
  private final long othersPerS;
  private final RateLimit owner;
  private final RateLimit others;

  private final Map<Long, RateLimit> byAddress =
      new LinkedHashMap<>(MOST_ADDRESSES, 0.75F, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, RateLimit> eldest) {
          return size() > MOST_ADDRESSES;
        }
      };

  RequestLimits(long othersPerS, LongSupplier clockNs) {
    this.clockNs = clockNs;
    this.othersPerS = othersPerS;
    owner = new RateLimit(OWNER_PER_S, clockNs);
    others = new RateLimit(ADDRESSES_AT_ONCE * othersPerS, clockNs);
  }

  /** Whether the owner of the token may ask once more. */
  boolean letOwner() {
    return owner.take();
  }

  /** Whether somebody else may. */
  boolean letOther(InetAddress address) {
    RateLimit own;
    synchronized (byAddress) {
      own = byAddress.computeIfAbsent(network(address), _ -> new RateLimit(othersPerS, clockNs));
    }
    return own.take() && others.take();
  }

  /**
   * An address of IPv4, or the first half of one of IPv6: whoever has one has the other half too.
   */
  private static long network(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet4Address ? bytes.getInt() & 0xFFFF_FFFFL : bytes.getLong();
  }
}
