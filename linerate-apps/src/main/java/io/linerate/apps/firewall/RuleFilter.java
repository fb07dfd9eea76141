package io.linerate.apps.firewall;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.Arrays;

/**
 * Passes or drops each packet, as the first rule says that matches its source and protocol.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  rules; table: made of them, once for all workers
 * drops       rule, default_rule, non_ip: a line of the rules says so
 *             malformed: the headers are unsound up to that of IP
 * reads       hits: packets for each rule, then for the default and for what is not IP
 * </pre>
 */
record RuleFilter(RuleSet rules, RuleTable table) implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    long[] hits = new long[rules.size()];
    wiring.input("in", new FirewallHandler(rules, table, hits, out::push));
    wiring.counts("hits", () -> Arrays.stream(hits).boxed().toList());
  }
}
