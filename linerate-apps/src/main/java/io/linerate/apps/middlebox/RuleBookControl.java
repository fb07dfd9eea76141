package io.linerate.apps.middlebox;

import io.linerate.dashboard.control.RuleControl;
import io.linerate.middlebox.firewall.RuleBook;
import java.util.List;
import java.util.OptionalInt;

/** Rules of a {@link RuleBook}, as programs show and change them. */
public record RuleBookControl(RuleBook book) implements RuleControl {
  @Override
  public List<RuleLine> rules() {
    return book.lines().stream()
        .map(line -> new RuleLine(line.line(), line.rule(), line.isFixed(), line.hits()))
        .toList();
  }

  @Override
  public void add(String rule, OptionalInt index) {
    book.add(rule, index);
  }

  @Override
  public boolean remove(int index, String rule) {
    return book.remove(index, rule);
  }

  @Override
  public void reload() {
    book.reload();
  }
}
