package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory for messages that is posted by the native call of the next poll. */
class ReceiveWithPollTest {
  private static final int MANY = 300;

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldReceiveInTheOrderInWhichMemoryWasPosted(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion into = link.right.region(MANY * 8L);
      List<Descriptor> receives = new ArrayList<>();
      for (int i = 0; i < MANY; i++) { // More than a batch: what comes behind it waits for it.
        receives.add(link.right.domain.descriptor().on(into, i * 8L, 8));
      }
      int posted = 0;
      MemoryRegion from = link.left.region(8);
      for (int i = 0; i < MANY; i++) {
        while (posted < MANY && link.rightEndpoint.receiveWithPoll(receives.get(posted))) {
          assertThat(receives.get(posted).isPosted()).isTrue();
          posted++;
        }
        from.segment().set(java.lang.foreign.ValueLayout.JAVA_LONG, 0, i);
        link.post(() -> link.toRight().inject(from, 0, 8));
      }
      for (int i = 0; i < MANY; i++) {
        while (posted < MANY && link.rightEndpoint.receiveWithPoll(receives.get(posted))) {
          posted++;
        }
        link.right.await(receives.get(i), link.left);
        assertThat(receives.get(i).error()).isNull();
        assertThat(into.segment().get(java.lang.foreign.ValueLayout.JAVA_LONG, i * 8L))
            .isEqualTo(i);
      }
      assertThat(link.right.queue.expected()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldKeepItsMemoryUntilItHasEnded(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion into = link.right.region(64);
      Descriptor receive = link.right.domain.descriptor().on(into);
      assertThat(link.rightEndpoint.receiveWithPoll(receive)).isTrue();
      assertThatThrownBy(into::close).hasMessageContaining("a memory region is in use");
      assertThatThrownBy(() -> receive.on(into)).hasMessageContaining("a descriptor is posted");
      link.rightEndpoint.cancel(receive); // Which posts it before.
      link.right.await(receive, link.left);
      assertThat(receive.error().kind()).isEqualTo(FabricError.Kind.CANCELED);
      assertThat(link.right.queue.expected()).isZero();
      into.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldEndWithItsEndpointBeforeThePoll(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion into = link.right.region(64);
      Descriptor posted = link.right.domain.descriptor().on(into);
      Descriptor waiting = link.right.domain.descriptor().on(into);
      assertThat(link.rightEndpoint.receive(posted)).isTrue();
      assertThat(link.rightEndpoint.receiveWithPoll(waiting)).isTrue();
      link.rightEndpoint.close();
      assertThat(waiting.isPosted()).isFalse();
      assertThat(waiting.error().kind()).isEqualTo(FabricError.Kind.CANCELED);
      assertThat(link.right.queue.poll(link.right.completions)).isZero();
      waiting.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldReadNothingOfCompletionsWhoseDomainIsClosed(String provider) {
    Link link = Link.open(provider, DomainOptions.DEFAULT);
    Descriptor receive = link.right.domain.descriptor().on(link.right.region(64));
    assertThat(link.rightEndpoint.receiveWithPoll(receive)).isTrue();
    MemoryRegion from = link.left.region(8);
    link.post(() -> link.toRight().inject(from, 0, 8));
    Link.until(() -> {
      link.left.queue.progress();
      return link.right.queue.poll(link.right.completions) > 0;
    });
    assertThat(link.right.completions.length(0)).isEqualTo(8);
    link.close();
    assertThatThrownBy(() -> link.right.completions.length(0))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("domain is closed");
  }
}
