package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.fabric.FabricCounter.Counted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counters of operations; tcp and tcp+rxm do not count what peers do with memory. */
class CountersTest {
  private static final int TIMES = 5;

  @ParameterizedTest
  @CsvSource({
    "shm,SENDS",
    "shm,RECEIVES",
    "shm,READS",
    "shm,WRITES",
    "shm,REMOTE_READS",
    "shm,REMOTE_WRITES",
    "tcp,SENDS",
    "tcp,RECEIVES",
    "tcp,READS",
    "tcp,WRITES",
    "tcp+rxm,SENDS",
    "tcp+rxm,RECEIVES",
    "tcp+rxm,READS",
    "tcp+rxm,WRITES",
  })
  void shouldCountOneKindOfOperations(String provider, Counted counted) {
    boolean isRemote = counted == Counted.REMOTE_READS || counted == Counted.REMOTE_WRITES;
    try (Link link =
        Link.open(
            provider,
            DomainOptions.DEFAULT,
            side -> Bindings.of(side.queue).counting(side.counter(), counted))) {
      MemoryRegion from = link.left.pattern(64, 1);
      MemoryRegion into = link.right.region(64, Access.values());
      RemoteRegion remote = into.publish();
      Descriptor receive = link.right.domain.descriptor().on(into);
      Descriptor operation = link.left.domain.descriptor().on(from);
      for (int i = 0; i < TIMES; i++) {
        assertThat(link.rightEndpoint.receive(receive)).isTrue();
        link.post(() -> link.toRight().send(operation));
        link.right.await(receive, link.left);
        link.left.await(operation, link.right);
        link.post(() -> link.toRight().write(operation, remote, 0));
        link.left.await(operation, link.right);
        link.post(() -> link.toRight().read(operation, remote, 0));
        link.left.await(operation, link.right);
      }
      boolean isRight = isRemote || counted == Counted.RECEIVES;
      FabricCounter counter = isRight ? link.right.counter() : link.left.counter();
      FabricCounter other = isRight ? link.left.counter() : link.right.counter();
      Link.until(() -> {
        link.progress();
        return counter.value() >= TIMES;
      });
      assertThat(counter.value()).isEqualTo(TIMES);
      assertThat(other.value()).isZero();
      assertThat(counter.errors()).isZero();
    }
  }

  @Test
  void shouldRefuseToCloseOneThatIsBound() {
    try (Link link =
        Link.open(
            "shm",
            DomainOptions.DEFAULT,
            side -> Bindings.of(side.queue).counting(side.counter(), Counted.SENDS))) {
      FabricCounter counter = link.left.counter();
      assertThatThrownBy(counter::close)
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("a counter is in use");
      link.leftEndpoint.close();
      counter.close();
      assertThatThrownBy(counter::value).hasMessageContaining("a counter is closed");
    }
  }
}
