package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.AllocationMeter;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending, receiving, polling and waiting make no objects. */
class AllocationTest {
  private static final int ROUND = 20_000;
  private static final Duration SOON = Side.SOON;

  private final TimeLimit limit = new TimeLimit();

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldMakeNoObjectsForMessagesThatArePolled(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion from = link.left.pattern(64, 1);
      MemoryRegion into = link.right.region(64);
      Descriptor send = link.left.domain.descriptor();
      Descriptor receive = link.right.domain.descriptor();
      AllocationMeter meter = new AllocationMeter(ROUND);
      while (!meter.isDone()) {
        receive.on(into);
        while (!link.rightEndpoint.receive(receive)) {
          poll(link);
        }
        send.on(from).immediate(7).level(CompletionLevel.TRANSMITTED);
        while (!link.toRight().send(send)) {
          poll(link);
        }
        while (send.isPosted() || receive.isPosted()) {
          poll(link);
        }
        meter.add(1);
      }
      meter.assertQuiet();
      assertThat(receive.length()).isEqualTo(64);
    }
  }

  private void poll(Link link) {
    limit.check();
    int sent = link.left.queue.poll(link.left.completions);
    for (int i = 0; i < sent; i++) {
      assertNoError(link.left.completions, i);
    }
    int received = link.right.queue.poll(link.right.completions);
    for (int i = 0; i < received; i++) {
      assertNoError(link.right.completions, i);
    }
  }

  private static void assertNoError(Completions completions, int index) {
    if (completions.error(index) != null
        || completions.descriptor(index) == null
        || completions.receiver(index) == null) {
      throw new AssertionError(String.valueOf(completions.error(index)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldMakeNoObjectsForMessagesThatAreWaitedFor(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion from = link.left.pattern(64, 1);
      MemoryRegion into = link.right.region(64, Access.REMOTE_WRITE);
      Descriptor send = link.left.domain.descriptor().on(from);
      Descriptor receive = link.right.domain.descriptor().on(into);
      long[] called = {0};
      receive.whenComplete(_ -> called[0]++);
      AllocationMeter meter = new AllocationMeter(ROUND);
      while (!meter.isDone()) {
        while (!link.rightEndpoint.receive(receive)) {
          limit.check();
          link.right.queue.await(link.right.completions, Duration.ZERO);
        }
        while (!link.toRight().send(send)) {
          limit.check();
          link.left.queue.await(link.left.completions, Duration.ZERO);
          link.right.queue.await(link.right.completions, Duration.ZERO);
        }
        boolean isSent = link.left.queue.await(send, SOON);
        boolean hasCome = link.right.queue.await(receive, SOON);
        if (!isSent || !hasCome) {
          throw new AssertionError("sent=%s, received=%s".formatted(isSent, hasCome));
        }
        meter.add(1);
      }
      meter.assertQuiet();
      assertThat(called[0]).isGreaterThan(ROUND);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldMakeNoObjectsForRemoteMemory(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion from = link.left.pattern(64, 1);
      RemoteRegion remote = link.right.region(64, Access.values()).publish();
      Descriptor operation = link.left.domain.descriptor().on(from);
      AllocationMeter meter = new AllocationMeter(ROUND);
      boolean isRead = false;
      while (!meter.isDone()) {
        isRead = !isRead;
        while (!(isRead
            ? link.toRight().read(operation, remote, 0)
            : link.toRight().write(operation, remote, 0))) {
          poll(link);
        }
        while (operation.isPosted()) {
          poll(link);
        }
        meter.add(1);
      }
      meter.assertQuiet();
      assertThat(operation.error()).isNull();
    }
  }
}
