package io.linerate.middlebox.rule;

import io.linerate.track.Relation;
import io.linerate.wire.classify.PortRange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tables that find the first rule that matches, but for those by name ({@link NameMatcher}), for
 * packets that come by one port and leave by another.
 *
 * <p>What few rules name, or what has few values, is decided beforehand: ports of the program and
 * states. For each state there is a list of rules without VLANs and flags of TCP, and for each
 * state, VLAN and set of flags that rules tell from others one of those that name them; equal lists
 * are one. Up to two lists are asked for a packet, by {@link
 * io.linerate.wire.classify.FlowClassifier}, and the lower number decides. A list whose first rule
 * is about all addresses, protocols and ports asks nothing: that of established connections,
 * mostly.
 *
 * <p>Immutable, for all workers; each looks packets up by a {@link RuleLookup} of its own.
 */
public final class RuleMatcher {
  private static final int VLANS = RulePacket.UNTAGGED + 1;
  private static final int FLAGS = 256;

  private final List<Rule> rules;
  private final int defaultIndex;
  private final int nonIpIndex;

  /** Rules about what is not IP, in ascending order. */
  private final OtherRule[] others;

  private final List<RuleList> lists = new ArrayList<>();
  private final Map<List<Integer>, RuleList> known = new HashMap<>();
  private final RuleList[] general = new RuleList[Relation.COUNT];

  /** By state the lists by class of VLAN, then of flags. */
  private final RuleList[][] special = new RuleList[Relation.COUNT][];

  /** By ether types and VLANs; null: all of these. */
  private record OtherRule(int index, BitSet etherTypes, @Nullable BitSet vlans) {
    boolean matches(int etherType, int vlan) {
      return etherType >= 0 && etherTypes.get(etherType) && (vlans == null || vlans.get(vlan));
    }
  }

  private final char[] vlanClasses = new char[VLANS];
  private final char[] flagClasses = new char[FLAGS];
  private final int flagClassCount;

  private RuleMatcher(RuleSet set, List<Integer> candidates) {
    rules = set.rules();
    defaultIndex = set.defaultIndex();
    nonIpIndex = set.nonIpIndex();
    others =
        candidates.stream()
            .filter(index -> !rules.get(index).when().etherTypes().isEmpty())
            .map(this::other)
            .toArray(OtherRule[]::new);
    List<Integer> ofIp =
        candidates.stream()
            .filter(index -> rules.get(index).when().etherTypes().isEmpty())
            .toList();
    List<Integer> plain = new ArrayList<>(ofIp);
    plain.removeIf(index -> isSpecial(rules.get(index)));
    List<Integer> named = new ArrayList<>(ofIp);
    named.removeIf(index -> !isSpecial(rules.get(index)));
    int vlanClassCount =
        enter(named, vlanClasses, rule -> rule.when().vlans(), RuleConditions::isInRanges);
    flagClassCount =
        enter(
            named,
            flagClasses,
            rule -> rule.when().flags(),
            (flags, bits) -> flags.stream().allMatch(some -> some.match(bits)));
    int[] vlans = samples(vlanClasses, vlanClassCount);
    int[] flags = samples(flagClasses, flagClassCount);
    for (Relation relation : Relation.values()) {
      Predicate<Integer> isOf = index -> isOf(rules.get(index), relation);
      general[relation.number()] = list(plain.stream().filter(isOf).toList());
      special[relation.number()] = special(named.stream().filter(isOf).toList(), vlans, flags);
    }
    known.clear();
  }

  /** The rules of a set between two ports of the program, named {@code in} and {@code out}. */
  public static RuleMatcher of(RuleSet set, String in, String out) {
    List<Integer> candidates = new ArrayList<>();
    for (int i = 0; i < set.rules().size(); i++) {
      RuleConditions when = set.rules().get(i).when();
      if (when.isBetween(in, out) && !when.isByName()) {
        candidates.add(i);
      }
    }
    return new RuleMatcher(set, candidates);
  }

  /** Some rules of a set, whatever their names are, in ascending order. */
  static RuleMatcher ofSome(RuleSet set, List<Integer> indexes) {
    return new RuleMatcher(set, indexes);
  }

  private OtherRule other(int index) {
    RuleConditions when = rules.get(index).when();
    BitSet etherTypes = new BitSet();
    when.etherTypes().forEach(etherTypes::set);
    BitSet vlans = null;
    if (!when.vlans().isEmpty()) {
      vlans = new BitSet();
      for (PortRange range : when.vlans()) {
        vlans.set(range.first(), range.last() + 1);
      }
    }
    return new OtherRule(index, etherTypes, vlans);
  }

  private static boolean isSpecial(Rule rule) {
    return !rule.when().vlans().isEmpty() || rule.when().flags().isPresent();
  }

  private static boolean isOf(Rule rule, Relation relation) {
    return rule.when().relations().isEmpty() || rule.when().relations().contains(relation);
  }

  /** Numbers the values that rules tell from others; returns how many numbers there are. */
  private <T> int enter(
      List<Integer> indexes,
      char[] classes,
      Function<Rule, T> field,
      BiPredicate<T, Integer> condition) {
    List<T> conditions = indexes.stream().map(rules::get).map(field).distinct().toList();
    Map<BitSet, Integer> numbers = new HashMap<>();
    for (int value = 0; value < classes.length; value++) {
      BitSet matches = new BitSet();
      for (int i = 0; i < conditions.size(); i++) {
        matches.set(i, condition.test(conditions.get(i), value));
      }
      classes[value] = (char) (int) numbers.computeIfAbsent(matches, _ -> numbers.size());
    }
    return numbers.size();
  }

  /** A value of each class. */
  private static int[] samples(char[] classes, int count) {
    int[] samples = new int[count];
    for (int value = 0; value < classes.length; value++) {
      samples[classes[value]] = value;
    }
    return samples;
  }

  private RuleList[] special(List<Integer> indexes, int[] vlans, int[] flags) {
    RuleList[] all = new RuleList[vlans.length * flags.length];
    for (int i = 0; i < vlans.length; i++) {
      int vlan = vlans[i];
      List<Integer> ofVlan =
          indexes.stream()
              .filter(index -> RuleConditions.isInRanges(rules.get(index).when().vlans(), vlan))
              .toList();
      for (int j = 0; j < flags.length; j++) {
        int bits = flags[j];
        all[i * flags.length + j] =
            list(
                ofVlan.stream()
                    .filter(index ->
                        rules.get(index).when().flags().stream().allMatch(some -> some.match(bits)))
                    .toList());
      }
    }
    return all;
  }

  private RuleList list(List<Integer> indexes) {
    return known.computeIfAbsent(
        indexes,
        _ -> {
          RuleList list = new RuleList(lists.size(), rules, indexes);
          lists.add(list);
          return list;
        });
  }

  /** The list of rules without VLANs and flags. */
  RuleList general(Relation relation) {
    return general[relation.number()];
  }

  /** The list of those that name them. */
  RuleList special(Relation relation, int vlan, int flags) {
    return special[relation.number()][vlanClasses[vlan] * flagClassCount + flagClasses[flags]];
  }

  /**
   * The rule that decides about all packets of IPv4 without VLAN tags that have a state.
   *
   * @return its number; -1: that depends on more than this
   */
  public int knownIpv4(Relation relation) {
    int number = general(relation).isKnown(4) ? general(relation).known(4) : -1;
    for (int flags = 0; flags < FLAGS && number >= 0; flags++) {
      RuleList list = special(relation, RulePacket.UNTAGGED, flags);
      boolean isSame = list.isKnown(4) && list.known(4) >= number;
      number = isSame ? number : -1;
    }
    return number == RuleList.NONE ? defaultIndex : number;
  }

  /** How many lists there are. */
  int lists() {
    return lists.size();
  }

  /** What decides about a packet that is not IP. */
  int decideOther(int vlan, int etherType) {
    for (OtherRule rule : others) {
      if (rule.matches(etherType, vlan)) {
        return rule.index;
      }
    }
    return nonIpIndex;
  }

  int defaultIndex() {
    return defaultIndex;
  }

  /** How many bytes its tables have, about. */
  public long bytes() {
    return lists.stream()
        .mapToLong(list -> list.classifier(4).bytes() + list.classifier(6).bytes())
        .sum();
  }
}
