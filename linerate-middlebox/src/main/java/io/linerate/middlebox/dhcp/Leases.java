package io.linerate.middlebox.dhcp;

import io.linerate.wire.Ipv4Address;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which client has which address: RFC 2131, section 3.1. A client gets the address that its
 * identifier leads to, by a hash, or the next that is free: so it gets the same one as long as
 * others do not take it, though nothing is written down. Of all workers together.
 */
final class Leases {
  /** How long an offer holds, and an address that somebody else uses is given to nobody. */
  private static final long OFFER_NS = 60_000_000_000L;

  private static final long BAD_NS = 600_000_000_000L;

  private final int first;
  private final int count;
  private final long leaseNs;
  private final Map<String, Lease> byClient = new HashMap<>();
  private final Map<Integer, Lease> byAddress = new HashMap<>();

  /** Whether a search has found none, and until when there is none: else floods would cost much. */
  private boolean isFull;

  private long fullUntilNs;

  /** An address that is a client's until some time. */
  private record Lease(String client, int address, long untilNs) {}

  Leases(DhcpSettings settings) {
    first = settings.firstAddress();
    count = settings.lastAddress() - first + 1;
    leaseNs = settings.lease().toNanos();
  }

  /** Whether clients may have an address at all. */
  boolean isInRange(int address) {
    return address - first >= 0 && address - first < count;
  }

  /** Keeps an address for a client for a short time, the wanted one if that is free. */
  synchronized Optional<Integer> offer(String client, Optional<Integer> wanted, long nowNs) {
    Lease known = byClient.get(client);
    if (known != null && isFree(known.address, client, nowNs)) {
      put(client, known.address, Math.max(known.untilNs, nowNs + OFFER_NS));
      return Optional.of(known.address);
    }
    Optional<Integer> address =
        wanted.filter(some -> isFree(some, client, nowNs)).or(() -> find(client, nowNs));
    address.ifPresent(some -> put(client, some, nowNs + OFFER_NS));
    return address;
  }

  private Optional<Integer> find(String client, long nowNs) {
    if (isFull && fullUntilNs - nowNs >= 0) {
      return Optional.empty();
    }
    int start = Math.floorMod(client.hashCode() * 0x9E37_79B9, count);
    for (int i = 0; i < count; i++) {
      int address = first + (start + i) % count;
      if (isFree(address, client, nowNs)) {
        return Optional.of(address);
      }
    }
    isFull = true;
    fullUntilNs =
        nowNs + byAddress.values().stream().mapToLong(l -> l.untilNs - nowNs).min().orElse(0);
    return Optional.empty();
  }

  private boolean isFree(int address, String client, long nowNs) {
    Lease lease = byAddress.get(address);
    return isInRange(address)
        && (lease == null || lease.client.equals(client) || lease.untilNs - nowNs < 0);
  }

  private void put(String client, int address, long untilNs) {
    remove(byClient.get(client));
    remove(byAddress.get(address));
    Lease lease = new Lease(client, address, untilNs);
    byClient.put(client, lease);
    byAddress.put(address, lease);
  }

  private void remove(@Nullable Lease lease) {
    if (lease != null) {
      byClient.remove(lease.client);
      byAddress.remove(lease.address);
      isFull = false;
    }
  }

  /**
   * Gives an address to a client, or gives it for longer.
   *
   * @return whether it may have that
   */
  synchronized boolean take(String client, int address, long nowNs) {
    if (!isFree(address, client, nowNs)) {
      return false;
    }
    put(client, address, nowNs + leaseNs);
    return true;
  }

  /** A client needs its address no longer. */
  synchronized void release(String client, int address) {
    Lease lease = byClient.get(client);
    if (lease != null && lease.address == address) {
      remove(lease);
    }
  }

  /** Somebody else uses the address that a client has got: RFC 2131, section 4.3.3. */
  synchronized void decline(String client, int address, long nowNs) {
    Lease lease = byClient.get(client);
    if (lease != null && lease.address == address) {
      put("declined " + Ipv4Address.format(address), address, nowNs + BAD_NS);
    }
  }

  /** Addresses that somebody has. */
  synchronized long size(long nowNs) {
    return byAddress.values().stream().filter(lease -> lease.untilNs - nowNs >= 0).count();
  }

  /** A line each: address, client, seconds left. */
  synchronized String text(long nowNs) {
    StringBuilder text = new StringBuilder();
    byAddress.values().stream()
        .sorted((a, b) -> Integer.compareUnsigned(a.address, b.address))
        .forEach(lease ->
            text.append(
                "%s %s %d%n"
                    .formatted(
                        Ipv4Address.format(lease.address),
                        lease.client,
                        Math.max(0, (lease.untilNs - nowNs) / 1_000_000_000))));
    return text.toString();
  }
}
