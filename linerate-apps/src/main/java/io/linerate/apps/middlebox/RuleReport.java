package io.linerate.apps.middlebox;

import com.google.gson.stream.JsonWriter;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.firewall.RuleBook.Line;
import io.linerate.program.run.Console;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Rules with their hits, at the end of a program. */
public final class RuleReport {
  private RuleReport() {}

  /** Prints a line for each. */
  public static void print(RuleBook book, Console console) {
    for (Line rule : book.lines()) {
      String where = rule.line() == 0 ? "not in the file" : "line " + rule.line();
      console.out().printf(Locale.US, "  %,15d  %s (%s)%n", rule.hits(), rule.rule(), where);
    }
  }

  /**
   * Writes the member {@code rules}: those of the file, and what was added since, with line 0. The
   * default and what holds for other packets than IP are there if the file says them.
   */
  public static void write(RuleBook book, JsonWriter json) throws IOException {
    List<Line> said = book.lines().stream().filter(rule -> !isUnsaid(rule)).toList();
    JsonMembers.objects(
        json.name("rules"),
        said,
        rule -> {
          json.name("line").value(rule.line());
          json.name("rule").value(rule.rule());
          json.name("hits").value(rule.hits());
        });
  }

  /** Whether this holds because nobody said anything else. */
  private static boolean isUnsaid(Line rule) {
    return rule.isFixed() && rule.line() == 0;
  }
}
