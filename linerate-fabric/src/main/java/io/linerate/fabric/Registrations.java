package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A domain's registered memory: its regions, the arenas they are of, and who may still use them.
 */
final class Registrations {
  /**
   * Memory of a closed arena that peers were given: a provider goes on with a peer's write that it
   * has begun (tcp), whatever happens to the registration.
   *
   * @param arena to be freed
   * @param users endpoints by which a peer may be writing
   */
  private record Kept(RegionArena arena, Set<Receiver> users) {}

  private final FabricDomain domain;
  private final List<MemoryRegion> regions = new ArrayList<>();
  private final List<RegionArena> arenas = new ArrayList<>();
  private final List<Kept> kept = new ArrayList<>();
  private final SecureRandom keys = new SecureRandom();

  Registrations(FabricDomain domain) {
    this.domain = domain;
  }

  RegionArena arena() {
    RegionArena made = new RegionArena(domain);
    arenas.add(made);
    return made;
  }

  MemoryRegion register(MemorySegment memory, Access... rights) {
    Set<Access> all = EnumSet.noneOf(Access.class);
    all.addAll(List.of(rights));
    requireRegistrable(memory, all);
    MemoryRegion region = new MemoryRegion(domain, memory, all, nextKey());
    regions.add(region);
    if (!all.isEmpty()) {
      for (RegionArena each : arenas) {
        each.publish(memory.scope());
      }
    }
    return region;
  }

  /** One that peers cannot guess: rxm lets them read all that is registered, by its key alone. */
  private long nextKey() {
    int bits = Byte.SIZE * Math.clamp(domain.provider().keyBytes(), 1, Long.BYTES);
    return keys.nextLong() >>> (1 + Long.SIZE - bits); // One less: all bits are no key.
  }

  private void requireRegistrable(MemorySegment memory, Set<Access> rights) {
    if (memory.byteSize() == 0 || !memory.isNative()) {
      throw new FabricException(
          "memory cannot be registered: length=%d, native=%s; allocate some in an arena of the domain"
              .formatted(memory.byteSize(), memory.isNative()));
    }
    if (!isLasting(memory)) {
      throw new FabricException(
          "memory could be freed while it is registered: length=%d; allocate it in an arena of the domain, or the global one"
              .formatted(memory.byteSize()));
    }
    if (memory.isReadOnly() && rights.contains(Access.REMOTE_WRITE)) {
      throw new FabricException(
          "peers cannot write memory that is read-only: length=%d; register it for reading, or other memory"
              .formatted(memory.byteSize()));
    }
  }

  /** Whether nobody can free it while it is registered. */
  private boolean isLasting(MemorySegment memory) {
    MemorySegment.Scope scope = memory.scope();
    boolean isLasting = scope.equals(Arena.global().scope());
    for (int i = 0; i < arenas.size() && !isLasting; i++) {
      isLasting = scope.equals(arenas.get(i).scope());
    }
    return isLasting;
  }

  /** Whether it can be registered, for this side's own use. */
  boolean accepts(MemorySegment memory) {
    return memory.isNative() && memory.byteSize() > 0 && isLasting(memory);
  }

  /** Ends the registrations of an arena's memory, then frees it, or keeps it while peers use it. */
  void close(RegionArena arena) {
    List<Receiver> receivers = domain.parts().receivers();
    List<MemoryRegion> own =
        regions.stream().filter(region -> region.segment().scope().equals(arena.scope())).toList();
    own.forEach(domain.descriptors()::requireUnused);
    own.forEach(MemoryRegion::close);
    if (arena.isPublished() && domain.nativeClosing().hasKeptEndpoints()) {
      return; // With the domain.
    }
    arenas.remove(arena);
    if (arena.isPublished() && !receivers.isEmpty()) {
      kept.add(new Kept(arena, new HashSet<>(receivers)));
    } else {
      arena.free();
    }
  }

  /** No peer can write by this one any more. */
  void closed(Receiver receiver) {
    kept.removeIf(each -> {
      each.users().remove(receiver);
      boolean isFree = each.users().isEmpty();
      if (isFree) {
        each.arena().free();
      }
      return isFree;
    });
  }

  void forget(MemoryRegion region) {
    regions.remove(region);
  }

  /** With the domain: the registrations. */
  void end() {
    regions.forEach(MemoryRegion::end);
  }

  /** After the provider has ended. */
  void free() {
    arenas.forEach(RegionArena::free);
    kept.forEach(each -> each.arena().free());
  }
}
