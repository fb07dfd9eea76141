package io.linerate.middlebox.rule;

import io.linerate.wire.name.DomainName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Tables that find the first rule by name that matches, for packets that come by one port and leave
 * by another. For each set of rules that some name has there is a {@link RuleMatcher} of these, so
 * that the name is looked up once, whatever else the rules ask for.
 *
 * <p>Immutable, for all workers; each looks up by a {@link NameLookup} of its own.
 */
public final class NameMatcher {
  private final RuleMatcher ofAll;
  private final NameTable table;
  private final List<RuleMatcher> matchers = new ArrayList<>();

  private NameMatcher(RuleSet set, List<Integer> candidates) {
    ofAll = RuleMatcher.ofSome(set, candidates);
    Map<String, TreeSet<Integer>> byPattern = new HashMap<>();
    for (int index : candidates) {
      for (String pattern : set.rules().get(index).when().names()) {
        byPattern.computeIfAbsent(pattern, _ -> new TreeSet<>()).add(index);
      }
    }
    Map<List<Integer>, Integer> numbers = new HashMap<>();
    Map<String, Integer> values = new HashMap<>();
    for (String pattern : byPattern.keySet()) {
      TreeSet<Integer> rules = new TreeSet<>();
      RulePattern.broader(pattern)
          .map(broader -> byPattern.getOrDefault(broader, new TreeSet<>()))
          .forEach(rules::addAll);
      values.put(
          pattern,
          numbers.computeIfAbsent(
              List.copyOf(rules),
              some -> {
                matchers.add(RuleMatcher.ofSome(set, some));
                return matchers.size() - 1;
              }));
    }
    table = new NameTable(values);
  }

  /**
   * The rules by name of a set, between two ports of the program; none if there are none.
   *
   * @param in packets come by it
   * @param out they leave by it
   */
  public static Optional<NameMatcher> of(RuleSet set, String in, String out) {
    List<Integer> candidates =
        IntStream.range(0, set.rules().size())
            .filter(index -> set.rules().get(index).when().isByName())
            .filter(index -> set.rules().get(index).when().isBetween(in, out))
            .boxed()
            .toList();
    return candidates.isEmpty() ? Optional.empty() : Optional.of(new NameMatcher(set, candidates));
  }

  /** All rules by name, whatever their names are. */
  RuleMatcher ofAll() {
    return ofAll;
  }

  /** The number of those that a name has, or {@link NameTable#NONE}. */
  int find(DomainName name) {
    return table.find(name);
  }

  /** Those of a number. */
  RuleMatcher matcher(int number) {
    return matchers.get(number);
  }

  int matchers() {
    return matchers.size();
  }

  /** How many bytes its tables have, about. */
  public long bytes() {
    return table.bytes()
        + Stream.concat(Stream.of(ofAll), matchers.stream()).mapToLong(RuleMatcher::bytes).sum();
  }
}
