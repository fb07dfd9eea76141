package io.linerate.apps.firewall;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Passes or drops each packet, as the first rule says that matches its source and protocol.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  rules: they may change while packets flow
 *             isEthernet: whether all packets begin with an Ethernet header; quicker then
 * drops       rule, default_rule, non_ip: a line of the rules says so
 *             malformed: the headers are unsound up to that of IP
 * reads       hits: packets for each rule, then for the default and for what is not IP
 * </pre>
 */
record RuleFilter(RuleBook rules, boolean isEthernet) implements Element {
  @Override
  public Shape shape() {
    return isEthernet ? Shape.inOut() : Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    RuleCounts counts = rules.newCounts();
    wiring.input("in", new FirewallHandler(rules, counts, isEthernet, out));
    wiring.counts(
        "hits",
        () -> {
          RuleEdition now = rules.edition();
          SingleWriterCounters hits = new SingleWriterCounters(now.size());
          counts.addTo(now, hits);
          return hits.toList();
        });
  }
}
