package io.linerate.bench.latency;

import io.linerate.bench.suite.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A forwarder and a meter of its own, from start to end. */
final class Measurement implements AutoCloseable {
  private final Program meter;
  private final Program forwarder;

  /** Starts both. */
  Measurement(Session session, Contestant contestant) throws IOException {
    Path folder = Files.createTempDirectory(session.folder(), "memif");
    Link link = new Link(folder);
    List<String> words = new ArrayList<>();
    words.add(session.twin("latency-meter").toString());
    words.addAll(link.ealArguments("meter", session.otherCpu()));
    words.addAll(List.of("--vdev", link.there("server"), "--vdev", link.back("server")));
    meter = Program.start("meter", words, session.otherCpu(), folder);
    try {
      forwarder =
          Program.start("forwarder", contestant.command(session, link), session.cpu(), folder);
    } catch (IOException | RuntimeException e) {
      meter.close();
      throw e;
    }
  }

  /** Lets the compiler see what will come. */
  void warmUp(int ms) throws IOException {
    requireSame(meter.measure(1e6, ms));
  }

  /** Packets a second that come back when the meter sends what it can. */
  double maximumPps(int ms) throws IOException {
    MeterRun first = meter.measure(0, ms);
    requireSame(first);
    MeterRun second = meter.measure(0, ms);
    return Math.max(first.receivedPps(), second.receivedPps());
  }

  /**
   * Runs all loads, several times in turn. A run from which nothing came back, on a machine that
   * does something else, is left out.
   *
   * @param maximumPps what shares are of
   */
  Map<Load, List<MeterRun>> measure(List<Load> loads, double maximumPps, int slices, int ms)
      throws IOException {
    Map<Load, List<MeterRun>> runs = new LinkedHashMap<>();
    for (int slice = 0; slice < slices; slice++) {
      for (Load load : loads) {
        MeterRun run = meter.measure(load.packetsPerS(maximumPps), ms);
        requireSame(run);
        if (run.received() > 0) {
          runs.computeIfAbsent(load, _ -> new ArrayList<>()).add(run);
        }
      }
    }
    return runs;
  }

  /** What came back must be what was sent, but for the byte that the forwarder changes. */
  private static void requireSame(MeterRun run) {
    if (run.wrong() > 0) {
      throw new IllegalStateException(
          "forwarder does something else: sent="
              + run.sent()
              + ", received="
              + run.received()
              + ", wrong="
              + run.wrong());
    }
  }

  /** The forwarder first: a meter that polls must not lose its peer. */
  @Override
  public void close() throws IOException {
    try {
      forwarder.close();
    } finally {
      meter.close();
    }
  }
}
