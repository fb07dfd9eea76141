package io.linerate.bench.calls;

import io.linerate.bench.linux.Cables;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code calls}: a generator sends at a rate through veth to a forwarder, which has each of the
 * call policies in turn, and times what comes back through another veth. For full load another one
 * sends as fast as it can beside it.
 */
public final class CallsSuite implements Benchmark {
  private static final List<String> SCHEMES = List.of("packet", "xdp");
  private static final List<String> POLICIES = List.of("always", "full", "adaptive");

  /** Timed packets in a second. */
  private static final Map<String, Integer> LOADS = loads();

  private static final String FULL = "full";
  private static final int FRAME_BYTES = 64;
  private static final int WARM_UP_MS = 1_000;
  private static final int MAX_SLICE_MS = 2_000;

  /** Starting a JVM and ending it, and the generator's wait for the last packets. */
  private static final int START_MS = 1_200;

  private static final int ROUNDS = 3;

  private static Map<String, Integer> loads() {
    Map<String, Integer> loads = new LinkedHashMap<>();
    loads.put("sparse, 1 kpps", 1_000);
    loads.put("medium, 50 kpps", 50_000);
    loads.put(FULL, 1_000);
    return loads;
  }

  @Override
  public String name() {
    return "calls";
  }

  @Override
  public String summary() {
    return "system calls for each packet, and what they cost in rate and waiting";
  }

  @Override
  public void run(Session session) throws IOException {
    int rounds = session.quick() ? 1 : ROUNDS;
    int runs = rounds * SCHEMES.size() * LOADS.size() * POLICIES.size();
    int sliceMs =
        Math.clamp(session.budget().toMillis() / runs - WARM_UP_MS - START_MS, 100, MAX_SLICE_MS);
    for (String scheme : SCHEMES) {
      for (Map.Entry<String, Integer> load : LOADS.entrySet()) {
        if (session.wants(scheme + ", " + load.getKey())) {
          session.add(compare(session, scheme, load, rounds, sliceMs));
        }
      }
    }
  }

  /** The policies in turn, so that what disturbs one disturbs all. */
  private Result compare(
      Session session, String scheme, Map.Entry<String, Integer> load, int rounds, int sliceMs)
      throws IOException {
    Map<String, List<CallRun>> runs = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (String policy : POLICIES) {
        runs.computeIfAbsent(policy, _ -> new ArrayList<>())
            .add(measure(session, scheme, policy, load, sliceMs));
      }
    }
    Result.Builder result = Result.of(name(), scheme + ", " + load.getKey(), "calls per packet");
    runs.forEach((policy, of) -> {
      result.contestant(policy, CallRun.spread(of, CallRun::callsPerPacket));
      result.figure(policy + " kpps", CallRun.spread(of, CallRun::kpps).median());
      result.figure(policy + " kpps least", CallRun.spread(of, CallRun::kpps).min());
      result.figure(policy + " kpps most", CallRun.spread(of, CallRun::kpps).max());
      result.figure(policy + " p50 µs", CallRun.spread(of, CallRun::p50Us).median());
      result.figure(policy + " p99 µs", CallRun.spread(of, CallRun::p99Us).median());
      result.figure(policy + " missing", CallRun.spread(of, CallRun::missing).median());
    });
    return result.build();
  }

  private static CallRun measure(
      Session session, String scheme, String policy, Map.Entry<String, Integer> load, int sliceMs)
      throws IOException {
    try (Cables cables = new Cables(0)) {
      List<String> words = new ArrayList<>(session.javaCommand(CallMover.class.getName()));
      words.add(Integer.toString(session.cpu()));
      words.add(scheme + ":" + cables.in());
      words.add(scheme + ":" + cables.out() + ",calls=" + policy);
      Process mover =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      try (BufferedReader answers = mover.inputReader(StandardCharsets.UTF_8);
          Writer orders = mover.outputWriter(StandardCharsets.UTF_8)) {
        require("ready", answers.readLine());
        int pps = load.getValue();
        Process flood = load.getKey().equals(FULL) ? flood(session, cables) : null;
        try {
          meter(session, cables, pps, WARM_UP_MS);
          String before = ask(orders, answers);
          String meter = meter(session, cables, pps, sliceMs);
          return CallRun.of(before, ask(orders, answers), meter);
        } finally {
          end(flood);
        }
      } finally {
        end(mover);
      }
    }
  }

  private static void end(@Nullable Process process) {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  private static Process flood(Session session, Cables cables) throws IOException {
    return new ProcessBuilder(
            session.twin("linux-flood").toString(),
            Integer.toString(session.otherCpu()),
            cables.source(),
            Integer.toString(FRAME_BYTES))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void require(String wanted, String line) throws IOException {
    if (!wanted.equals(line)) {
      throw new IOException("forwarder does not begin: line=" + line);
    }
  }

  private static String ask(Writer orders, BufferedReader answers) throws IOException {
    orders.write("counts\n");
    orders.flush();
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("forwarder ended before it was asked");
    }
    return line;
  }

  private static String meter(Session session, Cables cables, int pps, int ms) throws IOException {
    Process meter =
        new ProcessBuilder(
                session.twin("linux-meter").toString(),
                Integer.toString(session.otherCpu()),
                cables.source(),
                cables.sink(),
                Integer.toString(pps),
                Integer.toString(ms))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = meter.inputReader(StandardCharsets.UTF_8)) {
      String line = said.readLine();
      if (line == null) {
        throw new IOException("generator said nothing: program=linux-meter");
      }
      return line;
    } finally {
      meter.onExit().join();
    }
  }
}
