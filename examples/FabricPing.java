import io.linerate.fabric.*;
import java.time.Duration;

static final Duration SOON = Duration.ofSeconds(10);

/** Messages there and back over a connection: "serve ADDRESS" in one process, "ping ADDRESS" in another. */
void main(String[] arguments) {
  FabricAddress address = FabricAddress.parse(arguments[1]);
  boolean isServer = arguments[0].equals("serve");
  try (FabricDomain domain = FabricDomain.open(address)) {
    CompletionQueue queue = domain.completionQueue();
    Descriptor in = domain.descriptor().on(domain.register(domain.arena().allocate(64)));
    Descriptor out = domain.descriptor().on(domain.register(domain.arena().allocate(64)));
    Connection peer =
        isServer
            ? domain.listen(address).await(SOON).orElseThrow().accept(Bindings.of(queue))
            : domain.connect(address, queue);
    peer.receive(in); // Before there can be a message.
    peer.awaitConnected(SOON);
    for (int i = 0; i < 1000; i++) {
      if (!isServer && !(peer.send(out) && queue.await(out, SOON))) throw new IllegalStateException("no room");
      if (!queue.await(in, SOON) || in.error() != null) throw new IllegalStateException("no answer: " + in.error());
      peer.receive(in);
      if (isServer && !(peer.send(out) && queue.await(out, SOON))) throw new IllegalStateException("no room");
    }
    IO.println(isServer ? "served 1000" : "1000 round trips");
  }
}
