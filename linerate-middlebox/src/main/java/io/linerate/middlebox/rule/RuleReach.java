package io.linerate.middlebox.rule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds rules that never decide, because those before them match all that they match: what each
 * rule matches is a box with a side for each field, from which those before it are taken away, and
 * nothing is left. Rules by name are apart: they leave none without packets, and only ways that
 * packets do not take leave them without.
 *
 * <p>What it names is sure. It does not name rules that are unreached for other reasons than those
 * before them, such as ports of a protocol that has none, nor those of which more than {@value
 * #MOST_PIECES} pieces would have to be looked at.
 */
public final class RuleReach {
  private static final int MOST_PIECES = 1_000;
  private static final int[] VERSIONS = {4, 6, 0};

  private final RuleSet set;
  private final List<Direction> ways;

  /**
   * A rule that never decides.
   *
   * @param index of the rule in its set; {@link RuleSet#defaultIndex} for the default
   * @param by indexes of rules that together match all that it matches, in ascending order: one if
   *     one does; empty: it is about a way that packets do not take
   * @param isShadowed whether some of them do something else with what it matches
   */
  public record Unreached(int index, List<Integer> by, boolean isShadowed) {
    /** Copies what it is given. */
    public Unreached {
      by = List.copyOf(by);
    }
  }

  private RuleReach(RuleSet set, Collection<Direction> ways) {
    this.set = set;
    this.ways = ways.stream().limit(set.namesPorts() ? Long.MAX_VALUE : 1).toList();
  }

  /**
   * Those of a set, in ascending order.
   *
   * @param ways that packets take through the program
   */
  public static List<Unreached> find(RuleSet set, Collection<Direction> ways) {
    return new RuleReach(set, ways).find();
  }

  private List<Unreached> find() {
    List<List<Optional<RuleBox>>> boxes = new ArrayList<>();
    for (int version : VERSIONS) {
      boxes.add(
          set.rules().stream()
              .map(rule ->
                  rule.when().isByName()
                      ? Optional.<RuleBox>empty()
                      : RuleBox.of(rule.when(), version))
              .toList());
    }
    List<Unreached> all = new ArrayList<>();
    for (int i = 0; i < set.rules().size(); i++) {
      RuleConditions when = set.rules().get(i).when().withoutForms();
      unreached(when, i, boxes).ifPresent(all::add);
    }
    if (set.byDefault().line() != 0) {
      unreached(RuleConditions.ofIp(), set.defaultIndex(), boxes).ifPresent(all::add);
    }
    return all;
  }

  private Optional<Unreached> unreached(
      RuleConditions when, int index, List<List<Optional<RuleBox>>> boxes) {
    Set<Integer> by = new TreeSet<>();
    for (int i = 0; i < VERSIONS.length; i++) {
      Optional<RuleBox> box = RuleBox.of(when, VERSIONS[i]);
      if (box.isPresent() && !isCovered(box.get(), index, boxes.get(i), by)) {
        return Optional.empty();
      }
    }
    boolean isShadowed = by.stream().anyMatch(other -> set.action(other) != set.action(index));
    return Optional.of(new Unreached(index, List.copyOf(by), isShadowed));
  }

  /** Whether rules before {@code index} match all of a box, on each way; adds them. */
  private boolean isCovered(
      RuleBox box, int index, List<Optional<RuleBox>> boxes, Set<Integer> by) {
    for (Direction way : ways) {
      if (isOn(index, way)) {
        if (index != set.defaultIndex() && set.rules().get(index).when().isByName()) {
          return false;
        }
        Optional<List<Integer>> covering = covering(box, index, boxes, way);
        if (covering.isEmpty()) {
          return false;
        }
        by.addAll(covering.get());
      }
    }
    return true;
  }

  private boolean isOn(int index, Direction way) {
    return index == set.defaultIndex()
        || set.rules().get(index).when().isBetween(way.in(), way.out());
  }

  /** Rules before {@code index} that together match all of a box, none of them in vain. */
  private Optional<List<Integer>> covering(
      RuleBox box, int index, List<Optional<RuleBox>> boxes, Direction way) {
    List<Integer> candidates = new ArrayList<>();
    for (int i = 0; i < index; i++) {
      Optional<RuleBox> other = boxes.get(i);
      if (other.isPresent() && isOn(i, way) && other.get().meets(box)) {
        if (box.minus(other.get()).isEmpty()) {
          return Optional.of(List.of(i));
        }
        candidates.add(i);
      }
    }
    if (!isCoveredBy(box, candidates, boxes)) {
      return Optional.empty();
    }
    List<Integer> needed = candidates;
    for (Integer candidate : candidates.reversed()) {
      List<Integer> others = needed.stream().filter(other -> !other.equals(candidate)).toList();
      if (isCoveredBy(box, others, boxes)) {
        needed = others;
      }
    }
    return Optional.of(needed);
  }

  private static boolean isCoveredBy(
      RuleBox box, List<Integer> candidates, List<Optional<RuleBox>> boxes) {
    List<RuleBox> left = List.of(box);
    for (int candidate : candidates) {
      RuleBox other = boxes.get(candidate).orElseThrow();
      List<RuleBox> next = new ArrayList<>();
      for (RuleBox piece : left) {
        if (piece.meets(other)) {
          next.addAll(piece.minus(other));
        } else {
          next.add(piece);
        }
      }
      if (next.isEmpty()) {
        return true;
      }
      if (next.size() > MOST_PIECES) {
        return false;
      }
      left = next;
    }
    return false;
  }
}
