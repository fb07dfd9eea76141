package io.linerate.dashboard.control;

import java.util.List;
import java.util.OptionalInt;

/** The rules of a program that has some, and how they change while packets flow. Any thread. */
public interface RuleControl {
  /**
   * A rule as it is now.
   *
   * @param line where it stands in the file; 0: it does not
   * @param isFixed whether it cannot be removed: it says what happens without the others
   * @param hits how often it decided
   */
  record RuleLine(int line, String rule, boolean isFixed, long hits) {}

  /** In the order in which they are tried. */
  List<RuleLine> rules();

  /**
   * Adds a rule. What is fixed changes only with the file.
   *
   * @param index that it will have; empty: behind all that are not fixed
   * @throws io.linerate.core.config.ConfigException if it is none
   */
  void add(String rule, OptionalInt index);

  /**
   * Removes a rule.
   *
   * @return whether it is at this place: false, and nothing happens, if another is
   */
  boolean remove(int index, String rule);

  /**
   * Reads the rules of the file again: those added since are gone.
   *
   * @throws io.linerate.core.config.ConfigException if anything is wrong with them: the old ones
   *     stay
   */
  void reload();
}
