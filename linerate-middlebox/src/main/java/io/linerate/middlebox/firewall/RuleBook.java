package io.linerate.middlebox.firewall;

import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.statistics.LiveChanges;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.Policy;
import io.linerate.middlebox.rule.Rule;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.middlebox.rule.RulesFile;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a firewall, which may change while packets flow: a worker looks at each burst
 * whether there is another edition, and decides about a burst by one edition. Any thread.
 */
public final class RuleBook implements SampleSource {
  private static final System.Logger LOG = System.getLogger(RuleBook.class.getName());

  /**
   * A rule as it is now.
   *
   * @param line where it stands in the file; 0: it does not
   * @param isFixed whether it cannot be removed: it says what happens without the others
   * @param hits how often it decided
   */
  public record Line(int line, String rule, boolean isFixed, long hits) {}

  private volatile @Nullable Path file;
  private final Consumer<String> warnings;
  private final List<Direction> directions;
  private final RuleNeeds needs;
  private final List<RuleCounts> counts = new CopyOnWriteArrayList<>();
  private final List<BooleanSupplier> tellers = new CopyOnWriteArrayList<>();
  private volatile RuleEdition edition;

  /** Where changes are noted: of the program, from when it has one. */
  private volatile LiveChanges changes = new LiveChanges();

  private RuleBook(
      @Nullable Path file, RuleSet rules, List<Direction> directions, Consumer<String> warnings) {
    this.file = file;
    this.warnings = warnings;
    this.directions = List.copyOf(directions);
    this.needs = RuleNeeds.of(rules);
    edition = edition(rules, Optional.empty());
  }

  /**
   * Rules of no file.
   *
   * @param directions the ways through the firewall
   * @throws ConfigException if they name other ports
   */
  public static RuleBook of(RuleSet rules, List<Direction> directions) {
    return new RuleBook(null, rules, directions, warning -> {});
  }

  /**
   * The rules of a file.
   *
   * @param directions the ways through the firewall
   * @param warnings takes sentences about rules that can match nothing
   * @throws ConfigException if it cannot be read, or for all that is wrong in it
   */
  public static RuleBook read(Path file, List<Direction> directions, Consumer<String> warnings) {
    return new RuleBook(file, RulesFile.read(file, warnings), directions, warnings);
  }

  /** Sees that the firewall can do what rules ask for, before they hold. */
  private RuleEdition edition(RuleSet rules, Optional<RuleEdition> before) {
    rules.requirePorts(
        directions.stream()
            .flatMap(direction -> Stream.of(direction.in(), direction.out()))
            .distinct()
            .toList());
    needs.require(rules, tellers.stream().anyMatch(BooleanSupplier::getAsBoolean));
    return new RuleEdition(rules, directions, before);
  }

  List<Direction> directions() {
    return directions;
  }

  /** What the rules needed of the firewall when it was made: others must not need more. */
  public RuleNeeds needs() {
    return needs;
  }

  /** Changes are noted there from now on. */
  public void noteIn(LiveChanges ofProgram) {
    changes = ofProgram;
  }

  /** The rules that hold now. */
  public RuleSet rules() {
    return edition.rules();
  }

  /** How many bytes the tables have, about. */
  public long tableBytes() {
    return edition.bytes();
  }

  RuleEdition edition() {
    return edition;
  }

  /** Counts for one worker and one direction. */
  RuleCounts newCounts() {
    RuleCounts fresh = new RuleCounts(edition);
    counts.add(fresh);
    return fresh;
  }

  /**
   * Where it is so that a filter leads somewhere what it rejects, rules may reject though none did
   * when the book was made.
   */
  void mayReject(BooleanSupplier isLedSomewhere) {
    tellers.add(isLedSomewhere);
  }

  /** In the order in which they are tried. */
  public List<Line> lines() {
    RuleEdition now = edition;
    SingleWriterCounters totals = new SingleWriterCounters(now.size());
    counts.forEach(some -> some.addTo(now, totals));
    RuleSet rules = now.rules();
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < rules.rules().size(); i++) {
      Rule rule = rules.rules().get(i);
      lines.add(new Line(rule.line(), rule.text(), false, totals.get(i)));
    }
    lines.add(fixed(rules.byDefault(), totals.get(rules.defaultIndex())));
    lines.add(fixed(rules.nonIp(), totals.get(rules.nonIpIndex())));
    return lines;
  }

  private static Line fixed(Policy policy, long hits) {
    return new Line(policy.line(), policy.text(), true, hits);
  }

  @Override
  public void collect(SampleSink sink) {
    int index = 0;
    for (Line rule : lines()) {
      sink.counter(
          "linerate_rule_hits_total",
          SampleUnit.PACKETS,
          rule.hits(),
          "index",
          String.valueOf(index++),
          "line",
          String.valueOf(rule.line()),
          "fixed",
          String.valueOf(rule.isFixed()),
          "rule",
          rule.rule());
    }
  }

  /**
   * Adds a rule. What is fixed says what becomes of all other packets: a line that was meant for a
   * few would open the firewall, and is refused.
   *
   * @param index that it will have; empty: behind all that are not fixed
   * @throws ConfigException if it is none
   */
  public synchronized void add(String text, OptionalInt index) {
    long startNs = System.nanoTime();
    if (text.lines().count() != 1) {
      throw new ConfigException("not one rule: lines=" + text.lines().count() + "; write one line");
    }
    RuleSet parsed = RulesFile.parseMore(edition.rules(), text, warnings);
    if (parsed.rules().isEmpty()) {
      throw new ConfigException(
          text.split("#", 2)[0].isBlank()
              ? "not a rule: line=" + text + "; write one, such as drop 10.0.0.1"
              : "not one rule, but for all of them: line="
                  + text.strip()
                  + "; change it where the rules are written, and reload");
    }
    RuleSet now = edition.rules();
    List<Rule> rules = new ArrayList<>(now.rules());
    int last = rules.size();
    for (Rule rule : parsed.rules()) {
      rules.add(Math.min(index.orElse(last), last), rule.withoutLine());
    }
    edition = edition(now.with(rules, now.byDefault(), now.nonIp()), Optional.of(edition));
    changed("rule added: rule=" + text.strip(), startNs);
  }

  /**
   * Removes a rule.
   *
   * @return whether it is at this place: false, and nothing happens, if another is
   */
  public synchronized boolean remove(int index, String text) {
    long startNs = System.nanoTime();
    RuleSet now = edition.rules();
    List<Rule> rules = new ArrayList<>(now.rules());
    if (index >= rules.size() || !rules.get(index).text().equals(text)) {
      return false;
    }
    rules.remove(index);
    edition = edition(now.with(rules, now.byDefault(), now.nonIp()), Optional.of(edition));
    changed("rule removed: rule=" + text, startNs);
    return true;
  }

  /**
   * Reads the rules of the file again: those added since are gone.
   *
   * @throws ConfigException if anything is wrong with them: the old ones stay
   */
  public synchronized void reload() {
    Path known = file;
    if (known == null) {
      throw new ConfigException("there is no rules file to read again");
    }
    reload(known);
  }

  /**
   * Reads the rules of a file, which is the book's from now on.
   *
   * @throws ConfigException if anything is wrong with it: the old rules and their file stay
   */
  public synchronized void reload(Path next) {
    long startNs = System.nanoTime();
    edition = edition(RulesFile.read(next, warnings), Optional.of(edition));
    file = next;
    changed(
        "rules read again: file=" + next + ", rules=" + edition.rules().rules().size(), startNs);
  }

  /**
   * Takes other rules for all that there are.
   *
   * @throws ConfigException if anything is wrong with them: the old rules stay
   */
  public synchronized void replace(RuleSet rules) {
    long startNs = System.nanoTime();
    edition = edition(rules, Optional.of(edition));
    changed("rules replaced: rules=" + rules.rules().size(), startNs);
  }

  private void changed(String text, long startNs) {
    LOG.log(Level.INFO, text);
    changes.add("rules", text, startNs);
  }

  @Override
  public String toString() {
    return edition.rules().rules().size() + " rules" + (file == null ? "" : " of " + file);
  }
}
