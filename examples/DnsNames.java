import io.linerate.core.memory.*;
import io.linerate.decode.*;
import io.linerate.decode.element.*;
import io.linerate.decode.protocol.*;
import io.linerate.decode.reassembly.*;
import io.linerate.graph.*;
import io.linerate.graph.element.*;
import io.linerate.program.*;

/** Counts the names that messages of DNS ask for, on one worker. */
record Names(Map<String, Long> counts) implements DecodeListener, FieldSink {
  @Override
  public void onPacket(Decoder decoder, Packet packet) {
    decoder.dissect(this);
  }

  @Override
  public boolean wants(Layer layer) {
    return layer.is(DnsProtocol.DNS);
  }

  @Override
  public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {
    if (field == DnsProtocol.QUESTION_NAME) counts.merge(value.toString(), 1L, Long::sum);
  }
}

void main(String[] arguments) {
  Program.named("dns-names")
      .describedAs("Counts the names that are asked for, over UDP and TCP.")
      .ports("in")
      .example("packet:eth1")
      .main(arguments, this::wire);
}

void wire(Setup setup) {
  var counts = new ConcurrentSkipListMap<String, Long>();
  var names =
      new Decode(
          Protocols.standard(), Optional.of(StreamSettings.DEFAULT), () -> new Names(counts));
  setup.graph(
      Graph.of(g ->
          g.chain(
              g.add("in", new FromPort("in")),
              g.add("dns", new Filter("port 53")),
              g.add("names", names),
              g.add("end", new Discard()))));
  setup.result("names", () -> counts);
}
