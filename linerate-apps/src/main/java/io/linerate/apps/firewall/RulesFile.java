package io.linerate.apps.firewall;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.TextFile;
import io.linerate.wire.IpProtocol;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads rules, one a line:
 *
 * <pre>
 *   drop|pass SOURCE[/PREFIX] [PROTOCOL]    the first that matches decides
 *   SOURCE[/PREFIX]                         means drop
 *   default drop|pass                       for what no rule matches; pass if not said
 *   nonip drop|pass                         for what is not IP; drop if not said
 *   # comment
 * </pre>
 */
final class RulesFile {
  private static final String FORMS =
      "a line is: drop|pass SOURCE[/PREFIX] [PROTOCOL], an address, default drop|pass or nonip"
          + " drop|pass";

  private final String file;
  private final Consumer<String> warnings;
  private final List<Rule> rules = new ArrayList<>();
  private @Nullable Policy byDefault;
  private @Nullable Policy nonIp;

  private RulesFile(String file, Consumer<String> warnings) {
    this.file = file;
    this.warnings = warnings;
  }

  /**
   * Reads a file.
   *
   * @param warnings takes sentences about rules that can match nothing
   * @throws ConfigException if it cannot be read, or for all that is wrong in it: a line each
   */
  static RuleSet read(Path path, Consumer<String> warnings) {
    return parse(path.toString(), TextFile.read("rules file", path), warnings);
  }

  static RuleSet parse(String file, String text, Consumer<String> warnings) {
    RulesFile parser = new RulesFile(file, warnings);
    TextFile.statements(file, text, parser::statement);
    return new RuleSet(
        parser.rules,
        parser.byDefault == null ? RuleSet.PASS_BY_DEFAULT : parser.byDefault,
        parser.nonIp == null ? RuleSet.DROP_NON_IP : parser.nonIp);
  }

  private void statement(String text, int number) {
    String[] words = text.toLowerCase(Locale.ROOT).split("\\s+");
    switch (words[0]) {
      case "drop", "pass" -> rules.add(rule(number, text, words));
      case "default" -> byDefault = policy(number, text, words, byDefault);
      case "nonip" -> nonIp = policy(number, text, words, nonIp);
      default -> {
        if (words.length > 1 || !Source.looksLike(words[0])) {
          throw new IllegalArgumentException("not a rule: line=" + text + "; " + FORMS);
        }
        rules.add(new Rule(number, text, false, Source.parse(words[0]), Rule.ANY_PROTOCOL));
      }
    }
  }

  private Rule rule(int number, String text, String[] words) {
    if (words.length < 2 || words.length > 3) {
      throw new IllegalArgumentException("not a rule: line=" + text + "; " + FORMS);
    }
    Source source = Source.parse(words[1]);
    int protocol = words.length == 3 ? protocol(words[2]) : Rule.ANY_PROTOCOL;
    if (source.version() == 6 && protocol == IpProtocol.ICMP) {
      warnings.accept(
          file + ":" + number + ": IPv6 has no icmp: rule=" + text + "; icmpv6 may be meant");
    }
    return new Rule(number, text, words[0].equals("pass"), source, protocol);
  }

  private static int protocol(String text) {
    int number = IpProtocol.number(text);
    if (number < 0 && text.matches("[0-9]{1,3}")) {
      number = Integer.parseInt(text);
    }
    if (number < 0 || number > IpProtocol.MAX) {
      throw new IllegalArgumentException(
          "no such protocol: protocol="
              + text
              + "; write a name such as tcp or icmpv6, or 0 to 255");
    }
    return number;
  }

  private static Policy policy(int number, String text, String[] words, @Nullable Policy before) {
    if (before != null) {
      throw new IllegalArgumentException(
          words[0] + " stands twice: line=" + text + ", first in line=" + before.line());
    }
    if (words.length != 2 || !(words[1].equals("pass") || words[1].equals("drop"))) {
      throw new IllegalArgumentException(
          "not a rule: line=" + text + "; write " + words[0] + " pass or " + words[0] + " drop");
    }
    return new Policy(number, text, words[1].equals("pass"));
  }
}
