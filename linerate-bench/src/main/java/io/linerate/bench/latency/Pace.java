package io.linerate.bench.latency;

import io.linerate.bench.suite.Session;
import java.util.List;

/**
 * How long everything takes.
 *
 * @param warmUpMs at 1 Mpps, for the compiler
 * @param slices of each load
 * @param others beside Java with the serial collector; a quick session has no time for all
 */
record Pace(int warmUpMs, int sliceMs, int slices, List<Contestant> others) {
  static Pace of(Session session) {
    return session.quick()
        ? new Pace(1_500, 150, 2, List.of(Contestant.C))
        : new Pace(
            5_000,
            500,
            7,
            List.of(Contestant.C, Contestant.PARALLEL, Contestant.G1, Contestant.ZGC));
  }
}
