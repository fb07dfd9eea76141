package com.example;

import io.linerate.graph.Graph;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.program.Program;
import io.linerate.program.Setup;

/** Forwards the packets that are long enough. */
final class LongFrames {
  private LongFrames() {}

  public static void main(String[] arguments) {
    Program.named("long-frames")
        .describedAs("Forwards packets that are long enough.")
        .ports("in", "out")
        .option("--least", "BYTES", "How long a packet is at least; 60 if not said.")
        .example("pcap:rx=in.pcap pcap:tx=out.pcap --least 100")
        .main(arguments, LongFrames::wire);
  }

  private static void wire(Setup setup) {
    int least = (int) setup.number("--least", 0, 65_535, 60);
    setup.graph(
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("in")),
                g.add("long", new MinLength(least)),
                g.add("to", new ToPort("out")))));
  }
}
