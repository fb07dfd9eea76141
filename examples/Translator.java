import io.linerate.core.memory.*;
import io.linerate.graph.*;
import io.linerate.graph.element.*;
import io.linerate.program.*;
import io.linerate.wire.*;

static final DropReason UNTRANSLATED = DropReason.named("untranslated");
static final int HOST = 0xFF; // What stays of an address: the last byte.
static final int INSIDE = Ipv4Address.parse("10.77.1.0");
static final int OUTSIDE = Ipv4Address.parse("198.51.100.0");

/** Gives packets from inside a source outside, or those from outside a destination inside. */
record Translate(boolean isOutbound) implements Element {
  @Override
  public void open(Wiring wiring) {
    var scanner = new HeaderScanner();
    var ipv4 = new Ipv4();
    wiring.each(
        "in",
        packet -> {
          if (!scanner.scan(packet) || scanner.ipVersion() != 4) packet.drop(UNTRANSLATED);
          else if (!translate(packet, scanner, ipv4.wrap(packet, scanner.l3Offset())))
            packet.drop(UNTRANSLATED);
        },
        wiring.output("out"));
  }

  private boolean translate(Packet packet, HeaderScanner scanner, Ipv4 ipv4) {
    int from = isOutbound ? ipv4.source() : ipv4.destination();
    if ((from & ~HOST) != (isOutbound ? INSIDE : OUTSIDE)) return false;
    return isOutbound
        ? Rewrite.sourceAddress(packet, scanner, OUTSIDE | from & HOST)
        : Rewrite.destinationAddress(packet, scanner, INSIDE | from & HOST);
  }
}

void main(String[] arguments) {
  Program.named("translator")
      .describedAs("Shows the hosts of 10.77.1.0/24 as 198.51.100.0/24, each as one.")
      .ports("inside", "outside")
      .example("packet:eth1 packet:eth2")
      .main(
          arguments,
          Graph.of(g -> {
            var inside = g.add("inside", Link.of("02:00:5e:10:00:01", "10.77.1.254/24"));
            var outside = g.add("outside", Link.of("02:00:5e:10:00:02", "192.0.2.254/24"));
            translate(g, "inside", inside, outside);
            translate(g, "outside", outside, inside);
          }));
}

void translate(GraphBuilder g, String name, Node from, Node to) {
  var translate = g.add("translate-" + name, new Translate(name.equals("inside")));
  var ttl = g.add("ttl-" + name, new DecrementTtl());
  g.chain(g.add("from-" + name, new FromPort(name)), from, g.add("to-" + name, new ToPort(name)));
  g.chain(from.out("ip"), g.add("sound-" + name, new CheckIpv4()), translate, ttl, to.in("ip"));
  g.chain(from.out("rest"), g.add("rest-" + name, new Discard()));
}
