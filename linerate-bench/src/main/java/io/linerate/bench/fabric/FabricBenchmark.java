package io.linerate.bench.fabric;

import io.linerate.bench.duel.Curve;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * {@code fabric}: messages by libfabric's providers, remote memory, and what crossing into C and
 * making bytes of an object cost on the way to them.
 */
public final class FabricBenchmark implements Benchmark {
  private static final String NAME = "fabric";

  /** Powers of four from 4 B to 1 MiB. */
  private static final List<Integer> SIZES =
      IntStream.rangeClosed(1, 10).mapToObj(power -> 1 << (2 * power)).toList();

  /** When there is no time for all. */
  private static final List<Integer> FEW_SIZES = List.of(4, 1 << 16);

  private static final List<Integer> RATE_SIZES = List.of(4, 64);
  private static final int MOST_BYTES_OF_UDP = 1 << 16;

  /** A case that is measured well enough takes so long, with each JVM. */
  private static final int LEAST_CASE_MS = 6_000;

  private final FabricChoice choice;

  public FabricBenchmark(FabricChoice choice) {
    this.choice = choice;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String summary() {
    return "messages by libfabric: Linerate and C on it, sockets, UCX; calls into C; registered memory; bytes of an object";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) {
    List<Exchange> exchanges = exchanges(session);
    List<LoopCase> loops = loops(session);
    int all = exchanges.size() + loops.size();
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < loops.size(); i++) {
      results.add(loops.get(i).fight(session, (int) (session.left().toMillis() / (all - i))));
    }
    RegistrationCases.conclude(session, results);
    exchange(session, exchanges);
  }

  private List<LoopCase> loops(Session session) {
    List<LoopCase> loops = new ArrayList<>();
    if (choice.wants(Part.CROSSING)) {
      loops.addAll(CrossingCases.all(session));
    }
    if (choice.wants(Part.REGISTRATION)) {
      loops.addAll(RegistrationCases.all(session));
    }
    if (choice.wants(Part.SERIALISATION)) {
      loops.addAll(SerialisationCases.all());
    }
    loops.removeIf(one -> !session.wants(one.title()));
    return loops;
  }

  private List<Exchange> exchanges(Session session) {
    List<Exchange> every = exchanges(session, SIZES);
    boolean hasTime =
        session.left().toMillis() >= (long) LEAST_CASE_MS * session.jvms() * every.size();
    return hasTime ? every : exchanges(session, FEW_SIZES);
  }

  private List<Exchange> exchanges(Session session, List<Integer> sizes) {
    List<Exchange> exchanges = new ArrayList<>();
    for (Part part : Part.values()) {
      for (Provider provider : Provider.values()) {
        List<Integer> ofPart = part == Part.RATE ? RATE_SIZES : sizes;
        for (int bytes : choice.sizes().isEmpty() ? ofPart : choice.sizes()) {
          Exchange exchange = new Exchange(part, provider, bytes);
          if (isWanted(session, exchange)) {
            exchanges.add(exchange);
          }
        }
      }
    }
    return exchanges;
  }

  private boolean isWanted(Session session, Exchange exchange) {
    boolean isPossible =
        exchange.part().hasPeer()
            && !(exchange.provider().isForMessagesOnly()
                && (exchange.part().isRemoteMemory()
                    || exchange.part().volumeBytes() > 0
                    || exchange.bytes() > MOST_BYTES_OF_UDP))
            && !exchange.part().isTooSmall(exchange.bytes());
    return isPossible
        && choice.wants(exchange.part())
        && choice.wants(exchange.provider())
        && session.wants(exchange.title());
  }

  private static void exchange(Session session, List<Exchange> exchanges) {
    List<Contender> contenders = new ArrayList<>();
    for (Contender contender : Contender.ALL) {
      if (exchanges.stream().anyMatch(contender::has)) {
        String lack = contender.programs().lack(session);
        if (lack.isEmpty()) {
          contenders.add(contender);
        } else {
          session.skip(contender.name(), lack);
        }
      }
    }
    if (exchanges.stream().anyMatch(one -> one.part() == Part.LATENCY)
        && !Yardstick.lack().isEmpty()) {
      session.skip(Yardstick.NAME, Yardstick.lack());
    }
    Map<String, Curve> curves = new LinkedHashMap<>();
    ExchangeDuel duel = new ExchangeDuel(session, contenders);
    for (int i = 0; i < exchanges.size(); i++) {
      Exchange exchange = exchanges.get(i);
      if (contenders.stream().anyMatch(one -> one.has(exchange))) {
        int budgetMs = (int) (session.left().toMillis() / (exchanges.size() - i));
        curves
            .computeIfAbsent(
                exchange.part().title() + " " + exchange.provider().title(), _ -> new Curve())
            .add(exchange.bytes(), duel.fight(exchange, budgetMs));
      }
    }
    curves.forEach((what, curve) -> chart(session, what, curve));
  }

  private static void chart(Session session, String what, Curve curve) {
    if (curve.x().size() > 1) {
      String file = NAME + "-" + what.replaceAll("[^a-z0-9]+", "-");
      String unit = curve.results().getFirst().unit();
      session.add(Chart.lines(file, what, "message, B", unit, curve.series("")).withLogX());
    }
  }
}
