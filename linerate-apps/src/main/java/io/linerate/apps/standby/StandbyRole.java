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

  /** That there is no primary is said no more often. */
  private static final long WAITING_SAID_NS = 60_000_000_000L;

  private final FabricAddress address;
  private final TableLayout layout;
  private final Console console;
  private final Runnable lost;
  private final AtomicBoolean isStopped = new AtomicBoolean();
  private RestoredConnections restored;
  private boolean isElsewhere;
  private String said = "";
  private long waitingSaidNs = System.nanoTime() - WAITING_SAID_NS;

  /**
   * @param lost as of {@link io.linerate.fabric.replication.Primary#open}
   */
  StandbyRole(FabricAddress address, TableLayout layout, Console console, Runnable lost) {
    this.address = address;
    this.layout = layout;
    this.console = console;
    this.lost = lost;
    restored = RestoredConnections.none(layout.tables());
  }

  /** It is not wanted any more: any thread may say so. */
  void stop() {
    isStopped.set(true);
  }

  /**
   * Waits until it is the primary.
   *
   * @return empty if it was stopped before
   */
  Optional<StandbyTables> awaitPrimary() {
    try (StopSignal _ = StopSignal.install(this::stop)) {
      boolean hasAnswered = true; // Nobody was asked: it does not count as silence.
      for (boolean isFirst = true; !isStopped.get(); isFirst = false) {
        Optional<StandbyTables> tables = open(!hasAnswered);
        if (tables.isPresent()) {
          sayWhatIsTakenOver();
          return tables;
        }
        if (!isFirst) {
          pause();
        }
        hasAnswered = follow();
      }
    }
    return Optional.empty();
  }

  /**
   * The tables of the primary, if it can be that. Where the address is another host's nobody can
   * come to this one: it works if that one is silent, and it has tables.
   */
  private Optional<StandbyTables> open(boolean isSilent) {
    try {
      return StandbyTables.open(address, layout, restored, console, lost);
    } catch (FabricException e) {
      if (!e.isAddressElsewhere()) {
        throw e;
      }
    }
    isElsewhere = true;
    return isSilent && restored.isTaken()
        ? Optional.of(StandbyTables.alone(restored, layout))
        : Optional.empty();
  }

  private void sayWhatIsTakenOver() {
    if (!restored.isTaken()) {
      return;
    }
    say("takes over: connections=%d, %s".formatted(restored.size(), restored.from()));
    if (!restored.isUpToDate()) {
      say(
          "what it takes over is old: the primary had not said for 5 s that it tells what changes; connections since then are missing");
    }
    if (isElsewhere) {
      say(
          "works without a standby: the address is none of this host's: address=%s; end this program before another works at that address"
              .formatted(address));
    }
  }

  /** Has copies of what the primary has, until that ends; whether somebody has answered. */
  private boolean follow() {
    if (Standby.isPrimaryStopped(address)) {
      sayThatItWaits("its process is stopped");
      return true;
    }
    try (Standby standby = Standby.open(address, layout)) {
      Standby.State state = standby.await(Duration.ZERO);
      while (!state.isOver() && !standby.isLetGo() && !isStopped.get()) {
        Standby.State next = standby.await(WAIT);
        if (next != state && next == Standby.State.IN_STEP) {
          say("is a standby, in step with the primary: address=" + address);
        } else if (next != state && next == Standby.State.OUT_OF_STEP) {
          say(
              "is out of step: the primary has not said for 5 s that it tells what changes: address=%s"
                  .formatted(address));
        }
        state = next;
      }
      if (standby.hasData()) {
        restored = RestoredConnections.read(standby, layout.tables());
      } else if (state == Standby.State.BUSY) { // Another one has newer ones.
        restored = RestoredConnections.none(layout.tables());
      }
      tell(standby, state);
      return standby.hasAnswered();
    }
  }

  private void tell(Standby standby, Standby.State state) {
    switch (state) {
      case OUT_OF_STEP -> {
        if (!isStopped.get()) {
          say("asks again: address=" + address);
        }
      }
      case BUSY -> {
        say("waits, " + standby.reason());
        pause(); // It may be opening its address anew.
      }
      case REFUSED ->
          throw new FabricException(
              "the primary does not want a standby: address=%s, reason=%s"
                  .formatted(address, standby.reason()));
      case ALONE -> {
        if (!standby.hasData()) {
          sayThatItWaits(standby.reason());
        }
      }
      default -> {
        // It is stopped.
      }
    }
  }

  /** Reasons come in turns: they are not looked at. */
  private void sayThatItWaits(String reason) {
    if (System.nanoTime() - waitingSaidNs >= WAITING_SAID_NS) {
      waitingSaidNs = System.nanoTime();
      say(
          "waits for a primary: address=%s, reason=%s; see that the address is that of the host where the primary is, that it runs, and that nothing in between drops its packets"
              .formatted(address, reason));
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
