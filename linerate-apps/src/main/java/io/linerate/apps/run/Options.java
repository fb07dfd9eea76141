package io.linerate.apps.run;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.DurationText;
import io.linerate.core.config.NumberText;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.dashboard.KeyStoreFile;
import io.linerate.dashboard.http.HttpAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Options that several commands have. */
public final class Options {
  private static final String SET = "--set";
  private static final String JSON = "--json";
  private static final String STATS = "--stats";
  private static final String DASHBOARD = "--dashboard";
  private static final String DASHBOARD_TLS = "--dashboard-tls";
  private static final String DASHBOARD_OPEN = "--dashboard-open";

  private static final Pattern OPTION = Pattern.compile("(--\\S+)(?: (\\S+))? {2,}(.*)");

  private Options() {}

  /**
   * A command as its page of help says: header, usage, description, options if it has any, and
   * examples, with empty lines between.
   *
   * @param page of an option a line {@code --name LABEL description}, without a label if it is true
   *     when it is there; what is indented goes on
   */
  public static CommandSpec command(String name, String page) {
    String[] parts = page.strip().split("\n\n", -1);
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage()
        .header(parts[0])
        .synopsisHeading("")
        .customSynopsis(parts[1].split("\n"))
        .descriptionHeading("%n")
        .description(parts[2].split("\n"))
        .optionListHeading("%n")
        .footerHeading("%nExamples:%n")
        .footer(parts[parts.length - 1].indent(2).split("\n"))
        .width(110);
    if (parts.length > 4) {
      parts[3].replaceAll("\n +", " ").lines().forEach(line -> spec.addOption(option(line)));
    }
    return spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
  }

  private static OptionSpec option(String line) {
    Matcher option = OPTION.matcher(line);
    if (!option.matches()) {
      throw new IllegalArgumentException("not an option of a page of help: line=" + line);
    }
    String label = option.group(2);
    return label == null
        ? flag(option.group(1), option.group(3))
        : text(option.group(1), label, option.group(3));
  }

  /** The only argument of a command, which may be left out if {@code arity} begins with 0. */
  public static PositionalParamSpec argument(String label, String arity, String description) {
    return PositionalParamSpec.builder()
        .paramLabel(label)
        .required(!arity.startsWith("0"))
        .index("0")
        .arity(arity)
        .type(String.class)
        .description(description)
        .build();
  }

  public static OptionSpec set() {
    return OptionSpec.builder(SET)
        .paramLabel("KEY=VALUE")
        .arity("1")
        .type(List.class)
        .auxiliaryTypes(String.class)
        .description("Set a configuration key, whatever the file says. May be repeated.")
        .build();
  }

  public static OptionSpec json() {
    return flag(
        JSON, "Print the result as one JSON object; everything else goes to standard error.");
  }

  public static OptionSpec stats() {
    return text(STATS, "TIME", "Say how it stands each TIME, such as 1s, on standard error.");
  }

  /** What says that the page is served, and to whom. */
  public static CommandSpec withDashboard(CommandSpec spec) {
    return withAccess(
        spec.addOption(
            OptionSpec.builder(DASHBOARD)
                .paramLabel("[ADDRESS]")
                .arity("1")
                .type(String.class)
                .preprocessor(Options::defaultAddress)
                .description(
                    "Serve a page that shows the program, at HOST:PORT; "
                        + HttpAddress.DEFAULT
                        + " if not said, or any free port if that is taken.")
                .build()));
  }

  /** What says to whom a page is served. */
  public static CommandSpec withAccess(CommandSpec spec) {
    return spec.addOption(text(DASHBOARD_TLS, "FILE.p12", "Serve it by HTTPS, with these keys."))
        .addOption(flag(DASHBOARD_OPEN, "Serve it to other machines without TLS."));
  }

  /** What follows the option is its value only if it looks so: it may as well be a file. */
  private static boolean defaultAddress(
      Stack<String> rest, CommandSpec spec, ArgSpec option, Map<String, Object> info) {
    if (rest.isEmpty() || !HttpAddress.looksLike(rest.peek())) {
      rest.push("");
    }
    return false;
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

  private static OptionSpec text(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .arity("1")
        .type(String.class)
        .description(description)
        .build();
  }

  private static OptionSpec flag(String name, String description) {
    return OptionSpec.builder(name).type(boolean.class).arity("0").description(description).build();
  }

  public static List<String> overrides(ParseResult options) {
    return options.matchedOptionValue(SET, List.of());
  }

  public static boolean isJson(ParseResult options) {
    return options.matchedOptionValue(JSON, false);
  }

  public static Optional<Duration> stats(ParseResult options) {
    return duration(options, STATS);
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
                "wrong value: %s %s; %d to %d is allowed".formatted(name, value, min, max)));
  }
}
