package io.linerate.apps.middlebox;

import io.linerate.dashboard.http.JsonMembers;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.firewall.RuleNeeds;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RuleAction;
import io.linerate.middlebox.rule.RuleReach;
import io.linerate.middlebox.rule.RuleReach.Unreached;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.SummaryJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Explains rules without running them: which never decide, why, and what all of them need. */
public final class RuleCheck {
  private final RuleSet rules;
  private final long tableBytes;
  private final RuleNeeds needs;
  private final List<Unreached> unreached;

  public RuleCheck(RuleBook book, List<Direction> directions) {
    rules = book.rules();
    tableBytes = book.tableBytes();
    needs = book.needs();
    unreached = RuleReach.find(rules, directions);
  }

  /**
   * Prints what was found.
   *
   * @return the {@link ExitStatus}: failed if some rule never decides
   */
  public int print(boolean isJson, Console console) {
    if (isJson) {
      SummaryJson.printObject(
          console.out(),
          json -> {
            json.name("rules").value(rules.rules().size());
            json.name("tracksConnections").value(needs.connections());
            json.name("putsFragmentsTogether").value(needs.wholePackets());
            json.name("answers").value(needs.answers());
            json.name("readsNames").value(needs.names());
            json.name("tableBytes").value(tableBytes);
            JsonMembers.objects(
                json.name("unreached"),
                unreached,
                one -> {
                  json.name("line").value(line(one.index()));
                  json.name("rule").value(text(one.index()));
                  json.name("shadowed").value(one.isShadowed());
                  json.name("by").beginArray();
                  for (int index : one.by()) {
                    json.value(line(index));
                  }
                  json.endArray();
                });
          });
    } else {
      lines().forEach(console::print);
    }
    console.out().flush();
    return unreached.isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Unreached one : unreached) {
      lines.add(
          "%s: never decides: rule=%s; %s"
              .formatted(rules.place(line(one.index())), text(one.index()), why(one)));
    }
    long shadowed = unreached.stream().filter(Unreached::isShadowed).count();
    lines.add(
        String.format(
            Locale.US,
            "%,d rules, then %s, then %s: %d shadowed, %d superfluous",
            rules.rules().size(),
            rules.byDefault().text(),
            rules.nonIp().text(),
            shadowed,
            unreached.size() - shadowed));
    lines.add("connections: " + (needs.connections() ? "tracked" : "not tracked, no rule asks"));
    lines.add(
        "fragments: "
            + (needs.wholePackets()
                ? "put together before the rules"
                : "each by itself, by its IP header"));
    if (needs.names()) {
      lines.add("names: read from questions, and from the first bytes of connections");
    }
    lines.add("senders of what is rejected: " + (needs.answers() ? "told" : "none"));
    lines.add(String.format(Locale.US, "tables: %,d bytes", tableBytes));
    return lines;
  }

  private String why(Unreached one) {
    if (one.by().isEmpty()) {
      return "no packet takes this way: each port leads to its peer";
    }
    RuleAction action = rules.action(one.index());
    List<String> before =
        one.by().stream().map(index -> "line " + line(index) + " (" + text(index) + ")").toList();
    String all =
        String.join(", ", before)
            + (before.size() == 1 ? " matches" : " together match")
            + " all of it before";
    return one.isShadowed()
        ? all + ", and does not " + action.word() + ": move this up, or remove it"
        : all + ", and does the same: remove this";
  }

  private int line(int index) {
    return index == rules.defaultIndex()
        ? rules.byDefault().line()
        : rules.rules().get(index).line();
  }

  private String text(int index) {
    return index == rules.defaultIndex()
        ? rules.byDefault().text()
        : rules.rules().get(index).text();
  }
}
