package io.linerate.middlebox.rule;

import io.linerate.wire.name.DomainName;
import java.net.IDN;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names of hosts as rules write them: one, or with a leading {@code *.} all below it. */
final class RulePattern {
  private static final String BELOW = "*.";

  private static final Pattern LOOK =
      Pattern.compile("(\\*\\.)?[\\p{L}\\p{N}_.-]*\\p{L}[\\p{L}\\p{N}_.-]*");

  private RulePattern() {}

  /** Whether a text may be one, and is no address. */
  static boolean looksLikeOne(String text) {
    return LOOK.matcher(text).matches();
  }

  /**
   * As it is compared: lower case, without a dot at its end, and what is not ASCII as DNS has it
   * (RFC 3490).
   *
   * @throws IllegalArgumentException if it is none
   */
  static String canonical(String text) {
    String base = text.startsWith(BELOW) ? text.substring(BELOW.length()) : text;
    String name = base.endsWith(".") ? base.substring(0, base.length() - 1) : base;
    try {
      String canonical = DomainName.of(IDN.toASCII(name)).toString();
      return text.startsWith(BELOW) ? BELOW + canonical : canonical;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a name of a host: name="
              + text
              + "; write one such as www.example.org, or *.example.org for all below it",
          e);
    }
  }

  /** The pattern itself, and all that have what it has, too. */
  static Stream<String> broader(String pattern) {
    String name = pattern.startsWith(BELOW) ? pattern.substring(BELOW.length()) : pattern;
    Stream.Builder<String> all = Stream.builder();
    all.add(pattern);
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      all.add("*" + name.substring(dot));
    }
    return all.build();
  }
}
