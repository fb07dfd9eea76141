package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.testkit.Soak;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;

/** Programs that are killed one after the other, and how long it takes until that is told. */
public final class KilledPrograms implements AutoCloseable {
  /** What a program is doing when it is killed. */
  public enum Stage {
    /** It has asked for a link that nobody has accepted yet. */
    ASKING,
    /** It was asked for a link, and has not accepted it yet. */
    ASKED,
    /** It has just accepted one. */
    ACCEPTED,
    IDLE,
    RECEIVING,
    SENDING,
    /** Its memory is written by us. */
    TARGET,
    /** It writes our memory. */
    WRITING,
    /** It sleeps, and so do we. */
    ASLEEP;

    public boolean isRemoteMemory() {
      return this == TARGET || this == WRITING;
    }
  }

  /** The program that is told, which is this one. */
  public interface Survivor extends AutoCloseable {
    /** Takes a program, brings it there, kills it, and waits until that is told. */
    void survive(Stage stage, int operations);

    @Override
    void close();
  }

  /** Until it is told. */
  public static final long SOON_NS = 10_000_000_000L;

  private static final long AWAKE_NS = 50_000_000;

  private final Class<?> main;
  private final FailureTimes times = new FailureTimes();
  private OtherProgram next;
  private volatile long killed;

  private KilledPrograms(Class<?> main) {
    this.main = main;
    next = OtherProgram.start(main);
  }

  /** Has a program killed at each of the stages, again and again, of which nothing is left. */
  public static void rounds(
      String provider,
      Class<?> main,
      Predicate<Stage> isTried,
      Function<KilledPrograms, Survivor> open) {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    SplittableRandom random = new SplittableRandom(Soak.seed(provider.hashCode()));
    try (KilledPrograms programs = new KilledPrograms(main)) {
      open.apply(programs).close(); // What it opens once for the process.
      OpenThings before = OpenThings.count();
      try (Survivor survivor = open.apply(programs)) {
        int rounds = Soak.times(1, 8);
        for (int i = 0; i < rounds; i++) {
          for (Stage stage : Stage.values()) {
            if (isTried.test(stage)) {
              survivor.survive(stage, random.nextInt(1, 2000));
            }
          }
        }
      } finally {
        System.out.println(programs.times.report());
      }
      assertThat(OpenThings.count()).isEqualTo(before);
    }
  }

  /** One that runs. The following one loads the library while this one is at work. */
  public OtherProgram take() {
    OtherProgram taken = next;
    next = OtherProgram.start(main);
    return taken;
  }

  /** Kills it now, or while this thread sleeps. */
  public void kill(OtherProgram program, Stage stage) {
    if (stage == Stage.ASLEEP) {
      killWhileAsleep(program);
    } else {
      killed = program.kill();
    }
  }

  private void killWhileAsleep(OtherProgram program) {
    killed = Long.MAX_VALUE;
    Thread.ofVirtual()
        .name("killer")
        .start(() -> {
          LockSupport.parkNanos(AWAKE_NS);
          killed = program.kill();
        });
  }

  /** It is told now that the one is gone that was killed last. */
  public void told(String what, FabricError error) {
    times.add(what, System.nanoTime() - killed);
    assertThat(error.text()).as("%s: %s", what, error).isNotBlank();
    assertThat(error.kind())
        .as("%s: %s", what, error)
        .isIn(FabricError.Kind.PEER_LOST, FabricError.Kind.DISCONNECTED);
  }

  @Override
  public void close() {
    next.close();
  }
}
