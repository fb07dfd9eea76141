package io.linerate.bench.fabric;

import io.linerate.bench.duel.Contestant;
import io.linerate.bench.duel.Duel;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Measures a case: all its contenders in turn, each two programs of which one is pinned to either
 * CPU, over several fresh JVMs.
 */
final class ExchangeDuel {
  private static final int WARM_UP_MS = 1_500;
  private static final int START_MS = 1_200;
  private static final int LEAST_SLICE_MS = 20;
  private static final int MOST_SLICE_MS = 400;

  private final Session session;
  private final List<Contender> contenders;

  /**
   * @param contenders that can be measured here
   */
  ExchangeDuel(Session session, List<Contender> contenders) {
    this.session = session;
    this.contenders = List.copyOf(contenders);
    Runtime.getRuntime().addShutdownHook(new Thread(ExchangeDuel::removeSharedMemory));
  }

  /**
   * Measures a case, and hands in its result.
   *
   * @param budgetMs how long it may take, start and end of all programs included
   */
  Result fight(Exchange exchange, int budgetMs) {
    int jvms = session.jvms();
    List<Contender> here = contenders.stream().filter(one -> one.has(exchange)).toList();
    int startMs = here.size() * (START_MS + WARM_UP_MS);
    int slices = here.size() * session.pairs();
    int sliceMs =
        Math.clamp((budgetMs / jvms - startMs) / (long) slices, LEAST_SLICE_MS, MOST_SLICE_MS);
    List<Duel> duels = new ArrayList<>();
    for (int i = 0; i < jvms; i++) {
      duels.add(fight(exchange, here, sliceMs, i % 2 == 0));
    }
    Result result = result(exchange, here, Duel.together(duels));
    session.add(result);
    return result;
  }

  private Duel fight(Exchange exchange, List<Contender> here, int sliceMs, boolean isInOrder) {
    SequencedMap<String, Contestant> contestants = new LinkedHashMap<>();
    try {
      for (Contender contender : here) {
        contestants.put(contender.name(), start(exchange, contender));
      }
      return Duel.fight(
          isInOrder ? contestants : contestants.reversed(), session.pairs(), sliceMs, WARM_UP_MS);
    } finally {
      contestants.values().forEach(Contestant::close);
      removeSharedMemory();
    }
  }

  private Contestant start(Exchange exchange, Contender contender) {
    Contender.Pair pair = contender.programs().pair(session, exchange);
    Path log = session.folder().resolve(contender.name() + ".log");
    return Contestant.start(pair.server(), log, pair.client());
  }

  /** Of processes that had to be killed. */
  private static void removeSharedMemory() {
    Path folder = Path.of("/dev/shm");
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(folder, FabricTwin.SHM_PREFIX + "*")) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove shared memory: folder=" + folder, e);
    }
  }

  private Result result(Exchange exchange, List<Contender> here, Duel duel) {
    int jvms = session.jvms();
    Part part = exchange.part();
    Result.Builder result = Result.of("fabric", exchange.title(), part.unit());
    SequencedMap<String, Spread> spreads = new LinkedHashMap<>();
    for (Contender contender : here) {
      double[] millions = duel.rates(contender.name()).samples();
      spreads.put(
          contender.name(),
          new Spread(
              Arrays.stream(millions).map(rate -> part.inUnit(rate, exchange.bytes())).toArray()));
    }
    spreads.forEach(result::contestant);
    String first = first(here);
    if (spreads.containsKey(Contender.C) && !first.equals(Contender.C)) {
      result.ratio(first, Contender.C, jvms);
    }
    spreads.forEach((name, spread) -> {
      Spread best = spreads.get(Contender.C);
      if (best != null && !name.equals(first) && !name.equals(Contender.C)) {
        result.figure(name + "/" + Contender.C, spread.dividedBy(best).medians(jvms).median());
      }
    });
    result.heapBytesPerPacket(duel.heapBytesPerPacket(first));
    here.stream()
        .filter(one -> one.programs() instanceof LineratePeers && !one.name().equals(first))
        .forEach(one -> result.figure(one.name() + " heap B", duel.heapBytesPerPacket(one.name())));
    if (part == Part.LATENCY && Yardstick.lack().isEmpty()) {
      result.figure(Yardstick.NAME, Yardstick.measure(session, exchange));
    }
    return result.build();
  }

  /** Whose ratio to C is that of the row: Linerate's, or that of the first after C. */
  private static String first(List<Contender> here) {
    return here.stream()
        .map(Contender::name)
        .filter(Contender.JAVA::equals)
        .findFirst()
        .or(() ->
            here.stream()
                .map(Contender::name)
                .filter(name -> !name.equals(Contender.C))
                .findFirst())
        .orElse(Contender.C);
  }
}
