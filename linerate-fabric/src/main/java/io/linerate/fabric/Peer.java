package io.linerate.fabric;

import io.linerate.fabric.host.PeerProcess;
import org.jspecify.annotations.Nullable;

/**
 * Whom an {@link OpenEndpoint} reaches: an entry of its domain's address vector. {@link
 * FabricDomain#peer} makes one.
 */
public final class Peer {
  /** FI_ADDR_UNSPEC: whoever it is. */
  static final long ANY = -1;

  private final FabricDomain domain;
  private final long number;
  private final String name;
  private final String sharedName;
  private final @Nullable PeerProcess process;
  private @Nullable FabricError lost;

  Peer(FabricDomain domain, long number, String name, @Nullable PeerProcess process) {
    this.domain = domain;
    this.number = number;
    this.name = name;
    sharedName = name.substring(Math.max(name.lastIndexOf(':'), name.lastIndexOf('/')) + 1);
    this.process = process;
  }

  FabricDomain domain() {
    return domain;
  }

  /** Its name of shm. */
  String sharedName() {
    return sharedName;
  }

  long number() {
    return number;
  }

  /** Why it cannot be reached any more; null while nothing says so. */
  public @Nullable FabricError lost() {
    return lost;
  }

  /**
   * Looks whether its process is still there, where this host knows it.
   *
   * @return whether it has just been found to be gone
   */
  boolean findLost() {
    if (lost != null || process == null) {
      return false;
    }
    if (!process.isAlive()) {
      lost =
          FabricError.of(
              FabricError.Kind.PEER_LOST,
              "the peer's process has ended: peer=%s, pid=%d".formatted(name, process.pid()));
    } else if (process.equals(PeerProcess.own()) && !Neighbours.isOpen(sharedName)) {
      lost =
          FabricError.of(
              FabricError.Kind.PEER_LOST, "the peer, of this process, is closed: peer=" + name);
    }
    return lost != null;
  }

  /** Its address, as it was given. */
  @Override
  public String toString() {
    return name;
  }
}
