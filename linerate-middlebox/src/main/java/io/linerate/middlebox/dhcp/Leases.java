package io.linerate.middlebox.dhcp;

import io.linerate.wire.Ipv4Address;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which client has which address: RFC 2131, section 3.1. A client gets the address that its
 * identifier leads to, by a hash, or the next that is free: so it gets the same one as long as
 * others do not take it, though nothing is written down. Of all workers together.
 */
final class Leases {
  /** How long an offer holds. */
  private static final long OFFER_NS = 60_000_000_000L;

  /** How long an address that somebody else uses is given to nobody. */
  private static final long BAD_NS = 600_000_000_000L;

  private final int first;
  private final int count;
  private final long leaseNs;
  private final Map<String, Lease> byClient = new HashMap<>();
  private final Map<Integer, Lease> byAddress = new HashMap<>();

  /** Addresses that are somebody's, from the first one on. */
  private final BitSet busy = new BitSet();

  /** Theirs, the next to end first. */
  private final TreeSet<Lease> ends =
      new TreeSet<>((a, b) ->
          a.untilNs == b.untilNs
              ? Integer.compare(a.address, b.address)
              : Long.signum(a.untilNs - b.untilNs));

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
    end(nowNs);
    Lease known = byClient.get(client);
    if (known != null && isFree(known.address, client)) {
      put(client, known.address, Math.max(known.untilNs, nowNs + OFFER_NS));
      return Optional.of(known.address);
    }
    Optional<Integer> address = wanted.filter(some -> isFree(some, client)).or(() -> find(client));
    address.ifPresent(some -> put(client, some, nowNs + OFFER_NS));
    return address;
  }

  /** Frees the addresses whose time is over; who has had them is remembered. */
  private void end(long nowNs) {
    while (!ends.isEmpty() && ends.first().untilNs - nowNs < 0) {
      busy.clear(ends.removeFirst().address - first);
    }
  }

  private Optional<Integer> find(String client) {
    int found = busy.nextClearBit(Math.floorMod(client.hashCode() * 0x9E37_79B9, count));
    if (found >= count) {
      found = busy.nextClearBit(0);
    }
    return found < count ? Optional.of(first + found) : Optional.empty();
  }

  private boolean isFree(int address, String client) {
    if (!isInRange(address)) {
      return false;
    }
    Lease lease = byAddress.get(address);
    return lease == null || lease.client.equals(client) || !busy.get(address - first);
  }

  private void put(String client, int address, long untilNs) {
    remove(byClient.get(client));
    remove(byAddress.get(address));
    Lease lease = new Lease(client, address, untilNs);
    byClient.put(client, lease);
    byAddress.put(address, lease);
    busy.set(address - first);
    ends.add(lease);
  }

  private void remove(@Nullable Lease lease) {
    if (lease != null) {
      byClient.remove(lease.client);
      byAddress.remove(lease.address);
      busy.clear(lease.address - first);
      ends.remove(lease);
    }
  }

  /**
   * Gives an address to a client, or gives it for longer.
   *
   * @return whether it may have that
   */
  synchronized boolean take(String client, int address, long nowNs) {
    end(nowNs);
    if (!isFree(address, client)) {
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
    end(nowNs);
    return busy.cardinality();
  }

  /** A line each: address, client, seconds left. */
  String text(long nowNs) {
    StringBuilder text = new StringBuilder();
    all().stream()
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

  /** Workers wait for this, and not until it is written. */
  private synchronized List<Lease> all() {
    return List.copyOf(byAddress.values());
  }
}
