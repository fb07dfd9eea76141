package io.linerate.apps.fabric;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EnumText;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** What {@code linerate fabric} is asked to do, and with which options. */
enum Word {
  INFO(1, List.of("--json")),
  SERVE(2, List.of("--sizes", "--window", "--wait", "--once", "--duration")),
  PING(2, List.of("--sizes", "--time", "--window", "--wait", "--chart", "--json", "--duration")),
  BANDWIDTH(2, PING.options);

  private final int words;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
  private final List<String> options;

  Word(int words, List<String> options) {
    this.words = words;
    this.options = options;
  }

  /**
   * Reads it.
   *
   * @throws ConfigException if there is none of that name
   */
  static Word of(String text) {
    return EnumText.read(text, Word.class)
        .orElseThrow(() ->
            new ConfigException(
                "nothing to do: what=%s; write info, serve, ping or bandwidth".formatted(text)));
  }

  /** With its address, if it has one. */
  int words() {
    return words;
  }

  /** What may stand behind it. */
  String usage() {
    return "write linerate fabric " + this + (words > 1 ? " and one address" : " alone");
  }

  /**
   * Looks at all options.
   *
   * @throws ConfigException if one of them would do nothing
   */
  void requireOptions(ParseResult given) {
    for (OptionSpec option : given.matchedOptions()) {
      if (!options.contains(option.longestName())) {
        throw new ConfigException(
            "no such option: linerate fabric %s %s; it has %s"
                .formatted(this, option.longestName(), String.join(", ", options)));
      }
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
