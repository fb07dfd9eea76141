package io.linerate.fabric.channel;

import io.linerate.fabric.FabricError;
import io.linerate.fabric.host.PeerProcess;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether the peer of a channel is there: by its process, where this host knows it, or by what it
 * sends.
 */
final class PeerLiveness {
  private final String peer;
  private final long lostAfterNs;
  private @Nullable PeerProcess process;
  private long lastHeardNs = System.nanoTime();

  /** Since the last check. */
  private boolean isHeard;

  private boolean isPinged;

  PeerLiveness(String peer, Duration lostAfter) {
    this.peer = peer;
    lostAfterNs = lostAfter.toNanos();
  }

  /**
   * It has told who it is.
   *
   * @param known its process, where this host knows it
   */
  void opened(@Nullable PeerProcess known) {
    process = known;
    lastHeardNs = System.nanoTime();
  }

  /** A message has come. */
  void heard() {
    isHeard = true;
    isPinged = false;
  }

  /**
   * Why the peer is lost, as of now; null if it is not.
   *
   * @param isOpening it was not to answer questions yet
   */
  @Nullable FabricError failure(long nowNs, boolean isOpening) {
    if (isHeard) {
      isHeard = false;
      lastHeardNs = nowNs;
    }
    long silentNs = nowNs - lastHeardNs;
    PeerProcess known = process;
    if (known != null) {
      return silentNs <= 0 || known.isAlive()
          ? null
          : FabricError.of(
              FabricError.Kind.PEER_LOST,
              "the peer's process has ended: peer=%s, pid=%d".formatted(peer, known.pid()));
    }
    return silentNs <= lostAfterNs || !(isPinged || isOpening)
        ? null
        : FabricError.of(
            FabricError.Kind.PEER_LOST,
            "the peer has not answered: peer=%s, silent=%d ms"
                .formatted(peer, silentNs / 1_000_000));
  }

  /** Whether the peer is to be asked whether it is there, after {@link #failure}: told once. */
  boolean takePingDue(long nowNs) {
    boolean isDue = !isPinged && nowNs - lastHeardNs > lostAfterNs / 4;
    isPinged |= isDue;
    return isDue;
  }
}
