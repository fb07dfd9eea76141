package io.linerate.bench.relay;

import io.linerate.bench.duel.ProcessSignal;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * {@code relay}: how long a datagram takes to a server and back, through {@code linerate nat}, a
 * translator of sockets in Java, and the kernel's own, in namespaces with veth pairs.
 */
public final class RelaySuite implements Benchmark {
  private static final String JAVA = "java";
  private static final String XDP = "java-xdp";
  private static final String SOCKETS = "sockets";
  private static final String KERNEL = "kernel";
  private static final int RELAY_PORT = 7_000;
  private static final int SLICE_TRIPS = 5_000;
  private static final int QUICK_SLICE_TRIPS = 200;
  private static final int WARM_UPS = 6;

  /** Of slices, however long they take. */
  private static final int LEAST_ROUNDS = 3;

  /** One that waits for its turn, and what asks through it. */
  private record Contestant(Process translator, TestLine.Client client) {
    TestLine.Times measure(int trips) {
      ProcessSignal.resume(translator);
      try {
        return client.measure(trips);
      } finally {
        ProcessSignal.stop(translator);
      }
    }
  }

  @Override
  public String name() {
    return "relay";
  }

  @Override
  public String summary() {
    return "a datagram's way there and back through a translator: beside sockets, and the kernel";
  }

  @Override
  public void run(Session session) {
    int trips = session.quick() ? QUICK_SLICE_TRIPS : SLICE_TRIPS;
    try (TestLine nat = new TestLine(session, 0);
        TestLine xdp = new TestLine(session, 1);
        TestLine sockets = new TestLine(session, 2);
        TestLine kernel = new TestLine(session, 3)) {
      Map<String, Contestant> contestants = new LinkedHashMap<>();
      contestants.put(JAVA, nat(session, nat, "packet"));
      contestants.put(XDP, nat(session, xdp, "xdp"));
      contestants.put(SOCKETS, sockets(session, sockets));
      contestants.put(KERNEL, kernel(kernel));
      Map<String, List<TestLine.Times>> times = new LinkedHashMap<>();
      contestants
          .values()
          .forEach(contestant -> {
            for (int i = 0; i < WARM_UPS; i++) {
              var _ = contestant.measure(trips);
            }
          });
      for (int i = 0; i < session.pairs(); i++) {
        if (i >= LEAST_ROUNDS && session.left().isZero()) {
          break;
        }
        contestants.forEach((name, contestant) ->
            times.computeIfAbsent(name, _ -> new ArrayList<>()).add(contestant.measure(trips)));
      }
      add(session, times, "median", TestLine.Times::medianUs);
      add(session, times, "99th percentile", TestLine.Times::p99Us);
    } catch (SkipException e) {
      session.skip("all", e.reason());
    }
  }

  private void add(
      Session session,
      Map<String, List<TestLine.Times>> times,
      String what,
      ToDoubleFunction<TestLine.Times> of) {
    String caseName = "round trip of 74 B, " + what;
    if (!session.wants(caseName)) {
      return;
    }
    Result.Builder result = Result.of(name(), caseName, "us");
    times.forEach((name, all) -> {
      result.contestant(name, new Spread(all.stream().mapToDouble(of).toArray()));
      int lost = all.stream().mapToInt(TestLine.Times::lost).sum();
      if (lost > 0) {
        result.note("%s lost %d datagrams".formatted(name, lost));
      }
    });
    session.add(result.ratio(JAVA, SOCKETS).build());
  }

  private static Contestant nat(Session session, TestLine line, String driver) {
    List<String> words = new ArrayList<>(session.javaCommand("io.linerate.apps.Main"));
    words.add("nat");
    words.add(TextFiles.write(session.folder().resolve("nat.properties"), List.of()).toString());
    for (String setting :
        List.of(
            "ports=inside=%s:inside; outside=%s:outside".formatted(driver, driver),
            "inside=" + TestLine.INSIDE + "/24",
            "outside=" + TestLine.OUTSIDE + "/24",
            "gateway=" + TestLine.SERVER,
            "idle=busy-spin",
            "cpus=" + session.cpu())) {
      words.addAll(List.of("--set", setting));
    }
    return contestant(line, words, TestLine.SERVER, TestLine.SERVER_PORT);
  }

  private static Contestant sockets(Session session, TestLine line) {
    line.address();
    List<String> words = new ArrayList<>(session.javaCommand(SocketRelay.class.getName()));
    words.addAll(List.of(String.valueOf(RELAY_PORT), TestLine.SERVER));
    words.add(String.valueOf(TestLine.SERVER_PORT));
    return contestant(line, words, TestLine.INSIDE, RELAY_PORT);
  }

  private static Contestant kernel(TestLine line) {
    line.address();
    line.between("sysctl -qw net.ipv4.ip_forward=1");
    line.between("nft add table ip nat");
    line.between("nft add chain ip nat out { type nat hook postrouting priority 100 ; }");
    line.between("nft add rule ip nat out oifname outside masquerade");
    return contestant(line, List.of("sleep", "infinity"), TestLine.SERVER, TestLine.SERVER_PORT);
  }

  private static Contestant contestant(
      TestLine line, List<String> command, String address, int port) {
    Process translator = line.translator(command);
    TestLine.Client client = line.client(address, port);
    ProcessSignal.stop(translator);
    return new Contestant(translator, client);
  }
}
