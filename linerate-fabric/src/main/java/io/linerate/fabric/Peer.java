package io.linerate.fabric;

import io.linerate.fabric.host.PeerProcess;
import io.linerate.fabric.host.SharedName;
import org.jspecify.annotations.Nullable;

/**
 * Whom an {@link OpenEndpoint} reaches: an entry of its domain's address vector. {@link
 * FabricDomain#peer} makes one.
 */
public final class Peer {
  /** FI_ADDR_UNSPEC: whoever it is. */
  static final long ANY = -1;

  private static final int NEVER = -1;
  private static final long LONG_AGO_NS = 10_000_000_000L;

  /** Looks of the domain's, at 200 ms each. */
  private static final int TICKS_TO_TAKE = 8;

  private final FabricDomain domain;
  private final String address;
  private long number = ANY;
  private @Nullable SharedName sharedName;
  private @Nullable PeerProcess process;
  private boolean wasThere;
  private boolean isKnownToBe;
  private int refusedSince = NEVER;
  private int insertions;
  private @Nullable FabricError lost;
  private long lostNs;
  private boolean isRemoved;

  Peer(FabricDomain domain, String address) {
    this.domain = domain;
    this.address = address;
  }

  FabricDomain domain() {
    return domain;
  }

  /** What the provider knows it by; {@link #ANY} while it does not. */
  long number() {
    return number;
  }

  /** The provider was told of it. */
  void inserted(long as) {
    number = as;
    insertions++;
  }

  /** The same, of the endpoint of shm that has its name. */
  void inserted(long as, SharedName name) {
    inserted(as);
    named(name);
  }

  /** It is the endpoint of shm that has a name. */
  void named(SharedName name) {
    sharedName = name;
  }

  boolean isNamed(SharedName name) {
    return name.equals(sharedName);
  }

  /** How often the provider was told of it. */
  int insertions() {
    return insertions;
  }

  boolean isRemoved() {
    return isRemoved;
  }

  void removed(boolean is) {
    isRemoved = is;
  }

  /** Why it cannot be reached any more; null while nothing says so. */
  public @Nullable FabricError lost() {
    domain.requireOwner();
    return lost;
  }

  /** As {@link #lost}, for the domain itself. */
  @Nullable FabricError lostAs() {
    return lost;
  }

  /** Whether it is the endpoint of a name, and was lost long ago. Any thread may ask. */
  boolean isLongLost(String name) {
    return sharedName != null
        && sharedName.text().equals(name)
        && lost != null
        && System.nanoTime() - lostNs > LONG_AGO_NS;
  }

  /**
   * Looks whether a peer of shm is still there.
   *
   * @return whether it has just been found to be gone
   */
  boolean findLost() {
    SharedName name = sharedName;
    if (lost != null || name == null) {
      return false;
    }
    if (process == null) {
      process = name.process();
    }
    if (process != null && !process.isAlive()) {
      lose("the peer's process has ended: peer=%s, pid=%d".formatted(address, process.pid()));
      name.deleteLeft(); // Nobody takes the name of a client again.
    } else if (PeerProcess.own().equals(process) && !LinkedDomains.isOpen(name)) {
      lose("the peer, of this process, is closed: peer=" + address);
    } else if (name.isThere()) {
      wasThere = true;
    } else if (wasThere) {
      lose("the peer is closed: peer=" + address);
    }
    return lost != null;
  }

  /** It was there: it has told its name, or something was sent to it. */
  void reached() {
    isKnownToBe = true;
    refusedSince = NEVER;
  }

  /**
   * The provider has taken nothing for it.
   *
   * @param tick how often the domain has looked after its peers
   * @return whether that was so for long, of a peer that has been there
   */
  boolean refused(int tick) {
    if (refusedSince == NEVER) {
      refusedSince = tick;
    }
    return isKnownToBe && tick - refusedSince >= TICKS_TO_TAKE;
  }

  /** The provider is busy with others. */
  void forgetRefusals() {
    refusedSince = NEVER;
  }

  /** Looks whether a peer that takes nothing is there; loses it if nobody is. */
  boolean loseIfGone() {
    if (!SocketProbe.isRefused(address)) {
      return false;
    }
    lose(
        "the peer takes nothing any more, and nobody listens there: peer=%s, waited=%d ms"
            .formatted(address, TICKS_TO_TAKE * PeerWatch.CHECK_MS));
    return true;
  }

  private void lose(String text) {
    lostNs = System.nanoTime();
    lost = FabricError.of(FabricError.Kind.PEER_LOST, text);
  }

  /** Its address, as it was given. Any thread may ask. */
  @Override
  public String toString() {
    return address;
  }
}
