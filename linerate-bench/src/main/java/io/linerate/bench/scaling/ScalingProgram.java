package io.linerate.bench.scaling;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.CpuAffinity;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The program that {@link ScalingBenchmark} starts: two workers that have packets in turn, each
 * alone and then both. It prints a line for each pair.
 */
public final class ScalingProgram {
  static final String SAMPLE = "sample ";

  private static final int IN_RING = 512;
  private static final int GARBAGE_MIB = 1_024;

  private final int pairs;
  private final long sliceMs;
  private final long warmUpMs;
  private final Gate[] gates = {new Gate(), new Gate()};

  private ScalingProgram(int pairs, long sliceMs, long warmUpMs) {
    this.pairs = pairs;
    this.sliceMs = sliceMs;
    this.warmUpMs = warmUpMs;
  }

  /**
   * Measures one case.
   *
   * @param arguments two CPUs, pairs, ms of a slice, ms of the warm-up, then a port with a queue
   *     for each worker, or two ports, or {@code none}
   */
  public static void main(String[] arguments) throws InterruptedException {
    List<Integer> cpus = Arrays.stream(arguments).limit(2).map(Integer::valueOf).toList();
    ScalingProgram program =
        new ScalingProgram(
            Integer.parseInt(arguments[2]),
            Long.parseLong(arguments[3]),
            Long.parseLong(arguments[4]));
    List<String> ports = List.of(arguments).subList(5, arguments.length);
    if (ports.getFirst().equals("none")) {
      program.calculate(cpus);
    } else {
      program.receive(cpus, ports);
    }
    System.exit(0);
  }

  private void receive(List<Integer> cpus, List<String> addresses) throws InterruptedException {
    EngineConfig config =
        EngineConfig.DEFAULT
            .withWorkers(2)
            .withCpus(cpus)
            .withIdle(Idle.BACKOFF)
            .withMemoryMiB(128);
    try (Engine engine = new Engine(config)) {
      List<Port> ports = addresses.stream().map(engine::port).toList();
      List<Worker> workers = engine.workers();
      for (int i = 0; i < workers.size(); i++) {
        Port port = ports.get(i % ports.size());
        workers
            .get(i)
            .input(
                new GatedPort(engine.drivers().port(port), gates, i),
                handler(workers.get(i), port));
      }
      ports.stream().filter(ScalingProgram::isRing).forEach(port -> fill(engine, port));
      engine.start();
      List<CountedThread> threads =
          workers.stream()
              .map(worker ->
                  new CountedThread(
                      thread("worker-" + worker.id()), () -> worker.counts().received()))
              .toList();
      sample(threads);
    }
  }

  private static boolean isRing(Port port) {
    return port.address().scheme().equals("ring");
  }

  /** What a program does at least: looks at the headers of each packet, then sends or drops it. */
  private static BurstHandler handler(Worker worker, Port port) {
    HeaderScanner scanner = new HeaderScanner();
    FlowKey key = new FlowKey();
    long[] hashes = new long[1];
    Output output = isRing(port) ? worker.output(port) : null;
    return burst -> {
      long sum = 0;
      for (Packet packet : burst) {
        scanner.scan(packet);
        key.read(packet, scanner);
        sum += key.hash();
      }
      hashes[0] += sum;
      if (output == null) {
        burst.dropAll(DropReason.CONSUMED);
      } else {
        output.sendAll(burst);
      }
    };
  }

  /** Puts packets into the rings of a loopback, where they stay. */
  private static void fill(Engine engine, Port port) {
    BufferPool pool = engine.drivers().pools().create("circling", 2 * IN_RING, 128, 1_024);
    for (int queue = 0; queue < port.txQueues(); queue++) {
      OwnedBurst burst = new OwnedBurst(new MbufArray(IN_RING));
      if (!pool.allocate(burst.array(), IN_RING)) {
        throw new IllegalStateException("no buffers: pool=" + pool.name());
      }
      for (Packet packet : burst) {
        packet.growTail(64);
        packet.u16(12, 0x0800);
        packet.u8(14, 0x45);
        packet.u16(16, 50);
        packet.u8(23, 17);
        packet.i32(26, packet.index());
      }
      int taken = engine.drivers().port(port).txQueue(queue).send(burst.array(), 0);
      if (taken != IN_RING) {
        throw new IllegalStateException("ring is too small: taken=" + taken);
      }
    }
  }

  private static long thread(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .findFirst()
        .orElseThrow()
        .threadId();
  }

  private void sample(List<CountedThread> threads) throws InterruptedException {
    rate(threads, 0, 2, warmUpMs);
    age();
    rate(threads, 0, 2, warmUpMs / 10 + 1);
    for (int i = 0; i < pairs; i++) {
      // Each alone, since neither the CPUs nor the compiled code of the two need be equal.
      double first = rate(threads, 0, 1, sliceMs);
      double second = rate(threads, 1, 2, sliceMs);
      double one = (first + second) / 2;
      double two = rate(threads, 0, 2, sliceMs);
      System.out.printf(Locale.ROOT, SAMPLE + "%.4f %.4f%n", one, two);
    }
  }

  /**
   * Lets the collector move objects as it does in a program that has run for a while: what two
   * workers write may become neighbours then.
   */
  private static void age() {
    long kept = 0;
    for (int i = 0; i < GARBAGE_MIB; i++) {
      kept += new byte[1 << 20].length;
    }
    if (kept > 0) {
      System.gc();
    }
  }

  /**
   * Mpps with the queues of threads {@code [from, to)} open: packets by the CPU time of each
   * worker's thread, added up. On free CPUs that is the rate by the clock; on others, the time that
   * other programs take is left out.
   */
  private double rate(List<CountedThread> all, int from, int to, long ms)
      throws InterruptedException {
    for (int i = 0; i < gates.length; i++) {
      gates[i].isOpen = from <= i && i < to;
    }
    Thread.sleep(5); // The other worker notices.
    List<CountedThread> threads = all.subList(from, to);
    threads.forEach(CountedThread::begin);
    Thread.sleep(ms);
    return threads.stream().mapToDouble(CountedThread::mpps).sum();
  }

  /** Threads that share nothing at all. */
  private void calculate(List<Integer> cpus) throws InterruptedException {
    List<CountedThread> threads = new ArrayList<>();
    for (int i = 0; i < cpus.size(); i++) {
      Calculation calculation = new Calculation(gates[i]);
      int cpu = cpus.get(i);
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                CpuAffinity.pin(cpu);
                calculation.run();
              });
      threads.add(new CountedThread(thread.threadId(), calculation::done));
    }
    sample(threads);
  }
}
