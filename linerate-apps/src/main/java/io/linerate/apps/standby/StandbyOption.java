package io.linerate.apps.standby;

import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.standby.StandbyTables.Inheritance;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.worker.StopSignal;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.replication.TableLayout;
import io.linerate.fabric.replication.Standby;
import io.linerate.middlebox.standby.TableCopies;
import io.linerate.program.run.CommandException;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.track.ConnectionRecords;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/**
 * Has a program wait until it is its turn: of those that are given the same address the
 * primary works, the standby has copies of its connections and works when that has ended.
 */
public final class StandbyWait {
  private static final String OPTION = "--standby";
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final FabricAddress address;
  private final TableLayout layout;
  private final Console console;
  private final AtomicBoolean isStopped = new AtomicBoolean();
  private String said = "";

  private StandbyWait(FabricAddress address, TableLayout layout, Console console) {
    this.address = address;
    this.layout = layout;
    this.console = console;
  }

  /** Whether a program is to wait for its turn. */
  public static boolean isWanted(ParseResult options) {
    return options.hasMatchedOption(OPTION);
  }

  /**
   * Runs a program when it is its turn, with a part of what the options say.
   *
   * @param connections of each worker
   * @param program what is to be run: with the tables, or {@link TableCopies#NONE} and any seed
   * @return the {@link ExitStatus}
   */
  public static int run(
      ParseResult options,
      String name,
      Configuration configuration,
      int connections,
      Console console,
      Function<Turn, Integer> program) {
    String text = options.matchedOptionValue(OPTION, "");
    if (text.isEmpty() || GraphProgram.isCheck(options)) {
      return program.apply(new Turn(TableCopies.NONE, new SecureRandom().nextLong()));
    }
    FabricAddress address = address(text);
    TableLayout layout =
        StandbyTables.layout(name, configuration.engine().workers(), connections);
    try {
      StandbyWait wait = new StandbyWait(address, layout, console);
      Optional<StandbyTables> turn = wait.await();
      if (turn.isEmpty()) {
        return ExitStatus.DONE; // Nobody needed it.
      }
      try (StandbyTables tables = turn.get()) {
        return program.apply(new Turn(tables, tables.seed()));
      }
    } catch (FabricException e) {
      throw new CommandException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What a program begins with.
   *
   * @param seed of what distributes flows to workers
   */
  public record Turn(TableCopies copies, long seed) {}

  private static FabricAddress address(String text) {
    FabricAddress address = FabricAddress.parse(text);
    if (address.port() == 0) {
      throw new ConfigException(
          "no port that the other could know: %s %s; write one from 1 to 65535"
              .formatted(OPTION, address));
    }
    return address;
  }

  private Optional<StandbyTables> await() {
    Inheritance inheritance = new Inheritance(new SecureRandom().nextLong(), layout.tables());
    try (StopSignal _ = StopSignal.install(() -> isStopped.set(true))) {
      while (!isStopped.get()) {
        Optional<StandbyTables> turn = StandbyTables.open(address, layout, inheritance, console);
        if (turn.isPresent()) {
          return turn;
        }
        try (Standby standby = Standby.open(address, layout)) {
          follow(standby);
          if (standby.hasData()) {
            inheritance = inherit(standby);
            say(
                "takes over: connections=%d, primary=%s, reason=%s"
                    .formatted(inheritance.size(), standby.primary(), standby.reason()));
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

  private void follow(Standby standby) {
    Standby.State state = standby.await(Duration.ZERO);
    while (!state.isOver() && !isStopped.get()) {
      Standby.State next = standby.await(LOOK);
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

  private Inheritance inherit(Standby standby) {
    byte[] note = standby.note();
    if (note.length != Long.BYTES) {
      throw new FabricException(
          "the primary is no program of this version: address=%s, noteBytes=%d; give both the same"
              .formatted(address, note.length));
    }
    long seed = ByteBuffer.wrap(note).getLong();
    Inheritance inheritance = new Inheritance(seed, layout.tables());
    for (int i = 0; i < layout.tables(); i++) {
      int worker = i;
      standby.forEach(
          worker,
          image -> {
            if (ConnectionRecords.isConnection(image)) {
              inheritance.add(worker, image);
            }
          });
    }
    return inheritance;
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
