import io.linerate.graph.*;
import io.linerate.program.*;
import io.linerate.stream.*;
import io.linerate.stream.net.*;

final StreamHost here = StreamHost.of("here", "02:00:5e:10:00:01", "192.0.2.1/24");
final StreamHost there = StreamHost.of("there", "02:00:5e:10:00:02", "192.0.2.2/24");

void main(String[] arguments) {
  Program.named("messages")
      .describedAs("Sends messages from one host to another; it is both of them.")
      .ports("here", "there")
      .example("ring:wire ring:wire")
      .main(arguments, this::wire);
}

void wire(Setup setup) {
  setup.graph(
      Streams.graph(s -> {
        send(s, () -> setup.engine().stop());
        receive(s);
      }));
}

/** The host that sends. An empty message is the last: its answer says that all have come. */
void send(StreamBuilder s, Runnable end) {
  Node out = s.graph().add("out", here.sender(LinkSettings.DEFAULT, "192.0.2.2:4242", 1));
  s.objects("texts", String.class, Sources.objects(() -> Stream.of("one", "two", "three", "")))
      .map("bytes", Bytes.class, this::bytes)
      .to(out);
  s.objects(out, Message.class).sink("end", _ -> end.run());
}

/** The host that receives, and answers. */
void receive(StreamBuilder s) {
  Node in = s.graph().add("in", there.receiver(LinkSettings.DEFAULT, 4_242, true));
  s.objects(in, Message.class).sink("print", this::print);
}

Bytes bytes(String text) {
  return Bytes.of(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
}

void print(Message message) {
  String text = new String(message.bytes().toBytes(), StandardCharsets.UTF_8);
  if (text.isEmpty()) {
    message.answer(MemorySegment.NULL, 0, 0);
  } else {
    IO.println(text);
  }
}
