import io.linerate.core.memory.*;
import io.linerate.program.*;
import io.linerate.stream.*;
import io.linerate.wire.*;

/** What a host has sent. */
record Sent(int host, int bytes, long atNs) {}

void main(String[] arguments) {
  Program.named("talkers")
      .describedAs("Says which hosts have sent how much in each second.")
      .ports("in")
      .example("packet:eth1")
      .main(arguments, this::wire);
}

Sent sent(Packet packet) {
  boolean isIpv4 = packet.length() >= 34 && packet.u16(12) == 0x0800;
  return isIpv4 ? new Sent(packet.i32(26), packet.length(), packet.timestampNs()) : null;
}

void wire(Setup setup) {
  Window<Sent> second =
      Window.<Sent>tumbling(Duration.ofSeconds(1)).at(Sent::atNs, Duration.ofMillis(100));
  setup.graph(
      Streams.graph(s ->
          s.packets("in", "in")
              .map("sent", Sent.class, this::sent)
              .keyBy(Sent::host)
              .windowOfAll("bytes", second, Aggregate.sum(Sent::bytes), "all", 0, 1_024)
              .sink("print", this::print)));
}

void print(WindowResult<Long, Long> result) {
  String host = Ipv4Address.format(result.key().intValue());
  IO.println(
      Instant.ofEpochMilli(result.startNs() / 1_000_000) + " " + host + " " + result.value());
}
