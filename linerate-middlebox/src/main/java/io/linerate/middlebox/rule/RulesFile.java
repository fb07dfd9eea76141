package io.linerate.middlebox.rule;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.TextFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads rules, one a line:
 *
 * <pre>
 *   pass|drop|reject [log] CONDITION...    the first that matches a packet decides
 *   SOURCE[/BITS]                          means drop from SOURCE
 *   set NAME = VALUE, ...                  addresses or ports, for rules below: {@code @NAME}
 *   default pass|drop|reject               for IP packets that no rule matches; pass if not said
 *   nonip pass|drop [ETHERTYPE,...]        for what is not IP; drop if not said
 *   inner on|off                           whether packets in tunnels are decided about, too; off
 *   # comment
 *
 *   CONDITION, each at most once; of values with commas one has to match:
 *     in PORT,...  out PORT,...            ports of the program
 *     vlan ID,...                          0 to 4095, ranges, none
 *     ip  ip6                              version
 *     [proto] PROTOCOL,...                 tcp, udp, icmp, ... or a number
 *     [from] [!]SOURCE,... [port PORT,...] addresses, prefixes, any, {@code @NAME}; ports, ranges
 *     to [!]DESTINATION,... [port PORT,...]
 *     port PORT,...                        of the destination; of TCP and UDP if not said
 *     flags SET/LOOKED                     of TCP, by letters: S/SA is SYN without ACK
 *     type TYPE,...                        of ICMP: names or numbers
 *     state STATE,...                      new, established, related, invalid, untracked
 *     name NAME,...                        of hosts, in DNS, TLS and HTTP; {@code *.NAME}: all below
 *     limit N/s [burst N]                  s, m, h or d; what is above is dropped
 *       [by source|destination]            of each address
 * </pre>
 */
public final class RulesFile {
  private final String file;
  private final Consumer<String> warnings;
  private final RuleSets sets;
  private final List<Rule> rules = new ArrayList<>();
  private @Nullable Policy byDefault;
  private @Nullable Policy nonIp;
  private @Nullable Boolean looksInside;

  private RulesFile(String file, RuleSets sets, Consumer<String> warnings) {
    this.file = file;
    this.sets = sets;
    this.warnings = warnings;
  }

  /**
   * Reads a file.
   *
   * @param warnings takes sentences about rules that can match nothing
   * @throws ConfigException if it cannot be read, or for all that is wrong in it: a line each
   */
  public static RuleSet read(Path path, Consumer<String> warnings) {
    return parse(path.toString(), TextFile.read("rules file", path), warnings);
  }

  /**
   * Reads a text.
   *
   * @param file name for messages
   * @param warnings as in {@link #read}
   * @throws ConfigException for all that is wrong in it: a line each
   */
  public static RuleSet parse(String file, String text, Consumer<String> warnings) {
    return new RulesFile(file, new RuleSets(Map.of()), warnings).parse(text);
  }

  /**
   * Reads a text that may use the named sets of rules that are known.
   *
   * @return what the text says, without the known rules
   */
  public static RuleSet parseMore(RuleSet known, String text, Consumer<String> warnings) {
    return new RulesFile("rule", new RuleSets(known.sets()), warnings).parse(text);
  }

  private RuleSet parse(String text) {
    TextFile.statements(file, text, this::statement);
    return new RuleSet(
        file,
        sets.named(),
        rules,
        byDefault == null ? RuleSet.PASS_BY_DEFAULT : byDefault,
        nonIp == null ? RuleSet.DROP_NON_IP : nonIp,
        looksInside != null && looksInside);
  }

  private void statement(String text, int number) {
    String[] words = text.split("\\s+", -1);
    switch (words[0].toLowerCase(Locale.ROOT)) {
      case "default" -> byDefault = policy(number, text, words, byDefault);
      case "nonip" -> nonIp(number, text, words);
      case "set" -> sets.define(text);
      case "inner" -> inner(text, words);
      default -> rules.add(new RuleParser(sets, text, number, this::warn).read());
    }
  }

  private void warn(int line, String warning) {
    warnings.accept(file + ":" + line + ": " + warning);
  }

  private static Policy policy(int number, String text, String[] words, @Nullable Policy before) {
    if (before != null) {
      throw new IllegalArgumentException(
          words[0] + " stands twice: line=" + text + ", first in line=" + before.line());
    }
    String word = words.length == 2 ? words[1].toLowerCase(Locale.ROOT) : "";
    boolean isIp = words[0].equalsIgnoreCase("default");
    for (RuleAction action : RuleAction.values()) {
      if (word.equals(action.word()) && (isIp || action != RuleAction.REJECT)) {
        return new Policy(number, text, action);
      }
    }
    throw new IllegalArgumentException(
        "not a rule: line="
            + text
            + (isIp
                ? "; write default pass, default drop or default reject"
                : "; write nonip pass or nonip drop, and ether types behind, such as nonip pass arp"));
  }

  private void inner(String text, String[] words) {
    String word = words.length == 2 ? words[1].toLowerCase(Locale.ROOT) : "";
    if (!word.equals("on") && !word.equals("off")) {
      throw new IllegalArgumentException(
          "not a rule: line=" + text + "; write inner on or inner off");
    }
    if (looksInside != null) {
      throw new IllegalArgumentException("inner stands twice: line=" + text + "; write it once");
    }
    looksInside = word.equals("on");
  }

  /** With ether types it is a rule like others. */
  private void nonIp(int number, String text, String[] words) {
    if (words.length <= 2) {
      nonIp = policy(number, text, words, nonIp);
      return;
    }
    policy(number, text, new String[] {words[0], words[1]}, null);
    String rest = String.join(" ", List.of(words).subList(2, words.length));
    rules.add(new RuleParser(sets, words[1] + " ethertype " + rest, number, this::warn).read(text));
  }
}
