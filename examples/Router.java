import io.linerate.graph.*;
import io.linerate.graph.element.*;
import io.linerate.program.*;

/** The router's end of a link: its port, and its addresses there. */
record End(String port, String mac, String ipv4, String ipv6) {
  Graph link() {
    return Link.of(mac, ipv4 + "/24", ipv6 + "/64");
  }

  /** What is done with a packet that comes by the link: checked, answered, or sent on. */
  Graph hop(Element check) {
    return Graph.of(g -> {
      var ping = g.add("ping", IcmpPingResponder.of(ipv4, ipv6));
      var ttl = g.add("ttl", new DecrementTtl());
      g.chain(g.input("in"), g.add("sound", check), ping.out("rest"), ttl, g.output("out"));
      g.chain(ping, g.output("replies"));
      g.chain(
          ttl.out("expired"),
          g.add("expired", IcmpError.timeExceeded(ipv4, ipv6)),
          g.output("replies"));
    });
  }
}

void main(String[] arguments) {
  Program.named("router")
      .describedAs("Routes IPv4 and IPv6 between two links.")
      .ports("left", "right")
      .example("packet:eth1 packet:eth2")
      .main(arguments, Graph.of(this::routes));
}

void routes(GraphBuilder g) {
  var left = new End("left", "02:00:5e:10:00:01", "10.77.1.254", "fd77:1::fe");
  var right = new End("right", "02:00:5e:10:00:02", "10.77.2.254", "fd77:2::fe");
  var leftLink = g.add("left", left.link());
  var rightLink = g.add("right", right.link());
  route(g, left, leftLink, rightLink);
  route(g, right, rightLink, leftLink);
}

/** What comes by one link leaves by the other; what is said about it goes back. */
void route(GraphBuilder g, End end, Node from, Node to) {
  var port = g.add("to-" + end.port, new ToPort(end.port));
  var lost = g.add("lost-" + end.port, IcmpError.unreachable(end.ipv4, end.ipv6));
  var ipv4 = g.add("ipv4-" + end.port, end.hop(new CheckIpv4()));
  var ipv6 = g.add("ipv6-" + end.port, end.hop(new CheckIpv6()));
  g.chain(g.add("from-" + end.port, new FromPort(end.port)), from, port);
  g.chain(from.out("ip"), ipv4, to.in("ip"));
  g.chain(from.out("ip6"), ipv6, to.in("ip6"));
  g.chain(ipv4.out("replies"), port);
  g.chain(ipv6.out("replies"), port);
  g.chain(to.out("unreachable"), lost, port);
  g.chain(from.out("rest"), g.add("rest-" + end.port, new Discard()));
}
