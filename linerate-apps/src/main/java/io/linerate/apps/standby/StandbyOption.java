package io.linerate.apps.standby;

import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.replication.TableLayout;
import io.linerate.graph.GraphBuilder;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.program.run.CommandException;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.ParseResult;

/**
 * The option {@code --standby}: of programs that are given the same address one is the primary and
 * works; its standby has copies of its connections, and works when that has ended.
 */
public final class StandbyOption {
  private static final String OPTION = "--standby";

  private StandbyOption() {}

  /** Whether a program is to wait for its turn. */
  public static boolean isWanted(ParseResult options) {
    return options.hasMatchedOption(OPTION);
  }

  /**
   * Runs a program when it is its turn, with a part of what the options say.
   *
   * @param connections of each worker
   * @param program what is to be run: with the tables, or {@link TableHandover#NONE} and any seed
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
      return program.apply(new Turn(TableHandover.NONE, new SecureRandom().nextLong(), List::of));
    }
    FabricAddress address = address(text);
    TableLayout layout = StandbyTables.layout(name, configuration.engine().workers(), connections);
    try {
      Optional<StandbyTables> opened =
          new StandbyRole(address, layout, console, StandbyOption::end).awaitPrimary();
      if (opened.isEmpty()) {
        return ExitStatus.DONE; // Nobody needed it.
      }
      try (StandbyTables tables = opened.get()) {
        return program.apply(new Turn(tables, tables.seed(), tables::failures));
      }
    } catch (FabricException e) {
      throw new CommandException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What a program begins with.
   *
   * @param seed of what distributes flows to workers
   * @param failures why nothing could be copied to a standby any more: asked when the workers have
   *     ended
   */
  public record Turn(TableHandover handover, long seed, Supplier<List<String>> failures) {
    /** A graph whose program tells these failures with its own. */
    public GraphProgram.Blueprint withFailures(GraphProgram.Blueprint graph) {
      return new GraphProgram.Blueprint() {
        @Override
        public void build(GraphBuilder g, int workers) {
          graph.build(g, workers);
        }

        @Override
        public List<String> failures() {
          return failures.get();
        }
      };
    }
  }

  /** As a signal does, since another program may work: its failure is told then. */
  private static void end() {
    Thread.ofPlatform().daemon().name("address-lost").start(() -> System.exit(ExitStatus.FAILED));
  }

  private static FabricAddress address(String text) {
    FabricAddress address = FabricAddress.parse(text);
    if (address.port() == 0) {
      throw new ConfigException(
          "no port that the other could know: %s %s; write one from 1 to 65535"
              .formatted(OPTION, address));
    }
    return address;
  }
}
