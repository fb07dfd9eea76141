package io.linerate.apps.standby;

import io.linerate.core.worker.StopSignal;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.replication.Standby;
import io.linerate.fabric.replication.TableLayout;
import io.linerate.program.run.Console;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Waits as a standby until there is no primary any more, then is the primary. */
final class StandbyRole {
  private static final Duration WAIT = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final FabricAddress address;
  private final TableLayout layout;
  private final Console console;
  private final AtomicBoolean isStopped = new AtomicBoolean();
  private String said = "";

  StandbyRole(FabricAddress address, TableLayout layout, Console console) {
    this.address = address;
    this.layout = layout;
    this.console = console;
  }

  /**
   * Waits until it is the primary.
   *
   * @return empty if it was stopped before
   */
  Optional<StandbyTables> awaitPrimary() {
    RestoredConnections restored = RestoredConnections.none(layout.tables());
    try (StopSignal _ = StopSignal.install(() -> isStopped.set(true))) {
      while (!isStopped.get()) {
        Optional<StandbyTables> tables = StandbyTables.open(address, layout, restored, console);
        if (tables.isPresent()) {
          return tables;
        }
        try (Standby standby = Standby.open(address, layout)) {
          follow(standby);
          if (standby.hasData()) {
            restored = RestoredConnections.read(standby, layout.tables());
            say(
                "takes over: connections=%d, primary=%s, reason=%s"
                    .formatted(restored.size(), standby.primary(), standby.reason()));
            continue; // At once: no packet passes meanwhile.
          }
          if (standby.await(Duration.ZERO) == Standby.State.ALONE) {
            say("waits for a primary: address=%s, reason=%s".formatted(address, standby.reason()));
          }
        }
        pause();
      }
    }
    return Optional.empty();
  }

  /** Has copies of what the primary has, until that ends. */
  private void follow(Standby standby) {
    Standby.State state = standby.await(Duration.ZERO);
    while (!state.isOver() && !isStopped.get()) {
      Standby.State next = standby.await(WAIT);
      if (next != state && next == Standby.State.IN_STEP) {
        say("is a standby, in step with the primary: address=" + address);
      }
      state = next;
    }
    switch (state) {
      case BUSY -> say("waits, " + standby.reason());
      case REFUSED ->
          throw new FabricException(
              "the primary does not want a standby: address=%s, reason=%s"
                  .formatted(address, standby.reason()));
      default -> {
        // Its turn has come, or it is stopped.
      }
    }
  }

  private void say(String message) {
    if (!message.equals(said)) {
      console.say(message);
      said = message;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
