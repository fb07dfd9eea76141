package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Burst;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Calls all that handlers and elements are given, at random, from two workers and from a thread
 * that is none, while the graph changes, and after the engine was closed; and throws whatever can
 * be thrown. Prints the counts; it ends with 1 if the conservation law or a pool does not add up,
 * and not at all if the virtual machine dies.
 *
 * <p>{@code ApiStress SEED CALLS CAPTURE [deep]}; with the last word also where so little stack is
 * left that the called method itself cannot end: packets may be missing then, and nothing else.
 */
final class ApiStress {
  private static final int CALLS_A_BURST = 8;
  private static final int CALLS_AFTER_CLOSE = 10_000;

  /** So many of the deepest calls of a recursion without end call something more. */
  private static final int DEEPEST = 64;

  private final SplittableRandom seeds;
  private final long callsWanted;
  private final boolean isDeep;
  private final RandomCalls calls;

  private ApiStress(long seed, long callsWanted, boolean isDeep) {
    seeds = new SplittableRandom(seed);
    this.callsWanted = callsWanted;
    this.isDeep = isDeep;
    Set<Class<?>> types = new LinkedHashSet<>(HandlerTypes.reachable());
    types.addAll(List.of(Engine.class, GraphRunner.class, Worker.class));
    calls = new RandomCalls(types);
  }

  @SuppressWarnings("CatchAndPrintStackTrace")
  public static void main(String[] arguments) {
    boolean isDeep = arguments.length > 3;
    ApiStress stress =
        new ApiStress(Long.parseLong(arguments[0]), Long.parseLong(arguments[1]), isDeep);
    boolean isGood = false;
    try {
      isGood = stress.run(arguments[2]);
    } catch (InterruptedException | RuntimeException e) {
      e.printStackTrace();
    }
    System.exit(isGood || isDeep ? 0 : 1);
  }

  private boolean run(String capture) throws InterruptedException {
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(2).withTxRetryUs(1).withBuffers(4_096);
    Engine engine = new Engine(config);
    String source = "pcap:rx=" + capture + ",loop=forever";
    engine.port("graph", source);
    engine.port("end", "ring:end,size=64");
    Port wire = engine.port("wire", "ring:wire,size=64,loopback");
    Graph graph = graph(0);
    GraphRunner runner = GraphRunner.install(graph, engine);
    for (Worker worker : engine.workers()) {
      wire(worker, engine.port("in" + worker.id(), source), wire);
    }
    SplittableRandom strange = random();
    Thread stranger = new Thread(() -> disturb(strange), "stranger");
    engine.start();
    int version = 0;
    stranger.start();
    while (calls.calls() < callsWanted) {
      runner.change(graph(++version)); // What the elements before were given is of no use then.
    }
    engine.stop();
    boolean hasEnded = engine.awaitEnd(60_000);
    PacketCounts counts = engine.summary().packets();
    boolean isClean = close(engine) && hasEnded;
    stranger.join();
    List<Object> own = new ArrayList<>(List.of(engine, runner, wire, graph));
    own.addAll(engine.workers());
    for (int i = 0; i < CALLS_AFTER_CLOSE; i++) {
      calls.call(strange, own);
      calls.callKept(strange);
    }
    System.out.printf(
        "calls=%d thrown=%d counts=%s conserved=%s clean=%s%n",
        calls.calls(), calls.thrown(), counts, counts.isConserved(), isClean);
    return counts.isConserved() && counts.received() > 0 && isClean;
  }

  /** From the first worker to the second and back. */
  private Graph graph(int version) {
    return Graph.of(g -> {
      Node in = g.add("in", new FromPort("graph"));
      Node before = g.add("before", new StressElement(this, version, false));
      Node there = g.add("there", new StressElement(this, 0, true));
      Node middle = g.add("middle", new StressElement(this, version, false));
      Node back = g.add("back", new StressElement(this, 0, true));
      Node last = g.add("last", new ToPort("end"));
      Node step = g.add("step", new StressStep(this, version));
      Node nextStep = g.add("next-step", new StressStep(this, version));
      Node lastStep = g.add("last-step", new StressStep(this, version));
      g.chain(in, step, nextStep, lastStep, before, there, middle, back, last);
      g.on(0, before).on(1, middle).on(0, last);
    });
  }

  private static boolean close(Engine engine) {
    try {
      engine.close();
      return true;
    } catch (RuntimeException e) {
      e.printStackTrace();
      return false;
    }
  }

  private void wire(Worker worker, Port in, Port out) {
    SplittableRandom random = random();
    List<Object> given =
        List.of(worker.output(out), out, worker.hold(64, 1_000_000), worker.hold(1_000, 0));
    worker.input(in, handler(given, random));
    worker.input(out, handler(given, random));
  }

  /** Random numbers for one thread. */
  SplittableRandom random() {
    return seeds.split();
  }

  /** What calls methods of these, of its burst, and of what was kept. */
  BurstHandler handler(List<Object> given, SplittableRandom random) {
    return burst -> {
      List<Object> own = new ArrayList<>(given);
      own.addAll(List.of(burst, burst.iterator()));
      for (int i = 0; i < CALLS_A_BURST; i++) {
        addPacket(burst, own, random);
        call(own, random);
      }
    };
  }

  private static void addPacket(Burst burst, List<Object> own, SplittableRandom random) {
    if (burst.size() > 0) {
      try {
        own.add(burst.packet(random.nextInt(burst.size())));
      } catch (IllegalStateException e) {
        // It is gone by now.
      }
    }
  }

  /** Calls something, and sometimes throws something or uses the stack up. */
  void call(List<Object> own, SplittableRandom random) {
    calls.keep(own.get(random.nextInt(own.size())), random);
    calls.call(random, own);
    switch (random.nextInt(1_024)) {
      case 0 -> throw new IllegalStateException("wanted by the test");
      case 1 -> throw new OutOfMemoryError("wanted by the test");
      case 2 -> throw new InternalError("wanted by the test");
      case 3 -> throw ApiStress.<Error>unchecked(new Odd());
      case 4 -> overflow(own, random);
      case 5 -> {
        if (isDeep) {
          callDeep(own, random);
        }
      }
      default -> {}
    }
  }

  /** Neither an exception nor an error. */
  private static final class Odd extends Throwable {
    private static final long serialVersionUID = 1L;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Throws what it says. */
  @SuppressWarnings("InfiniteRecursion")
  private int overflow(List<Object> own, SplittableRandom random) {
    return overflow(own, random) + 1;
  }

  /**
   * Recursion without end, whose deepest calls call something more.
   *
   * @return calls below this one
   */
  @SuppressWarnings("InfiniteRecursion")
  private int callDeep(List<Object> own, SplittableRandom random) {
    int below = 0;
    try {
      below = 1 + callDeep(own, random);
    } catch (StackOverflowError e) {
      // The deepest.
    }
    if (below < DEEPEST) {
      try {
        calls.call(random, own);
      } catch (StackOverflowError e) {
        // Did not begin.
      }
    }
    return below;
  }

  /** What no program should do: uses from another thread what belongs to workers. */
  private void disturb(SplittableRandom random) {
    while (calls.calls() < callsWanted) {
      calls.callKept(random);
    }
  }
}
