package io.linerate.fabric;

import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The part of {@link RandomCalls} that opens and closes. */
final class RandomObjects {
  private final RandomCalls calls;
  private final SplittableRandom random;

  RandomObjects(RandomCalls calls) {
    this.calls = calls;
    random = calls.random;
  }

  void openDomain() {
    FabricAddress address = FabricAddresses.free(calls.provider);
    DomainOptions options =
        random.nextInt(3) == 0
            ? new DomainOptions(Set.of(), 0, 0, 64, 8)
            : calls.isOpen ? calls.posts.allCapabilities() : DomainOptions.DEFAULT;
    FabricDomain domain =
        FabricDomain.open(address, options.leastMultiReceive(1 + random.nextInt(8192)));
    calls.addresses.add(address);
    calls.all.add(domain);
    calls.domains.add(domain);
    CompletionQueue queue = calls.keep(calls.queues, domain.completionQueue(64, Waiting.ADAPTIVE));
    calls.keep(calls.completions, domain.completions(16));
    RegionArena arena = calls.keep(calls.arenas, domain.arena());
    calls.keep(calls.regions, domain.register(arena.allocate(65_536), Access.values()));
    for (int i = 0; i < 64; i++) {
      calls.keep(calls.descriptors, domain.descriptor());
    }
    if (calls.isOpen) {
      OpenEndpoint endpoint = domain.endpoint(queue);
      calls.keep(calls.receivers, endpoint);
      calls.keep(calls.names, endpoint.name());
    } else {
      calls.keep(calls.listeners, domain.listen(address));
    }
  }

  Bindings bindings() {
    Bindings bindings = Bindings.of(calls.queue());
    if (random.nextInt(4) == 0) {
      bindings =
          bindings.counting(
              calls.any(calls.counters), calls.any(List.of(FabricCounter.Counted.values())));
    }
    return random.nextInt(4) == 0 && calls.receiver() instanceof SharedReceiver shared
        ? bindings.sharing(shared)
        : bindings;
  }

  /** Something of a domain. */
  void open() {
    FabricDomain domain = calls.focus;
    switch (random.nextInt(8)) {
      case 0 ->
          calls.keep(
              calls.queues, domain.completionQueue((int) calls.within(256), Waiting.ADAPTIVE));
      case 1 -> calls.keep(calls.completions, domain.completions((int) calls.within(64)));
      case 2 -> calls.keep(calls.counters, domain.counter());
      case 3 -> calls.keep(calls.receivers, domain.sharedReceiver(calls.queue()));
      case 4 -> {
        OpenEndpoint endpoint = domain.endpoint(bindings());
        calls.keep(calls.receivers, endpoint);
        calls.keep(calls.names, endpoint.name());
      }
      default -> calls.keep(calls.descriptors, domain.descriptor());
    }
  }

  /** Something, or what is posted. */
  void close() {
    switch (random.nextInt(20)) {
      case 0 -> calls.any(calls.receivers).close();
      case 1 -> calls.any(calls.queues).close();
      case 2 -> calls.any(calls.counters).close();
      case 3 -> calls.any(calls.listeners).close();
      case 4 -> calls.any(calls.arenas).close();
      case 5 -> calls.focus.remove(calls.peer());
      case 6 -> calls.receiver().cancel(calls.any(calls.descriptors));
      case 7 -> calls.any(calls.descriptors).close();
      case 8 -> calls.any(calls.regions).close();
      default -> calls.receiver().cancel(calls.descriptor());
    }
  }

  /** Domains come and go, rarely. */
  void replaceDomain() {
    if (random.nextInt(12) == 0) {
      FabricDomain old = calls.domains.get(random.nextInt(calls.domains.size()));
      old.close();
      calls.domains.remove(old);
      openDomain();
      if (calls.addresses.size() > RandomCalls.KEPT) {
        calls.addresses.removeFirst();
      }
    }
  }
}
