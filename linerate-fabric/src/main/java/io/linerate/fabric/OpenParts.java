package io.linerate.fabric;

import java.util.ArrayList;
import java.util.List;

/** What a domain has made that is bound to each other: endpoints, queues and counters. */
final class OpenParts {
  private final FabricDomain domain;
  private final List<Receiver> receivers = new ArrayList<>();
  private final List<CompletionQueue> queues = new ArrayList<>();
  private final List<FabricCounter> counters = new ArrayList<>();

  OpenParts(FabricDomain domain) {
    this.domain = domain;
  }

  /** Those that are open, as of whenever it is read. */
  List<Receiver> receivers() {
    return receivers;
  }

  <T extends Receiver> T add(T made) {
    receivers.add(made);
    return made;
  }

  CompletionQueue add(CompletionQueue made) {
    queues.add(made);
    return made;
  }

  FabricCounter add(FabricCounter made) {
    counters.add(made);
    return made;
  }

  /** A queue or a counter is closed. */
  void forget(Object part) {
    queues.remove(part);
    counters.remove(part);
  }

  /** A receiver is closed: what waited for that can go. */
  void forget(Receiver receiver, boolean isKept) {
    receivers.remove(receiver);
    if (!isKept) {
      domain.registrations().closed(receiver);
    }
  }

  /** Throws while an endpoint uses a part that is to be closed: the provider would lose it. */
  void requireUnbound(String what, Object part) {
    for (Receiver receiver : receivers) {
      if (receiver.uses(part)) {
        throw new FabricException(
            "%s is in use: provider=%s; close the endpoints first that are bound to it"
                .formatted(what, domain.provider().name()));
      }
    }
  }

  /** Endpoints before what they share. */
  void closeReceivers() {
    List.copyOf(receivers).stream()
        .filter(receiver -> receiver instanceof Endpoint)
        .forEach(Receiver::close);
    List.copyOf(receivers).forEach(Receiver::close);
  }

  /** With the domain: what endpoints were bound to. */
  void end() {
    counters.forEach(FabricCounter::end);
    queues.forEach(CompletionQueue::end);
  }
}
