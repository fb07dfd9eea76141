package io.linerate.fabric;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Domains of this process that have met over shm: they are closed by the provider only when all of
 * them are closed. It uses the endpoints of its own process in place, and does not notice when one
 * of them is gone, whose memory it goes on to read: that ends the process.
 *
 * <p>What is static here is so in the provider: it has one list of the endpoints of a process.
 */
final class Neighbours {
  private static final Map<String, FabricDomain> OPEN = new HashMap<>();

  private final List<FabricDomain> open = new ArrayList<>();
  private final List<Runnable> closings = new ArrayList<>();

  /** A domain alone. */
  static synchronized void opened(FabricDomain domain) {
    Neighbours own = new Neighbours();
    own.open.add(domain);
    domain.neighbours(own);
    OPEN.put(domain.address().host(), domain);
  }

  /** Whether a domain of this process has the name. */
  static synchronized boolean isOpen(String name) {
    return OPEN.containsKey(name);
  }

  /** A domain reaches one that has the name, if that is of this process. */
  static synchronized void met(FabricDomain domain, String name) {
    FabricDomain other = OPEN.get(name);
    Neighbours group = domain.neighbours();
    Neighbours others = other == null ? null : other.neighbours();
    if (group == null || others == null || group == others) {
      return;
    }
    for (FabricDomain each : others.open) {
      each.neighbours(group);
    }
    group.open.addAll(others.open);
    group.closings.addAll(others.closings);
  }

  /** Whether a domain has met others that are open, or closed and still there. */
  static synchronized boolean hasMet(FabricDomain domain) {
    Neighbours group = domain.neighbours();
    return group != null && group.open.size() + group.closings.size() > 1;
  }

  /** Ends a domain now, or when the last one that it has met is ended. */
  static void close(FabricDomain domain, Runnable closing) {
    List<Runnable> due = List.of();
    synchronized (Neighbours.class) {
      OPEN.remove(domain.address().host(), domain);
      Neighbours group = domain.neighbours();
      if (group == null) {
        due = List.of(closing);
      } else {
        group.open.remove(domain);
        group.closings.add(closing);
        if (group.open.isEmpty()) {
          due = List.copyOf(group.closings);
          group.closings.clear();
        }
      }
    }
    due.forEach(Runnable::run);
  }
}
