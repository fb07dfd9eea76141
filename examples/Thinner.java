import io.linerate.core.memory.*;
import io.linerate.graph.*;
import io.linerate.graph.element.*;
import io.linerate.program.*;

/** Passes each n-th packet on; n may be written while packets flow. */
record Thin(long n) implements Element {
  static final DropReason THINNED = DropReason.named("thinned");

  @Override
  public void open(Wiring wiring) {
    var state =
        new Object() {
          long every = n;
          long seen;
        };
    wiring.each(
        "in",
        packet -> {
          if (++state.seen % state.every != 0) packet.drop(THINNED);
        },
        wiring.output("out"));
    wiring.read("n", ValueType.NUMBER, () -> state.every);
    wiring.write("n", ValueType.NUMBER, value -> state.every = Math.max(1, value));
  }
}

void main(String[] arguments) {
  Program.named("thinner")
      .describedAs("Passes on one packet of many.")
      .ports("in", "out")
      .option("--every", "N", "The first N: 1 to 1000000, 10 unless given.")
      .example("packet:eth1 pcap:tx=out.pcapng --every 100 --dashboard")
      .main(arguments, this::wire);
}

void wire(Setup setup) {
  long every = setup.number("--every", 1, 1_000_000, 10);
  setup.graph(
      Graph.of(g ->
          g.chain(
              g.add("in", new FromPort("in")),
              g.add("thin", new Thin(every)),
              g.add("out", new ToPort("out")))));
}
