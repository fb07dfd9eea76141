package io.linerate.bench.linux;

import io.linerate.bench.duel.Sample;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.List;

/** {@code linux}: the kernel's rings. */
public final class LinuxSuite implements Benchmark {
  private static final List<KernelCase> CASES =
      List.of(
          new KernelCase("packet", "linux-packet", "net_af_packet", false, 64),
          new KernelCase("packet", "linux-packet", "net_af_packet", true, 64),
          new KernelCase("packet", "linux-packet", "net_af_packet", true, 1_514),
          new KernelCase("xdp", "linux-xdp", "net_af_xdp", false, 64),
          new KernelCase("xdp", "linux-xdp", "net_af_xdp", true, 64),
          new KernelCase("xdp", "linux-xdp", "net_af_xdp", true, 1_514));

  private static final int WARM_UP_SHARE = 4;
  private static final int MAX_WARM_UP_MS = 3_000;
  private static final int MAX_SLICE_MS = 500;

  /** Starting processes and stopping them, for each case and for each slice. */
  private static final int START_MS = 2_500;

  private static final int PAUSE_MS = 20;

  @Override
  public String name() {
    return "linux";
  }

  @Override
  public String summary() {
    return "the kernel's rings: receive, forward, on veth pairs";
  }

  @Override
  public void run(Session session) {
    List<KernelCase> wanted = CASES.stream().filter(one -> session.wants(one.title())).toList();
    for (int i = 0; i < wanted.size(); i++) {
      KernelCase one = wanted.get(i);
      try {
        fight(session, one, (int) (session.left().toMillis() / (wanted.size() - i)));
      } catch (SkipException e) {
        session.skip(one.title(), String.valueOf(e.getMessage()));
      }
    }
  }

  private void fight(Session session, KernelCase one, int budgetMs) {
    int measuringMs = Math.max(1_000, budgetMs - START_MS);
    int warmUpMs = Math.min(MAX_WARM_UP_MS, measuringMs / WARM_UP_SHARE);
    int sliceMs =
        Math.clamp((measuringMs - warmUpMs) / (3L * session.pairs()) - PAUSE_MS, 20, MAX_SLICE_MS);
    int bytes = one.frameBytes();
    try (Flooded c = Flooded.start(session, 0, bytes, it -> one.cCommand(session, it));
        Flooded java = Flooded.start(session, 1, bytes, it -> one.javaCommand(session, it));
        Flooded dpdk = Flooded.start(session, 2, bytes, it -> one.dpdkCommand(session, it))) {
      c.measure(sliceMs);
      java.measure(warmUpMs);
      dpdk.measure(warmUpMs / 2);
      List<Sample> ofJava = new ArrayList<>();
      List<Sample> ofC = new ArrayList<>();
      List<Sample> ofDpdk = new ArrayList<>();
      for (int i = 0; i < session.pairs(); i++) {
        ofJava.add(java.measure(sliceMs));
        ofC.add(c.measure(sliceMs));
        ofDpdk.add(dpdk.measure(sliceMs));
      }
      session.add(
          Result.of(name(), one.title(), "Mpps")
              .contestant("java", rates(ofJava))
              .contestant("c", rates(ofC))
              .contestant("java on " + one.dpdk(), rates(ofDpdk))
              .ratio("java", "c")
              .heapBytesPerPacket(heapBytesPerPacket(ofJava))
              .build());
    }
  }

  private static Spread rates(List<Sample> samples) {
    return new Spread(samples.stream().mapToDouble(Sample::mpps).toArray());
  }

  private static double heapBytesPerPacket(List<Sample> samples) {
    long bytes = samples.stream().mapToLong(Sample::heapBytes).sum();
    long packets = samples.stream().mapToLong(Sample::received).sum();
    return packets == 0 ? 0 : (double) bytes / packets;
  }
}
