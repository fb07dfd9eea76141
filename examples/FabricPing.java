import io.linerate.fabric.*;

static final Duration SOON = Duration.ofHours(1);

/** Texts there and back: "serve tcp:HOST:PORT" in one process, "ping tcp:HOST:PORT" in another. */
void main(String[] words) {
  try (var domain = FabricDomain.open(FabricAddress.parse(words.length == 2 ? words[1] : ""))) {
    CompletionQueue queue = domain.completionQueue();
    MemoryRegion memory = domain.register(domain.arena().allocate(128));
    Descriptor in = domain.descriptor().on(memory, 0, 64);
    Descriptor out = domain.descriptor().on(memory, 64, 64);
    Connection peer =
        words[0].equals("serve")
            ? domain.listen(domain.address()).await(SOON).orElseThrow().accept(Bindings.of(queue))
            : domain.connect(domain.address(), queue);
    peer.receive(in); // Before there can be a message.
    peer.awaitConnected(SOON);
    for (int i = 0; i < 2000; i++) {
      Descriptor next = words[0].equals("serve") == (i % 2 == 1) ? out : in;
      memory.segment().setString(64, "text " + i);
      if ((next == out && !peer.send(out)) || !queue.await(next, SOON) || next.error() != null) {
        throw new IllegalStateException("no answer: " + next.error());
      }
      boolean _ = next == out || peer.receive(in);
    }
    IO.println("1000 round trips, the last brought: " + memory.segment().getString(0));
  }
}
