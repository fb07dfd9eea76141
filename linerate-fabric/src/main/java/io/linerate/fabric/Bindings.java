package io.linerate.fabric;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint is made with.
 *
 * @param queue where its completions come
 * @param counters and what they count
 * @param shared where memory for its messages is posted; null for the endpoint itself
 */
public record Bindings(
    CompletionQueue queue, List<BoundCounter> counters, @Nullable SharedReceiver shared) {
  /** Injected messages have no completion. */
  private static final long SENDING = FabricFlags.FI_TRANSMIT | FabricFlags.FI_SELECTIVE_COMPLETION;

  /** Everything that comes has one, also into what endpoints share. */
  static final long RECEIVING = FabricFlags.FI_RECV;

  /** A counter, and what it counts. */
  public record BoundCounter(FabricCounter counter, Set<FabricCounter.Counted> counted) {
    public BoundCounter {
      counted = Set.copyOf(counted);
    }
  }

  public Bindings {
    counters = List.copyOf(counters);
  }

  /** A completion queue alone. */
  public static Bindings of(CompletionQueue queue) {
    return new Bindings(queue, List.of(), null);
  }

  /** And a counter. */
  public Bindings counting(
      FabricCounter counter, FabricCounter.Counted first, FabricCounter.Counted... more) {
    List<BoundCounter> all = new ArrayList<>(counters);
    all.add(new BoundCounter(counter, EnumSet.of(first, more)));
    return new Bindings(queue, all, shared);
  }

  /** And memory for messages that is posted to what endpoints share. */
  public Bindings sharing(SharedReceiver receiver) {
    return new Bindings(queue, counters, receiver);
  }

  /** Throws unless all of it is open and of a domain. */
  void requireFor(FabricDomain domain) {
    queue.requireFor(domain);
    for (BoundCounter bound : counters) {
      bound.counter().requireFor(domain);
    }
    if (shared != null) {
      shared.requireFor(domain, queue);
    }
  }

  boolean has(Object part) {
    return part == shared || counters.stream().anyMatch(bound -> bound.counter() == part);
  }

  void bind(long endpoint) {
    bind(endpoint, "completion queue", queue.handle(), SENDING);
    bind(endpoint, "completion queue", queue.handle(), RECEIVING);
    for (BoundCounter bound : counters) {
      long bits = 0;
      for (FabricCounter.Counted counted : bound.counted()) {
        bits |= counted.bit();
      }
      bind(endpoint, "counter", bound.counter().handle(), bits);
    }
    if (shared != null) {
      bind(endpoint, "shared receive context", shared.handle(), 0);
    }
  }

  static void bind(long endpoint, String what, long object, long flags) {
    NativeObject.check(
        "an endpoint cannot be bound: to=" + what + ",",
        FabricFunction.BIND.call(endpoint, object, flags));
  }
}
