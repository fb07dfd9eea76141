package io.linerate.fabric;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether and how this side is told that its peer is gone. */
final class FailureSeen {
  private static final Duration A_LITTLE = Duration.ofMillis(20);

  private final Station station;
  private final LinkEnd end;
  private final @Nullable OperationStream stream;
  private final Descriptor probe;
  private @Nullable FabricException refusal;

  FailureSeen(Station station, LinkEnd end, @Nullable OperationStream stream) {
    this.station = station;
    this.end = end;
    this.stream = stream;
    probe = station.side.domain.descriptor().on(station.side.region(1));
  }

  /** Waits for it, with what was going on going on. */
  FabricError await(String what) {
    long start = System.nanoTime();
    FabricError error = look();
    while (error == null) {
      if (System.nanoTime() - start > KilledPrograms.SOON_NS) {
        return fail(
            "%s: nothing was told; probe posted=%s, stream=%s, refusal=%s",
            what, probe.isPosted(), stream, refusal);
      }
      error = look();
    }
    if (!probe.isPosted()) {
      probe.close();
    }
    return error;
  }

  private @Nullable FabricError look() {
    Completions completions = station.side.completions;
    int count = station.side.queue.await(completions, A_LITTLE);
    for (int i = 0; i < count; i++) {
      FabricError error = completions.error(i);
      if (error != null && completions.receiver(i) == end.endpoint()) {
        return error;
      }
    }
    if (stream != null && stream.error() == null) {
      stream.post();
    } else if (stream != null) {
      return stream.error();
    }
    if (end.endpoint() instanceof Connection connection) {
      connection.state();
      return connection.error();
    }
    if (station.address.isLayered()) {
      probe();
    }
    return null;
  }

  /** Layered providers tell who sends something. */
  private void probe() {
    try {
      if (!probe.isPosted()) {
        end.to().send(probe);
      }
    } catch (FabricException e) {
      refusal = e;
    }
  }
}
