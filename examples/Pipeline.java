import io.linerate.graph.*;
import io.linerate.graph.element.*;
import io.linerate.program.*;

void main(String[] arguments) {
  Program.named("pipeline")
      .describedAs("Puts fragments together on one worker, and counts flows on another.")
      .ports("in", "out")
      .example("pcap:rx=in.pcapng pcap:tx=out.pcapng --set workers=2")
      .main(arguments, this::wire);
}

void wire(Setup setup) {
  var graph =
      Graph.of(g -> {
        var in = g.add("in", new FromPort("in"));
        var whole = g.add("whole", new Reassemble());
        var flows = g.add("flows", new FlowTable(65_536));
        var out = g.add("out", new ToPort("out"));
        g.chain(in, whole, g.add("queue", new Queue(4_096)), flows, out);
        g.on(0, in).on(1, out); // The queue leads from one worker to the other.
      });
  var runner = setup.graph(graph);
  setup.result("reassembled", () -> runner.read("whole.reassembled"));
  setup.result("flows", () -> runner.read("flows.flows"));
}
