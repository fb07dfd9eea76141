package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingTest {
  private static final int WAITS = 50;

  @ParameterizedTest
  @CsvSource({
    "shm,spin", "shm,yield", "shm,sleep", "shm,adaptive",
    "tcp,spin", "tcp,yield", "tcp,sleep", "tcp,adaptive",
    "tcp+rxm,spin", "tcp+rxm,yield", "tcp+rxm,sleep", "tcp+rxm,adaptive",
  })
  void shouldReturnWhenTimeIsOver(String provider, String waiting) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT, side -> waiting(side, waiting))) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(64));
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      CompletionQueue queue = link.rightEndpoint.queue();
      for (int ms : new int[] {0, 1, 30}) {
        Duration timeout = Duration.ofMillis(ms);
        long start = System.nanoTime();
        assertThat(queue.await(link.right.completions, timeout)).isZero();
        assertThat(queue.await(receive, timeout)).isFalse();
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        assertThat(waited).isGreaterThanOrEqualTo(timeout.multipliedBy(2));
        assertThat(waited).as("not for ever").isLessThan(Side.SOON);
      }
      assertThat(queue.await(receive, Duration.ofSeconds(-1))).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "shm,spin",
    "shm,sleep",
    "tcp,yield",
    "tcp,sleep",
    "tcp+rxm,adaptive",
    "tcp+rxm,sleep"
  })
  void shouldReturnWhenTheThreadIsInterrupted(String provider, String waiting)
      throws InterruptedException {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT, side -> waiting(side, waiting))) {
      Thread waiter = Thread.currentThread();
      AtomicBoolean hasReturned = new AtomicBoolean();
      Thread interrupter =
          Thread.ofPlatform()
              .start(() -> {
                while (!hasReturned.get()) {
                  waiter.interrupt();
                  LockSupport.parkNanos(100_000);
                }
              });
      CompletionQueue queue = link.rightEndpoint.queue();
      int count = queue.await(link.right.completions, Duration.ofSeconds(Long.MAX_VALUE));
      hasReturned.set(true);
      boolean isKept = Thread.interrupted();
      interrupter.join();
      isKept |= Thread.interrupted();
      assertThat(isKept).as("the interrupt is kept").isTrue();
      assertThat(count).isZero();
    }
  }

  /** Both sides have a thread of their own: nothing but what comes wakes the waiter. */
  @ParameterizedTest
  @CsvSource({
    "shm,spin", "shm,yield", "shm,sleep", "shm,adaptive",
    "tcp,spin", "tcp,yield", "tcp,sleep", "tcp,adaptive",
    "tcp+rxm,spin", "tcp+rxm,yield", "tcp+rxm,sleep", "tcp+rxm,adaptive",
  })
  void shouldReturnWhenSomethingComes(String provider, String waiting) throws InterruptedException {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT, side -> waiting(side, waiting))) {
      int messages = 20;
      MemoryRegion into = link.right.region(64);
      MemoryRegion from = link.left.pattern(64, 1);
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      Thread main = Thread.currentThread();
      Thread sender =
          Thread.ofPlatform()
              .unstarted(() -> {
                try {
                  send(link, from, messages);
                  link.left.domain.handOver(main);
                } catch (RuntimeException | AssertionError | InterruptedException e) {
                  failure.set(e);
                }
              });
      CompletionQueue queue = link.rightEndpoint.queue();
      Descriptor receive = link.right.domain.descriptor().on(into);
      link.left.domain.handOver(sender);
      sender.start();
      for (int i = 0; i < messages; i++) {
        assertThat(link.rightEndpoint.receive(receive)).isTrue();
        boolean hasCome =
            i % 2 == 0
                ? queue.await(receive, Side.SOON)
                : queue.await(link.right.completions, Side.SOON) == 1;
        assertThat(hasCome).as("message %d", i).isTrue();
        assertThat(receive.length()).isEqualTo(i + 1);
      }
      sender.join();
      assertThat(failure.get()).isNull();
    }
  }

  /** Messages with pauses, longer than the waiter spins. */
  private static void send(Link link, MemoryRegion from, int messages) throws InterruptedException {
    CompletionQueue queue = link.leftEndpoint.queue();
    Descriptor send = link.left.domain.descriptor();
    for (int i = 0; i < messages; i++) {
      Thread.sleep(3);
      long start = System.nanoTime();
      while (!link.toRight().send(send.on(from, 0, i + 1))) {
        queue.poll(link.left.completions);
        assertThat(System.nanoTime() - start).isLessThan(Side.SOON.toNanos());
      }
      assertThat(queue.await(send, Side.SOON)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldSleepWhileNothingComes(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT, side -> waiting(side, "sleep"))) {
      CompletionQueue queue = link.rightEndpoint.queue();
      assertThat(queue.canSleep()).isEqualTo(!provider.equals("shm"));
      int slept = 0;
      for (int i = 0; i < WAITS; i++) {
        long before = sleeps();
        assertThat(queue.await(link.right.completions, Duration.ofMillis(10))).isZero();
        slept += sleeps() > before ? 1 : 0;
      }
      // Others may take the CPU just when it began to wait, for all of the time.
      assertThat(slept).as("of %d waits", WAITS).isGreaterThan(WAITS / 2);
    }
  }

  /** How often this thread has given up its CPU, to wait for something. */
  private static long sleeps() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/thread-self/status"))) {
      return lines
          .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('\t') + 1)))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void shouldNotSleepByTheDescriptorOnceAnEndpointOfRxmWasClosed() {
    try (Link link = Link.open("tcp+rxm", DomainOptions.DEFAULT)) {
      assertThat(link.left.queue.canSleep()).isTrue();
      link.leftEndpoint.close();
      assertThat(link.left.queue.canSleep()).isFalse();
      assertThat(link.left.queue.await(link.left.completions, Duration.ofMillis(50))).isZero();
    }
  }

  @Test
  void shouldRefuseToWaitAtAnotherQueue() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(64));
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      CompletionQueue other = link.right.domain.completionQueue();
      assertThatThrownBy(() -> other.await(receive, Side.SOON))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("a descriptor ends at another completion queue");
      assertThatThrownBy(() -> link.left.queue.poll(link.right.completions))
          .hasMessageContaining("completions belong to another domain");
    }
  }

  @Test
  void shouldTakeTimesThatAreLongerThanThereAreNanoseconds() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    List<Long> taken = new ArrayList<>();
    taken.add(Waiting.nanos(longest));
    taken.add(Waiting.nanos(longest.negated()));
    taken.add(Waiting.nanos(Duration.ofNanos(5)));
    assertThat(taken).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, 5L);
    try (Link link =
        Link.open(
            "shm",
            DomainOptions.DEFAULT,
            side ->
                Bindings.of(
                    side.domain.completionQueue(64, new Waiting(longest, longest, true))))) {
      CompletionQueue queue = link.leftEndpoint.queue();
      assertThat(queue.await(link.left.completions, Duration.ofMillis(1))).isZero();
    }
  }

  @Test
  void shouldRefuseANameThatNoneHas() {
    assertThatThrownBy(() -> Waiting.named("nap"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name=nap");
  }

  private static Bindings waiting(Side side, String name) {
    return Bindings.of(side.domain.completionQueue(256, Waiting.named(name)));
  }
}
