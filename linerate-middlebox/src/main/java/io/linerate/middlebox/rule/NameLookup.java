package io.linerate.middlebox.rule;

import io.linerate.wire.name.DomainName;
import org.jspecify.annotations.Nullable;

/** Looks packets up among the rules by name of a {@link NameMatcher}. One thread's own. */
public final class NameLookup {
  private final NameMatcher matcher;
  private final RuleLookup ofAll;
  private final @Nullable RuleLookup[] lookups;

  public NameLookup(NameMatcher matcher) {
    this.matcher = matcher;
    ofAll = new RuleLookup(matcher.ofAll());
    lookups = new RuleLookup[matcher.matchers()];
  }

  /** Among all rules by name: a packet that has none there is about no name that is asked for. */
  public RuleLookup ofAll() {
    return ofAll;
  }

  /** Among the rules that have a name; null if none has it. */
  public @Nullable RuleLookup of(DomainName name) {
    int number = matcher.find(name);
    if (number == NameTable.NONE) {
      return null;
    }
    RuleLookup lookup = lookups[number];
    if (lookup == null) {
      lookup = new RuleLookup(matcher.matcher(number));
      lookups[number] = lookup;
    }
    return lookup;
  }
}
