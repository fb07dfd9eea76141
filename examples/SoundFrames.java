import io.linerate.graph.*;
import io.linerate.graph.element.*;
import io.linerate.program.*;

void main(String[] arguments) {
  Program.named("sound-frames").ports("in", "out").main(arguments, this::wire);
}

void wire(Setup setup) {
  var graph =
      Graph.of(g ->
          g.chain(
              g.add("in", new FromPort("in")),
              g.add("sound", new CheckEthernet(60, 1518)),
              g.add("out", new ToPort("out"))));
  var runner = setup.graph(graph);
  setup.result("sound frames", () -> runner.read("out.packets"));
}
