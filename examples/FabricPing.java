import io.linerate.fabric.*;

static final java.time.Duration SOON = java.time.Duration.ofSeconds(10);

/** There and back over a connection: "serve ADDRESS" in one process, "ping ADDRESS" in another. */
void main(String[] arguments) {
  FabricAddress address = FabricAddress.parse(arguments[1]);
  boolean serves = arguments[0].equals("serve");
  try (FabricDomain domain = FabricDomain.open(address)) {
    CompletionQueue queue = domain.completionQueue();
    Descriptor in = domain.descriptor().on(domain.register(domain.arena().allocate(64)));
    Descriptor out = domain.descriptor().on(domain.register(domain.arena().allocate(64)));
    Connection peer =
        serves
            ? domain.listen(address).await(SOON).orElseThrow().accept(Bindings.of(queue))
            : domain.connect(address, queue);
    peer.receive(in); // Before there can be a message.
    peer.awaitConnected(SOON);
    for (int i = 0; i < 2000; i++) {
      Descriptor next = serves == (i % 2 == 1) ? out : in;
      if ((next == out && !peer.send(out)) || !queue.await(next, SOON) || next.error() != null) {
        throw new IllegalStateException("no answer: " + next.error());
      }
      boolean _ = next == out || peer.receive(in);
    }
    IO.println("1000 round trips");
  }
}
