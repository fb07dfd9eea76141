package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Calls public methods of all that handlers are given, at random: in any order, with arguments from
 * the edges, from handlers of two workers and from a thread that is none, on what was kept from
 * earlier bursts and from the other worker, and after the engine was closed. Prints the counts; it
 * ends with 1 if the conservation law or a pool does not add up, and not at all if the virtual
 * machine dies.
 *
 * <p>{@code ApiStress SEED CALLS CAPTURE}
 */
final class ApiStress {
  private static final int KEPT = 64;
  private static final int CALLS_A_BURST = 8;
  private static final int[] NUMBERS = {
    -1,
    0,
    1,
    2,
    13,
    14,
    31,
    32,
    33,
    63,
    64,
    127,
    1_500,
    2_048,
    65_535,
    65_536,
    100_000,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE
  };

  /** Ends the program's resources: what a handler may call, but then there is nothing to test. */
  private static final List<String> LEFT_ALONE = List.of("wait", "notify", "notifyAll", "steering");

  private final long callsWanted;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong thrown = new AtomicLong();
  private final Map<Class<?>, Method[]> methods = new LinkedHashMap<>();
  private final AtomicReferenceArray<Object> kept = new AtomicReferenceArray<>(KEPT);
  private final MemorySegment closed;
  private final MemorySegment lent = Arena.ofShared().allocate(4_096);

  private ApiStress(long callsWanted) {
    this.callsWanted = callsWanted;
    HandlerTypes.reachable()
        .forEach(type ->
            methods.put(
                type,
                HandlerTypes.methods(type)
                    .filter(method -> !LEFT_ALONE.contains(method.getName()))
                    .toArray(Method[]::new)));
    methods.put(Iterator.class, HandlerTypes.methods(Iterator.class).toArray(Method[]::new));
    try (Arena arena = Arena.ofShared()) {
      closed = arena.allocate(64);
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    long seed = Long.parseLong(arguments[0]);
    ApiStress stress = new ApiStress(Long.parseLong(arguments[1]));
    System.exit(stress.run(seed, arguments[2]) ? 0 : 1);
  }

  private boolean run(long seed, String capture) throws InterruptedException {
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(2).withTxRetryUs(1).withBuffers(4_096);
    Engine engine = new Engine(config);
    Port left = engine.port("left", "pcap:rx=" + capture + ",loop=forever");
    Port right = engine.port("right", "pcap:rx=" + capture + ",loop=forever");
    Port wire = engine.port("wire", "ring:wire,size=64,loopback");
    wire(engine.workers().get(0), left, wire, new SplittableRandom(seed));
    wire(engine.workers().get(1), right, wire, new SplittableRandom(seed + 1));
    Thread stranger = new Thread(() -> disturb(new SplittableRandom(seed + 2)), "stranger");
    engine.start();
    stranger.start();
    while (calls.get() < callsWanted) {
      Thread.sleep(20);
    }
    engine.stop();
    engine.awaitEnd(60_000);
    PacketCounts counts = engine.summary().packets();
    boolean isClean = close(engine);
    stranger.join();
    SplittableRandom random = new SplittableRandom(seed + 3);
    for (int i = 0; i < 10_000; i++) {
      call(kept.get(random.nextInt(KEPT)), random, List.of());
    }
    System.out.printf(
        "calls=%d thrown=%d counts=%s conserved=%s clean=%s%n",
        calls.get(), thrown.get(), counts, counts.isConserved(), isClean);
    return counts.isConserved() && counts.received() > 0 && isClean;
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

  private void wire(Worker worker, Port in, Port out, SplittableRandom random) {
    Output output = worker.output(out);
    worker.input(in, burst -> handle(burst, output, random));
    worker.input(out, burst -> handle(burst, output, random));
  }

  private void handle(Burst burst, Output output, SplittableRandom random) throws Exception {
    List<Object> own = new ArrayList<>(List.of(burst, output, burst.iterator()));
    keep(burst, random);
    keep(output, random);
    for (int i = 0; i < CALLS_A_BURST; i++) {
      if (burst.size() > 0) {
        try {
          own.add(burst.packet(random.nextInt(burst.size())));
        } catch (IllegalStateException e) {
          // It is gone by now.
        }
      }
      boolean isOld = random.nextInt(8) == 0;
      call(
          isOld ? kept.get(random.nextInt(KEPT)) : own.get(random.nextInt(own.size())),
          random,
          own);
    }
    if (random.nextInt(16) == 0) {
      throw new Exception("wanted by the test");
    }
  }

  /** What no program should do: uses from another thread what belongs to workers. */
  private void disturb(SplittableRandom random) {
    while (calls.get() < callsWanted) {
      call(kept.get(random.nextInt(KEPT)), random, List.of());
    }
  }

  private void keep(Object object, SplittableRandom random) {
    kept.setRelease(random.nextInt(KEPT), object);
  }

  private void call(Object target, SplittableRandom random, List<Object> own) {
    if (target == null) {
      return;
    }
    Class<?> type = target instanceof Iterator<?> ? Iterator.class : target.getClass();
    Method[] possible = methods.get(type);
    if (possible == null || possible.length == 0) {
      return;
    }
    Method method = possible[random.nextInt(possible.length)];
    calls.incrementAndGet();
    try {
      Object result = method.invoke(target, arguments(method, random, own));
      if (result instanceof Packet || result instanceof Iterator<?>) {
        keep(result, random);
      }
    } catch (InvocationTargetException | IllegalArgumentException e) {
      thrown.incrementAndGet();
    } catch (IllegalAccessException e) {
      throw new AssertionError(method.toString(), e);
    }
  }

  private Object[] arguments(Method method, SplittableRandom random, List<Object> own) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = argument(types[i], random, own);
    }
    return arguments;
  }

  private Object argument(Class<?> type, SplittableRandom random, List<Object> own) {
    if (type == int.class) {
      return random.nextInt(4) == 0 ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextInt(70);
    }
    if (type == long.class) {
      return random.nextInt(4) == 0 ? random.nextLong() : random.nextLong(70);
    }
    if (type == boolean.class) {
      return random.nextBoolean();
    }
    if (type == byte[].class) {
      return new byte[random.nextInt(100)];
    }
    if (type == int[].class) {
      return new int[random.nextInt(100)];
    }
    if (type == long[].class) {
      return new long[random.nextInt(100)];
    }
    if (type == MemorySegment.class) {
      return switch (random.nextInt(3)) {
        case 0 -> closed;
        case 1 -> lent;
        default -> MemorySegment.ofArray(new byte[random.nextInt(100)]);
      };
    }
    if (type == DropReason.class) {
      return random.nextInt(10) == 0 ? null : DropReason.named("reason_" + random.nextInt(400));
    }
    Object some =
        random.nextInt(4) == 0 || own.isEmpty()
            ? kept.get(random.nextInt(KEPT))
            : own.get(random.nextInt(own.size()));
    return type.isInstance(some) ? some : null;
  }
}
