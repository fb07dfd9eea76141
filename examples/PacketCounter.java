import io.linerate.core.memory.DropReason;
import io.linerate.core.worker.Engine;

void main(String[] arguments) {
  try (var engine = new Engine()) {
    var port = engine.port(arguments[0]);
    engine.worker().input(port, burst -> burst.dropAll(DropReason.CONSUMED));
    IO.println(engine.run());
  }
}
