package io.linerate.middlebox.rule;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whole numbers from 0: ranges in ascending order that neither overlap nor touch. Immutable.
 *
 * @param ranges empty: no number
 */
record NumberSet(List<Range> ranges) {
  /**
   * Numbers that follow each other.
   *
   * @param last not below {@code first}
   */
  record Range(BigInteger first, BigInteger last) {
    static Range of(long first, long last) {
      return new Range(BigInteger.valueOf(first), BigInteger.valueOf(last));
    }
  }

  NumberSet {
    ranges = List.copyOf(ranges);
  }

  /** All numbers of some ranges, in any order. */
  static NumberSet of(List<Range> some) {
    List<Range> joined = new ArrayList<>();
    for (Range range : some.stream().sorted(Comparator.comparing(Range::first)).toList()) {
      Range before = joined.isEmpty() ? null : joined.getLast();
      if (before == null || range.first.compareTo(before.last.add(BigInteger.ONE)) > 0) {
        joined.add(range);
      } else {
        joined.set(joined.size() - 1, new Range(before.first, before.last.max(range.last)));
      }
    }
    return new NumberSet(joined);
  }

  boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** Numbers that are in both. */
  NumberSet and(NumberSet other) {
    List<Range> common = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < ranges.size() && j < other.ranges.size()) {
      Range mine = ranges.get(i);
      Range theirs = other.ranges.get(j);
      BigInteger first = mine.first.max(theirs.first);
      BigInteger last = mine.last.min(theirs.last);
      if (first.compareTo(last) <= 0) {
        common.add(new Range(first, last));
      }
      if (mine.last.compareTo(theirs.last) < 0) {
        i++;
      } else {
        j++;
      }
    }
    return new NumberSet(common);
  }

  /** Numbers that are not in the other. */
  NumberSet minus(NumberSet other) {
    List<Range> left = new ArrayList<>();
    int j = 0;
    for (Range mine : ranges) {
      BigInteger first = mine.first;
      while (j < other.ranges.size() && other.ranges.get(j).last.compareTo(first) < 0) {
        j++;
      }
      for (int k = j; k < other.ranges.size(); k++) {
        Range theirs = other.ranges.get(k);
        if (theirs.first.compareTo(mine.last) > 0) {
          break;
        }
        if (theirs.first.compareTo(first) > 0) {
          left.add(new Range(first, theirs.first.subtract(BigInteger.ONE)));
        }
        first = theirs.last.add(BigInteger.ONE);
      }
      if (first.compareTo(mine.last) <= 0) {
        left.add(new Range(first, mine.last));
      }
    }
    return new NumberSet(left);
  }

  /** Whether some number is in both. */
  boolean meets(NumberSet other) {
    int i = 0;
    int j = 0;
    while (i < ranges.size() && j < other.ranges.size()) {
      Range mine = ranges.get(i);
      Range theirs = other.ranges.get(j);
      if (mine.last.compareTo(theirs.first) < 0) {
        i++;
      } else if (theirs.last.compareTo(mine.first) < 0) {
        j++;
      } else {
        return true;
      }
    }
    return false;
  }
}
