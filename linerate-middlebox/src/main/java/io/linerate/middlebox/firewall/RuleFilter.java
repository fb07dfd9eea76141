package io.linerate.middlebox.firewall;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.rule.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Passes, rejects or drops each packet, as the first rule says that matches.
 *
 * <pre>
 * inputs      in
 * outputs     out
 *             rejected (may be left unconnected: such packets are dropped): whose senders are to be
 *             told. Where it is connected, rules that reject may be added while packets flow
 *             ended (may be left unconnected): copies of segments that rules by name reject, whose
 *             receivers are to be told, too
 * parameters  rules: they may change while packets flow
 *             direction: the ports that packets come and leave by
 *             isEthernet: whether all packets begin with an Ethernet header; quicker then
 *             tracking: of connections, the same for all directions, where rules ask for their states
 * drops       rule, default_rule, non_ip: a line of the rules says so
 *             malformed: the headers are unsound up to that of IP
 *             rule_limit: a rule passes it, but not so many
 *             inner_fragment, inner_depth: it carries a fragment, or too many packets in each other,
 *             and the rules are about what is inside
 *             connections_full: a rule passes it, but it begins a connection, and there is no room;
 *             names_full, name_hidden, name_refused, overlap, bad_checksum: a rule is about names, and
 *             there is no room to read one, it cannot be sure, its connection was refused, or what
 *             comes contradicts what came
 *             out_of_window and others of TrackDefect: it contradicts what came with it
 * reads       hits: packets for each rule, then for the default and for what is not IP
 *             where they are tracked, connections: known now; evicted: to make room for others;
 *             not_restored: of another program, and no rule lets them begin here;
 *             flows: up to 1,000 of them, lines of JSON
 * example     RuleSet rules = RulesFile.parse("r", "drop udp to any port 53", w -> {});
 *             Direction out = new Direction("lan", "wan");
 *             RuleBook book = RuleBook.of(rules, List.of(out));
 *             g.add("rules", new RuleFilter(book, out, true, Optional.empty()))
 * </pre>
 */
public record RuleFilter(
    RuleBook rules, Direction direction, boolean isEthernet, Optional<Tracking> tracking)
    implements Element {
  @Override
  public Shape shape() {
    Shape shape = Shape.inOut().optionalOutput("rejected").optionalOutput("ended");
    return isEthernet ? shape : shape.anyLink();
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (!rules.directions().contains(direction)) {
      problems.add(
          "rules are for other directions: direction=%s, known=%s; make the book with it"
              .formatted(direction, rules.directions()));
    }
    if (rules.needs().connections() && tracking.isEmpty()) {
      problems.add("rules ask for connections, which are not tracked; write a Tracking");
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    RuleCounts counts = rules.newCounts();
    Optional<Tracking.Connections> connections =
        tracking.map(some -> some.of(wiring.worker(), wiring.nowNs()));
    Outlet rejected = wiring.output("rejected");
    rules.mayReject(rejected::isConnected);
    wiring.input(
        "in",
        new FirewallHandler(
            rules,
            counts,
            direction,
            isEthernet,
            connections.map(some -> new StateReader(some, wiring::nowNs)),
            new ToSenders(rejected, wiring.output("ended")),
            out));
    connections.ifPresent(some -> {
      some.upkeep().begin(wiring);
      wiring.count("not_restored", some::notRestored);
    });
    wiring.counts(
        "hits",
        () -> {
          RuleEdition now = rules.edition();
          SingleWriterCounters hits = new SingleWriterCounters(now.size());
          counts.addTo(now, hits);
          return hits.toList();
        });
  }

  private record ToSenders(Outlet rejected, Outlet ended) implements FirewallHandler.Rejected {
    @Override
    public void take(Packet packet, DropReason why) {
      rejected.send(packet, why);
    }

    @Override
    public void copyLast(Packet packet) {
      boolean _ = ended.copy(packet);
    }
  }
}
