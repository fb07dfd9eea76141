package io.linerate.core.statistics;

/**
 * What a worker has done with its time until now.
 *
 * @param busyNs ns in which it worked on packets
 * @param idleNs ns in which no packets came
 */
public record WorkerLoad(long busyNs, long idleNs) {
  public static final WorkerLoad NONE = new WorkerLoad(0, 0);

  /** The part of the time since {@code before} in which it was busy, 0 to 1. */
  public double busyShareSince(WorkerLoad before) {
    long busy = busyNs - before.busyNs;
    long all = busy + idleNs - before.idleNs;
    return all <= 0 ? 0 : Math.clamp((double) busy / all, 0, 1);
  }
}
