package io.linerate.fabric;

import io.linerate.fabric.host.SharedName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Domains of this process that are linked over shm: they are closed by the provider only when all
 * of them are closed. It uses the endpoints of its own process in place, and does not notice when
 * one of them is gone, whose memory it goes on to read: that ends the process.
 *
 * <p>What is static here is so in the provider: it has one list of the endpoints of a process.
 */
final class LinkedDomains {
  /** Whose endpoint has a name. */
  private static final Map<SharedName, FabricDomain> OPEN = new HashMap<>();

  private final List<FabricDomain> open = new ArrayList<>();
  private final List<Runnable> closings = new ArrayList<>();
  private boolean isLinkedToItself;

  /** Does something while no endpoint of this process is opened, linked or closed. */
  static synchronized <T> T exclusively(Supplier<T> work) {
    return work.get();
  }

  /** A domain alone. */
  static synchronized void opened(FabricDomain domain) {
    LinkedDomains own = new LinkedDomains();
    own.open.add(domain);
    domain.linkedDomains(own);
  }

  /**
   * A name for an endpoint that a domain is about to open.
   *
   * @throws FabricException if another endpoint of this host has it
   */
  static synchronized SharedName named(FabricDomain domain) {
    FabricAddress address = domain.address();
    try {
      SharedName made = SharedName.claim(address.host());
      if (made == null) {
        throw FabricException.taken(
            "an endpoint has that name: address=%s; close that one, or take another name"
                .formatted(address));
      }
      OPEN.put(made, domain);
      return made;
    } catch (IOException e) {
      throw new FabricException(
          "the name of an endpoint cannot be taken: address=%s, cause=%s; delete that file, or take another name"
              .formatted(address, e));
    }
  }

  /** The endpoint is closed. */
  static synchronized void unnamed(SharedName name) {
    if (OPEN.remove(name) != null) {
      name.release();
    }
  }

  /** Whether an endpoint of this process has the name. */
  static synchronized boolean isOpen(SharedName name) {
    return OPEN.containsKey(name);
  }

  /** A domain is about to reach whoever has the name. */
  static synchronized void link(FabricDomain domain, SharedName name) {
    FabricDomain other = OPEN.get(name);
    LinkedDomains group = domain.linkedDomains();
    LinkedDomains others = other == null ? null : other.linkedDomains();
    if (group == null || others == null || group == others) {
      if (group != null) {
        group.isLinkedToItself |=
            other == domain; // An endpoint of its own: also for those that follow.
      }
      return;
    }
    for (FabricDomain each : others.open) {
      each.linkedDomains(group);
    }
    group.open.addAll(others.open);
    group.closings.addAll(others.closings);
    group.isLinkedToItself |= others.isLinkedToItself;
  }

  /**
   * Whether a domain is linked to itself, or to others that are open, or closed and still there.
   */
  static synchronized boolean isLinked(FabricDomain domain) {
    LinkedDomains group = domain.linkedDomains();
    return group != null
        && (group.isLinkedToItself || group.open.size() + group.closings.size() > 1);
  }

  /** Ends a domain now, or when the last one that it is linked to is ended. */
  static void close(FabricDomain domain, Runnable closing) {
    List<Runnable> due = List.of();
    synchronized (LinkedDomains.class) {
      LinkedDomains group = domain.linkedDomains();
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
