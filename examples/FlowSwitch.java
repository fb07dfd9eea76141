import io.linerate.graph.*;
import io.linerate.graph.element.*;
import io.linerate.program.*;

void main(String[] arguments) {
  Program.named("flow-switch")
      .describedAs("Spreads flows over several ports, both directions of a flow to the same.")
      .ports("in")
      .morePorts("out")
      .example("packet:eth1 packet:eth2 packet:eth3")
      .main(arguments, this::wire);
}

void wire(Setup setup) {
  var outs = setup.ports().stream().map(port -> port.name()).skip(1).toList();
  var graph =
      Graph.of(g -> {
        var flows = g.add("flows", new HashSwitch(outs.size()));
        g.chain(g.add("in", new FromPort("in")), flows);
        for (int i = 0; i < outs.size(); i++) {
          g.chain(flows.out("out" + (i + 1)), g.add(outs.get(i), new ToPort(outs.get(i))));
        }
      });
  var runner = setup.graph(graph);
  outs.forEach(out -> setup.result(out, () -> runner.read(out + ".packets")));
}
