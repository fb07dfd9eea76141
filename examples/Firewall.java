import io.linerate.core.memory.*;
import io.linerate.core.worker.*;
import io.linerate.wire.*;

final HeaderScanner scanner = new HeaderScanner();
final Ipv4 ipv4 = new Ipv4();
final DropReason rule = DropReason.named("rule");
final int guests = Ipv4Address.parse("10.1.7.0");

void main(String[] arguments) {
  var engine = new Engine();
  try (var _ = StopSignal.install(engine::stop);
      engine) {
    var out = engine.worker().output(engine.port(arguments[1]));
    engine.worker().input(engine.port(arguments[0]), burst -> filter(burst, out));
    IO.println(engine.run());
  }
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
