package io.linerate.bench.linux;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Sample;
import io.linerate.bench.suite.Session;
import java.util.List;
import java.util.function.Function;

/** A contestant, its cables, and a generator that sends as fast as it can while it is measured. */
final class Flooded implements AutoCloseable {
  private final Cables cables;
  private final Contestant flood;
  private final Contestant contestant;

  private Flooded(Cables cables, Contestant flood, Contestant contestant) {
    this.cables = cables;
    this.flood = flood;
    this.contestant = contestant;
  }

  /**
   * Starts both; they are stopped then.
   *
   * @param number of the contestant, unique among those that are there together
   */
  static Flooded start(
      Session session, int number, int frameBytes, Function<Cables, List<String>> command) {
    Cables cables = new Cables(number);
    Contestant flood = null;
    try {
      flood =
          Contestant.start(
              List.of(
                  session.twin("linux-flood").toString(),
                  Integer.toString(session.otherCpu()),
                  cables.source(),
                  Integer.toString(frameBytes)));
      return new Flooded(cables, flood, Contestant.start(command.apply(cables)));
    } catch (RuntimeException e) {
      if (flood != null) {
        flood.close();
      }
      cables.close();
      throw e;
    }
  }

  Sample measure(int ms) {
    flood.resume();
    try {
      return contestant.measure(ms);
    } finally {
      flood.pause();
    }
  }

  @Override
  public void close() {
    try (cables;
        flood) {
      contestant.close();
    }
  }
}
