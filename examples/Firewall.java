import io.linerate.core.memory.*;
import io.linerate.core.worker.*;
import io.linerate.program.*;
import io.linerate.wire.*;

final HeaderScanner scanner = new HeaderScanner();
final Ipv4 ipv4 = new Ipv4();
final DropReason rule = DropReason.named("rule");
final int guests = Ipv4Address.parse("10.1.7.0");

void main(String[] arguments) {
  Program.named("guests").ports("in", "out").main(arguments, this::wire);
}

void wire(Setup setup) {
  var out = setup.engine().worker().output(setup.port("out"));
  setup.engine().worker().input(setup.port("in"), burst -> filter(burst, out));
}

void filter(Burst burst, Output out) {
  for (Packet packet : burst) {
    if (!scanner.scan(packet)) packet.drop(DropReason.MALFORMED);
    else if (scanner.ipVersion() == 4 && isGuest(packet)) packet.drop(rule);
    else out.send(packet);
  }
}

boolean isGuest(Packet packet) {
  return (ipv4.wrap(packet, scanner.l3Offset()).source() & 0xFFFF_FF00) == guests;
}
