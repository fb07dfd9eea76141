package io.linerate.fabric;

import io.linerate.fabric.host.MappedRegion;
import java.util.List;
import java.util.function.Predicate;

/**
 * Locks of shm that a process had when it was killed. Each endpoint has one in its shared memory,
 * which peers take to give it something, and it takes at each poll. Nobody gives back that of a
 * process that has ended: the next one that wants it waits for good, in native code.
 */
final class KeptLocks {
  private static final System.Logger LOG = System.getLogger(KeptLocks.class.getName());

  private KeptLocks() {}

  /**
   * Releases them, when a thread has waited for longer than any process has one.
   *
   * <p>That of a peer that has ended is nobody's. That of an own endpoint may be anybody's who has
   * mapped it: it is released only if a peer has ended lately, and none is stopped, which would go
   * on with it later.
   *
   * @param isOld whether an endpoint's process has ended long ago, by the endpoint's name
   */
  static void release(Predicate<String> isOld) {
    List<MappedRegion> all = MappedRegion.all();
    boolean isAnyLeft = all.stream().anyMatch(each -> each.isLeft() && !isOld.test(each.name()));
    boolean isAnyStopped = all.stream().anyMatch(MappedRegion::isStopped);
    for (MappedRegion each : all) {
      boolean isKept = each.isLeft() || (each.isOwn() && isAnyLeft && !isAnyStopped);
      if (isKept && each.isLocked() && each.unlock()) {
        LOG.log(
            System.Logger.Level.WARNING,
            "a process was killed while it had the lock of an endpoint: endpoint={0}; the lock was taken from it",
            each.name());
      }
    }
  }
}
