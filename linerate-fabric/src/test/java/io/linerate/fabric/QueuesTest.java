package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** More than fits: it is refused, and nothing that was taken is lost. */
class QueuesTest {
  private static final int ENDLESS = 100_000;
  private static final int ENTRIES = 4096;

  @ParameterizedTest
  @CsvSource({"shm,1024", "tcp,256", "tcp+rxm,2048"})
  void shouldTakeReceivesUntilItsQueueIsFullAndFillThemAll(String provider, int expected) {
    try (Link link = Link.open(provider, options(), QueuesTest::roomy)) {
      MemoryRegion into = link.right.region(8L * (expected + 1));
      List<Descriptor> receives = new ArrayList<>();
      while (receives.size() < ENDLESS) {
        Descriptor receive = link.right.domain.descriptor().on(into, 8L * receives.size(), 8);
        if (!link.rightEndpoint.receive(receive)) {
          assertThat(receive.isPosted()).isFalse();
          break;
        }
        receives.add(receive);
      }
      assertThat(receives).hasSize(expected);
      assertThat(link.rightEndpoint.queue().expected()).isEqualTo(expected);
      assertThat(link.right.domain.provider().receiveQueue()).isEqualTo(expected);
      sendNumbers(link, expected);
      for (int i = 0; i < expected; i++) {
        awaitEnd(link, receives.get(i));
        assertThat(into.segment().get(ValueLayout.JAVA_LONG, 8L * i)).isEqualTo(i);
      }
      assertThat(link.rightEndpoint.receive(receives.getFirst())).isTrue();
    }
  }

  /** Nobody takes them. tcp itself takes any number: its completion queue has an end. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldTakeSendsUntilItsQueueIsFullAndBringThemAll(String provider) {
    try (Link link = Link.open(provider, options(), QueuesTest::roomy)) {
      warmUp(link);
      List<Descriptor> sends = new ArrayList<>();
      while (sends.size() < ENDLESS) {
        MemoryRegion number = link.left.region(8);
        number.segment().set(ValueLayout.JAVA_LONG, 0, sends.size());
        Descriptor send = link.left.domain.descriptor().on(number);
        if (!link.toRight().send(send)) {
          assertThat(send.isPosted()).isFalse();
          break;
        }
        sends.add(send);
      }
      assertThat(sends).hasSizeBetween(64, ENTRIES);
      MemoryRegion into = link.right.region(8);
      Descriptor receive = link.right.domain.descriptor().on(into);
      for (int i = 0; i < sends.size(); i++) {
        link.post(() -> link.rightEndpoint.receive(receive));
        awaitEnd(link, receive);
        assertThat(receive.error()).isNull();
        assertThat(into.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(i);
      }
      for (Descriptor send : sends) {
        awaitEnd(link, send);
        assertThat(send.error()).isNull();
      }
      assertThat(link.leftEndpoint.queue().expected()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldTakeNoMoreThanTheCompletionQueueHasRoomFor(String provider) {
    try (Link link =
        Link.open(
            provider,
            DomainOptions.DEFAULT,
            side -> Bindings.of(side.domain.completionQueue(8, Waiting.ADAPTIVE)))) {
      MemoryRegion into = link.right.region(8 * 9);
      List<Descriptor> receives = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        Descriptor receive = link.right.domain.descriptor().on(into, 8L * i, 8);
        assertThat(link.rightEndpoint.receive(receive)).as("receive %d", i).isEqualTo(i < 8);
        receives.add(receive);
      }
      int received = 0;
      for (int i = 0; i < 50; i++) { // Each time one ends there is room for one more.
        sendNumbers(link, 1);
        Descriptor first = receives.get(received % 9);
        awaitEnd(link, first);
        assertThat(first.error()).isNull();
        Descriptor next = receives.get((received + 8) % 9);
        assertThat(link.rightEndpoint.receive(next)).isTrue();
        assertThat(link.rightEndpoint.queue().expected()).isEqualTo(8);
        received++;
      }
    }
  }

  /** What is posted by several endpoints to one queue counts together. */
  @Test
  void shouldShareTheRoomOfACompletionQueueAmongEndpoints() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT);
        Link other = Link.open("tcp", DomainOptions.DEFAULT)) {
      CompletionQueue queue = link.right.domain.completionQueue(4, Waiting.ADAPTIVE);
      FabricAddress address = FabricAddresses.free("tcp");
      Listener listener = link.right.domain.listen(address);
      List<Connection> accepted = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Connection connecting = other.left.domain.connect(address, other.left.queue);
        Link.until(() -> {
          listener.poll().ifPresent(request -> accepted.add(request.accept(Bindings.of(queue))));
          accepted.forEach(Connection::state);
          return connecting.state() == Connection.State.CONNECTED;
        });
      }
      MemoryRegion into = link.right.region(8);
      for (int i = 0; i < 4; i++) {
        assertThat(accepted.get(i % 2).receive(link.right.domain.descriptor().on(into))).isTrue();
      }
      Descriptor fifth = link.right.domain.descriptor().on(into);
      assertThat(accepted.get(0).receive(fifth)).isFalse();
      accepted.get(1).close();
      assertThat(accepted.get(0).receive(fifth)).isTrue();
      assertThatThrownBy(queue::close)
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("a completion queue is in use");
      accepted.get(0).close();
      queue.close();
    }
  }

  @Test
  void shouldGiveNoMoreDescriptorsThanItWasAskedFor() {
    DomainOptions options = new DomainOptions(Set.of(), 0, 0, 3, 4);
    try (FabricDomain domain = FabricDomain.open(FabricAddresses.free("shm"), options)) {
      Descriptor first = domain.descriptor();
      domain.descriptor();
      domain.descriptor();
      assertThatThrownBy(domain::descriptor)
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("no descriptor left: descriptors=3");
      first.close();
      first.close();
      Descriptor fourth = domain.descriptor();
      assertThatThrownBy(domain::descriptor).hasMessageContaining("no descriptor left");
      assertThatThrownBy(() -> first.immediate(1)).hasMessageContaining("a descriptor is closed");
      first.close(); // Not the one that has its place now.
      fourth.immediate(1);
    }
  }

  @Test
  void shouldRefuseNumbersThatNobodyCanMean() {
    try (FabricDomain domain = FabricDomain.open(FabricAddresses.free("shm"))) {
      for (int wrong : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        assertThatThrownBy(() -> domain.completionQueue(wrong, Waiting.SLEEP))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("entries=" + wrong);
        assertThatThrownBy(() -> domain.completions(wrong))
            .hasMessageContaining("capacity=" + wrong);
        assertThatThrownBy(() -> DomainOptions.DEFAULT.leastMultiReceive(wrong))
            .hasMessageContaining("leastMultiReceive=" + wrong);
        assertThatThrownBy(() -> new DomainOptions(Set.of(), 0, 0, wrong, 1))
            .hasMessageContaining("descriptors=" + wrong);
      }
    }
  }

  private static DomainOptions options() {
    return new DomainOptions(Set.of(), 0, 0, 1 << 17, 64);
  }

  private static Bindings roomy(Side side) {
    return Bindings.of(side.domain.completionQueue(ENTRIES, Waiting.ADAPTIVE));
  }

  private static void progress(Link link) {
    link.leftEndpoint.queue().progress();
    link.rightEndpoint.queue().progress();
  }

  private static void awaitEnd(Link link, Descriptor descriptor) {
    Link.until(() -> {
      progress(link);
      return !descriptor.isPosted();
    });
  }

  private static void sendNumbers(Link link, int count) {
    MemoryRegion number = link.left.region(8);
    Descriptor send = link.left.domain.descriptor().on(number);
    for (int i = 0; i < count; i++) {
      number.segment().set(ValueLayout.JAVA_LONG, 0, i);
      Link.until(() -> {
        progress(link);
        return link.toRight().send(send);
      });
      awaitEnd(link, send);
    }
    send.close();
  }

  /** Until the sides have found each other, nothing is taken. */
  private static void warmUp(Link link) {
    Descriptor receive = link.right.domain.descriptor().on(link.right.region(8));
    assertThat(link.rightEndpoint.receive(receive)).isTrue();
    sendNumbers(link, 1);
    awaitEnd(link, receive);
  }
}
