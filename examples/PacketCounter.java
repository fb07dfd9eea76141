import io.linerate.core.memory.DropReason;
import io.linerate.program.*;

void main(String[] arguments) {
  Program.named("counter").ports("in").main(arguments, this::count);
}

void count(Setup setup) {
  setup.engine().worker().input(setup.port("in"), burst -> burst.dropAll(DropReason.CONSUMED));
}
