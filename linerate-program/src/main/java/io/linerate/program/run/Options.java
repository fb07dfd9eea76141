package io.linerate.program.run;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.DurationText;
import io.linerate.core.config.NumberText;
import io.linerate.core.config.PathText;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.dashboard.KeyStoreFile;
import io.linerate.dashboard.http.HttpAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Stack;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Options that several commands have. */
public final class Options {
  private static final String SET = "--set";

  /** Options that may be given again. */
  private static final Set<String> REPEATED = Set.of(SET, "--rule");

  private static final String CONFIG = "--config";
  private static final String DURATION = "--duration";
  private static final String JSON = "--json";
  private static final String STATS = "--stats";
  private static final String FILTER = "--filter";
  private static final String WRITE_DROPS = "--write-drops";
  private static final String DASHBOARD = "--dashboard";
  private static final String DASHBOARD_TLS = "--dashboard-tls";
  private static final String DASHBOARD_OPEN = "--dashboard-open";

  /** What several commands have, as pages write it. */
  private static final String SHARED =
      """
      --set KEY=VALUE  A setting, such as workers=2, repeatable; a wrong one lists all.
      --config FILE.properties  Ports and settings, as --set has them.
      --duration TIME  Stop after this time, such as 500ms, 10s or 2m.
      --json  Print the result as a JSON object, the rest to standard error.
      --stats TIME  Say how it stands on stderr, each TIME; 10s if left out.
      --filter EXPRESSION  Only packets that it accepts, such as 'tcp port 80'.
      --standby ADDRESS  Of two with one fabric:ADDRESS one works, one takes over.
      --write-drops FILE  Write lost packets, with why and where, as pcapng.
      --dashboard [ADDRESS]  Serve a page that shows it, at %1$s or HOST:PORT.
      --dashboard-tls FILE.p12  Serve it by HTTPS, with these keys.
      --dashboard-open  Serve it to other machines without TLS.
      [ADDRESS]  HOST:PORT; %1$s if left out, or any free port if that is taken.
      [PROGRAM]  Its name, or the number of its process; the only one if left out.
      """
          .formatted(HttpAddress.DEFAULT);

  private Options() {}

  /**
   * A command as its page of help says: header, usage, description, options and arguments, and
   * examples, with empty lines between.
   *
   * @param page of an option a line {@code --name LABEL description}, without a label if it is true
   *     when it is there, several of them with commas between; of an argument {@code LABEL
   *     description}; what is indented goes on. There may be several where {@code ...} follows the
   *     label, and none of an argument in brackets. Lines without a description name what several
   *     commands have.
   */
  public static CommandSpec command(String name, String page) {
    String[] parts = page.strip().split("\n\n", -1);
    return command(
        name,
        parts[0],
        parts[1].lines().toList(),
        parts[2].lines().toList(),
        parts[3].replaceAll("\n +", " ").lines().toList(),
        parts[4].lines().toList());
  }

  /**
   * A command of these parts of its page; each line of {@code options} as above, whole.
   *
   * @param examples empty: none
   */
  public static CommandSpec command(
      String name,
      String header,
      List<String> usage,
      List<String> description,
      List<String> options,
      List<String> examples) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage()
        .header(unformatted(header))
        .synopsisHeading("")
        .customSynopsis(unformatted(usage))
        .descriptionHeading("%n")
        .description(unformatted(description))
        .optionListHeading("%n");
    if (!examples.isEmpty()) {
      spec.usageMessage()
          .footerHeading("%nExamples:%n")
          .footer(unformatted(examples.stream().map(example -> "  " + example).toList()));
    }
    List<HelpPage.Row> rows =
        new ArrayList<>(
            options.stream().flatMap(Options::told).distinct().map(Options::row).toList());
    rows.forEach(row -> add(spec, row));
    rows.add(new HelpPage.Row("-h, --help, -V, --version", "Show this help; the version."));
    HelpPage.lay(spec, rows);
    return withHelp(spec);
  }

  private static String[] unformatted(List<String> lines) {
    return lines.stream().map(Options::unformatted).toArray(String[]::new);
  }

  /** So that the library prints it as it is: it takes texts for formats. */
  private static String unformatted(String text) {
    return text.replace("%", "%%");
  }

  /** The command with the options that tell what it is. */
  public static CommandSpec withHelp(CommandSpec spec) {
    return spec.version(spec.name() + " " + ProgramInfo.VERSION)
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build())
        .addOption(
            OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Show the version.")
                .build());
  }

  private static HelpPage.Row row(String line) {
    int gap = line.indexOf("  ");
    return new HelpPage.Row(line.substring(0, gap), line.substring(gap).strip());
  }

  private static Stream<String> told(String line) {
    List<String> names = List.of(line.split(" ", -1));
    return line.contains("  ")
        ? Stream.of(line)
        : SHARED.lines().filter(known -> names.contains(known.split("[ ,]", 2)[0]));
  }

  private static void add(CommandSpec spec, HelpPage.Row row) {
    for (String one : row.left().split(", ", -1)) {
      String[] words = one.split(" ", -1);
      if (!words[0].startsWith("--")) {
        spec.addPositional(argument(words[0], row.description()));
      } else if (words.length > 1) {
        spec.addOption(option(words[0], words[1], row.description()));
      } else {
        spec.addOption(
            OptionSpec.builder(words[0])
                .type(boolean.class)
                .arity("0")
                .description(row.description())
                .build());
      }
    }
  }

  private static PositionalParamSpec argument(String label, String description) {
    boolean isOptional = label.startsWith("[");
    boolean isMany = label.endsWith("...");
    return PositionalParamSpec.builder()
        .paramLabel(label.replaceAll("\\[|]|\\.{3}", ""))
        .required(!isOptional)
        .index(isMany ? "0..*" : "0")
        .arity((isOptional ? "0.." : "1..") + (isMany ? "*" : "1"))
        .type(isMany ? List.class : String.class)
        .auxiliaryTypes(String.class)
        .completionCandidates(candidates(label))
        .description(description)
        .build();
  }

  /** What a label such as {@code 4|6} allows; null if it says nothing of that kind. */
  private static @Nullable List<String> candidates(String label) {
    return label.contains("|") ? List.of(label.split("\\|", -1)) : null;
  }

  private static OptionSpec option(String name, String label, String description) {
    boolean isMany = label.endsWith("...");
    OptionSpec.Builder option =
        OptionSpec.builder(name)
            .paramLabel(label.replace("...", ""))
            .required(isMany)
            .arity(isMany ? "1..*" : "1")
            .type(isMany || REPEATED.contains(name) ? List.class : String.class)
            .auxiliaryTypes(String.class)
            .completionCandidates(candidates(label))
            .description(description);
    return label.startsWith("[")
        ? option.preprocessor(Options::defaultAddress).build()
        : option.build();
  }

  /** What follows the option is its value only if it looks so: it may as well be a file. */
  private static boolean defaultAddress(
      Stack<String> rest, CommandSpec spec, ArgSpec option, Map<String, Object> info) {
    if (rest.isEmpty() || !HttpAddress.looksLike(rest.peek())) {
      rest.push("");
    }
    return false;
  }

  /** What of the dropped packets is written where, if any is. */
  public static Optional<DropFile.Task> drops(ParseResult options) {
    String text = options.matchedOptionValue(WRITE_DROPS, null);
    try {
      return Optional.ofNullable(text).map(DropFile.Task::parse);
    } catch (ConfigException e) {
      throw new ConfigException(WRITE_DROPS + ": " + e.getMessage());
    }
  }

  /** Where the page is served, if it is. */
  public static Optional<DashboardSettings> dashboard(ParseResult options) {
    String address = options.matchedOptionValue(DASHBOARD, null);
    if (address == null) {
      if (options.hasMatchedOption(DASHBOARD_TLS) || options.hasMatchedOption(DASHBOARD_OPEN)) {
        throw new ConfigException("no dashboard to serve; write --dashboard ADDRESS as well");
      }
      return Optional.empty();
    }
    return Optional.of(access(options, address));
  }

  /**
   * A page at an address, to whom the options say.
   *
   * @param address "": not said
   */
  public static DashboardSettings access(ParseResult options, String address) {
    String tls = options.matchedOptionValue(DASHBOARD_TLS, null);
    return new DashboardSettings(
        address.isEmpty() ? HttpAddress.DEFAULT : HttpAddress.parse(address),
        Optional.ofNullable(tls).map(Path::of).map(KeyStoreFile::ofEnvironment),
        options.matchedOptionValue(DASHBOARD_OPEN, false));
  }

  /** The properties file that is named, if one is. */
  public static Optional<Path> config(ParseResult options) {
    return Optional.ofNullable(options.<String>matchedOptionValue(CONFIG, null))
        .map(PathText::parse);
  }

  /** What {@code --set} says, and options that are short for it. */
  public static List<String> overrides(ParseResult options) {
    List<String> overrides = new ArrayList<>(options.matchedOptionValue(SET, List.of()));
    String filter = options.matchedOptionValue(FILTER, null);
    if (filter != null) {
      overrides.add("filter=" + filter);
    }
    return overrides;
  }

  public static boolean isJson(ParseResult options) {
    return options.matchedOptionValue(JSON, false);
  }

  public static Optional<Duration> stats(ParseResult options) {
    return duration(options, STATS);
  }

  /** When it stops by itself. */
  public static Optional<Duration> duration(ParseResult options) {
    return duration(options, DURATION);
  }

  /** The time that an option gives. */
  public static Optional<Duration> duration(ParseResult options, String name) {
    String value = options.matchedOptionValue(name, null);
    return value == null ? Optional.empty() : Optional.of(duration(name, value));
  }

  /**
   * The time that a text gives.
   *
   * @param name of the text, in messages
   */
  public static Duration duration(String name, String text) {
    try {
      return DurationText.parse(text);
    } catch (ConfigException e) {
      throw new ConfigException(name + ": " + e.getMessage());
    }
  }

  /**
   * The whole number that an option gives.
   *
   * @return {@code missing} without the option
   */
  public static long number(ParseResult options, String name, long min, long max, long missing) {
    String value = options.matchedOptionValue(name, null);
    if (value == null) {
      return missing;
    }
    return NumberText.read(value, min, max)
        .orElseThrow(() ->
            new ConfigException(
                "%s: %s %s; %d %s allowed"
                    .formatted(
                        value.matches("-?[0-9]+") ? "wrong value" : "not a number",
                        name,
                        value,
                        min,
                        max == Long.MAX_VALUE ? "and more are" : "to " + max + " are")));
  }
}
