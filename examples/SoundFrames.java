import io.linerate.core.worker.*;
import io.linerate.graph.*;
import io.linerate.graph.element.*;

void main(String[] arguments) {
  var graph =
      Graph.of(g ->
          g.chain(
              g.add("in", new FromPort("in")),
              g.add("sound", new CheckEthernet(60, 1518)),
              g.add("out", new ToPort("out"))));
  boolean hasFailed;
  var engine = new Engine();
  try (var _ = StopSignal.install(engine::stop);
      engine) {
    engine.port("in", arguments[0]);
    engine.port("out", arguments[1]);
    var runner = GraphRunner.install(graph, engine);
    var summary = engine.run();
    IO.println(summary);
    IO.println(runner.read("out.packets") + " sound frames");
    hasFailed = summary.hasFailed();
  }
  System.exit(hasFailed ? 1 : 0);
}
