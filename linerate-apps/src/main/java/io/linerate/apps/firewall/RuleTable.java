package io.linerate.apps.firewall;

import io.linerate.core.memory.Packet;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.classify.SourceClassifier;
import io.linerate.wire.classify.SourceRule;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Rules in the form in which they are matched: those for IPv4, if they are a few, as a class of
 * their own, see {@link CompiledRules}, otherwise in tables, see {@link SourceClassifier}; those
 * for IPv6 one by one, with three comparisons of 64 bits.
 *
 * <p>A key has the layout of the eight bytes of an IPv4 header from TTL to source, so that one read
 * and one mask make it:
 *
 * <pre>
 *  | TTL (0) | protocol | checksum (0) | source          |
 *  63        55         47             31                0
 * </pre>
 *
 * Immutable, shared by all workers.
 */
final class RuleTable {
  /** Offset of the TTL in the IPv4 header: RFC 791, section 3.1. */
  static final int KEY_OFFSET = 8;

  static final long KEY_MASK = 0x00FF_0000_FFFF_FFFFL;

  static final int PROTOCOL_SHIFT = SourceClassifier.PROTOCOL_SHIFT;

  private static final long IPV4_PROTOCOL_MASK = 0xFFL << PROTOCOL_SHIFT;

  /** Wider than a protocol, so that "not known", which is -1, is none of them. */
  private static final int IPV6_PROTOCOL_MASK = 0xFFFF;

  private final int noMatch;
  private final RuleMatcher matcher;
  private final int[] indexV6;
  private final long[] maskHigh;
  private final long[] valueHigh;
  private final long[] maskLow;
  private final long[] valueLow;
  private final long[] maskProtocol;
  private final long[] valueProtocol;

  /**
   * @param rules in the order in which they are tried
   */
  RuleTable(List<Rule> rules) {
    noMatch = rules.size();
    int[] indexV4 = indexes(rules, RuleTable::isIpv4);
    matcher =
        indexV4.length <= CompiledRules.MAX_RULES
            ? CompiledRules.of(
                column(rules, indexV4, RuleTable::maskV4),
                column(rules, indexV4, RuleTable::valueV4),
                indexV4,
                noMatch)
            : new InTables(new SourceClassifier(sources(rules, indexV4), noMatch));
    indexV6 = indexes(rules, rule -> !isIpv4(rule));
    maskHigh = column(rules, indexV6, rule -> rule.source().highMask());
    valueHigh = column(rules, indexV6, rule -> rule.source().high());
    maskLow = column(rules, indexV6, rule -> rule.source().lowMask());
    valueLow = column(rules, indexV6, rule -> rule.source().low());
    maskProtocol = column(rules, indexV6, rule -> rule.protocol() < 0 ? 0 : IPV6_PROTOCOL_MASK);
    valueProtocol = column(rules, indexV6, rule -> Math.max(0, rule.protocol()));
  }

  private record InTables(SourceClassifier classifier) implements RuleMatcher {
    @Override
    public int match(long word) {
      return classifier.match(word);
    }

    @Override
    public void match(long[] keys, int count, int[] verdicts) {
      classifier.match(keys, count, verdicts);
    }
  }

  private static List<SourceRule> sources(List<Rule> rules, int[] indexes) {
    return Arrays.stream(indexes)
        .mapToObj(index -> {
          Source source = rules.get(index).source();
          Ipv4Prefix prefix = new Ipv4Prefix((int) source.low(), source.prefixBits());
          return new SourceRule(prefix, rules.get(index).protocol(), index);
        })
        .toList();
  }

  private static boolean isIpv4(Rule rule) {
    return rule.source().version() == 4;
  }

  private static int[] indexes(List<Rule> rules, Predicate<Rule> isMeant) {
    return IntStream.range(0, rules.size()).filter(i -> isMeant.test(rules.get(i))).toArray();
  }

  private static long[] column(List<Rule> rules, int[] indexes, ToLongFunction<Rule> field) {
    return Arrays.stream(indexes).mapToLong(i -> field.applyAsLong(rules.get(i))).toArray();
  }

  private static long maskV4(Rule rule) {
    return rule.source().ipv4Mask() | (rule.protocol() < 0 ? 0 : IPV4_PROTOCOL_MASK);
  }

  private static long valueV4(Rule rule) {
    return rule.source().low() | (long) Math.max(0, rule.protocol()) << PROTOCOL_SHIFT;
  }

  /** The bytes of an IPv4 header that are a key, but for the zeros. */
  static long word(Packet packet, int ipv4Offset) {
    return packet.u64(ipv4Offset + KEY_OFFSET);
  }

  /** The key of an IPv4 header. */
  static long key(Packet packet, int ipv4Offset) {
    return word(packet, ipv4Offset) & KEY_MASK;
  }

  /**
   * The first rule that matches, by its place in the list; the length of the list if none does.
   *
   * @param word a key, or a {@link #word}: masks are left to those who need them
   */
  int match(long word) {
    return matcher.match(word);
  }

  /**
   * As {@link #match(long)} for the keys of many packets.
   *
   * @param keys a negative one has its verdict in its lower half
   * @param verdicts where the answers go
   */
  void match(long[] keys, int count, int[] verdicts) {
    matcher.match(keys, count, verdicts);
  }

  /**
   * The first IPv6 rule that matches, likewise.
   *
   * @param protocol behind the extension headers; -1 when it is not known
   */
  int match(long high, long low, int protocol) {
    for (int i = 0; i < indexV6.length; i++) {
      long difference =
          ((high & maskHigh[i]) ^ valueHigh[i])
              | ((low & maskLow[i]) ^ valueLow[i])
              | ((protocol & maskProtocol[i]) ^ valueProtocol[i]);
      if (difference == 0) {
        return indexV6[i];
      }
    }
    return noMatch;
  }
}
