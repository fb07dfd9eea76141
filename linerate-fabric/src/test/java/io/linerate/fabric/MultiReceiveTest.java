package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory for several messages. shm does not have it, see {@link Defect}; tcp has it never. */
class MultiReceiveTest {
  private static final DomainOptions OPTIONS =
      DomainOptions.DEFAULT.with(Capability.MESSAGES, Capability.MULTI_RECEIVE);
  private static final int CAPACITY = 20_000;
  private static final int MESSAGE = 3000;

  @Test
  void shouldPutMessagesOneBehindTheOtherUntilLittleIsLeft() {
    try (Link link = Link.open("tcp+rxm", OPTIONS)) {
      MemoryRegion into = link.right.region(CAPACITY);
      Descriptor receive = link.right.domain.descriptor().on(into);
      assertThat(link.rightEndpoint.receiveMany(receive)).isTrue();
      for (int i = 0; i < 6; i++) {
        send(link, MESSAGE, i);
        Completions entry = next(link);
        assertThat(entry.descriptor(0)).isSameAs(receive);
        assertThat(entry.hasMessage(0)).isTrue();
        assertThat(entry.length(0)).isEqualTo(MESSAGE);
        assertThat(entry.offset(0, into)).isEqualTo((long) i * MESSAGE);
        Side.assertPattern(into.segment().asSlice((long) i * MESSAGE), MESSAGE, i);
        // 2,000 bytes are left after the sixth: less than the 4,096 that are said.
        assertThat(receive.isPosted()).as("after message %d", i).isEqualTo(i < 5);
      }
      assertThat(link.right.queue.expected()).isZero();
      assertThat(link.rightEndpoint.receiveMany(receive)).isTrue();
    }
  }

  @Test
  void shouldTellAMessageThatIsLongerThanWhatIsLeftAndWriteNothingBeyond() {
    try (Side left = new Side(FabricAddresses.free("tcp+rxm"), OPTIONS);
        Side right = new Side(FabricAddresses.free("tcp+rxm"), OPTIONS.leastMultiReceive(1))) {
      OpenEndpoint from = left.domain.endpoint(left.queue);
      OpenEndpoint to = right.domain.endpoint(right.queue);
      Peer peer = left.domain.peer(to.name());
      MemoryRegion into = right.region(2 * MESSAGE);
      Descriptor receive = right.domain.descriptor().on(into, 0, MESSAGE + 100);
      assertThat(to.receiveMany(receive)).isTrue();
      Descriptor send = left.domain.descriptor().on(left.pattern(MESSAGE, 1));
      for (int i = 0; i < 2; i++) {
        Link.until(() -> {
          left.queue.progress();
          right.queue.progress();
          return !send.isPosted() && from.send(send, peer);
        });
      }
      Link.until(() -> {
        left.queue.progress();
        right.queue.progress();
        return receive.error() != null;
      });
      assertThat(receive.error())
          .extracting(FabricError::kind)
          .isEqualTo(FabricError.Kind.TRUNCATED);
      MemorySegment beyond = into.segment().asSlice(MESSAGE + 100);
      assertThat(beyond.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
      assertThat(receive.isPosted()).as("with the provider").isTrue();
      assertThatThrownBy(into::close).hasMessageContaining("in use");
      to.close();
      assertThat(receive.isPosted()).isFalse();
      into.close();
    }
  }

  @Test
  void shouldLeaveMessagesToBePolledWhileADescriptorIsWaitedFor() {
    try (Link link = Link.open("tcp+rxm", OPTIONS)) {
      MemoryRegion into = link.right.region(CAPACITY);
      Descriptor receive = link.right.domain.descriptor().on(into);
      List<Descriptor> notified = new ArrayList<>();
      receive.whenComplete(notified::add);
      assertThat(link.rightEndpoint.receiveMany(receive)).isTrue();
      for (int i = 0; i < 6; i++) {
        send(link, MESSAGE, i);
      }
      Link.until(() -> {
        link.left.queue.progress();
        return link.right.queue.await(receive, Duration.ofMillis(1));
      });
      assertThat(notified).containsExactly(receive);
      List<Long> offsets = new ArrayList<>();
      int count = link.right.queue.poll(link.right.completions);
      for (int i = 0; i < count; i++) {
        offsets.add(link.right.completions.offset(i, into));
      }
      // The sixth has ended the descriptor, which tells of it.
      assertThat(offsets).containsExactly(0L, 3000L, 6000L, 9000L, 12_000L);
      assertThat(receive.length()).isEqualTo(MESSAGE);
      assertThat(notified).containsExactly(receive);
    }
  }

  @Test
  void shouldRefuseMemoryThatIsNotOneSegment() {
    try (Link link = Link.open("tcp+rxm", OPTIONS)) {
      MemoryRegion into = link.right.region(CAPACITY);
      Descriptor receive = link.right.domain.descriptor();
      assertThatThrownBy(() -> link.rightEndpoint.receiveMany(receive))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("segments=0, length=0");
      receive.on(into, 0, 5000).and(into, 5000, 5000);
      assertThatThrownBy(() -> link.rightEndpoint.receiveMany(receive))
          .hasMessageContaining("segments=2, length=10000");
      assertThatThrownBy(() -> link.rightEndpoint.receiveMany(receive.on(into, 7, 0)))
          .hasMessageContaining("segments=1, length=0");
    }
  }

  @Test
  void shouldRefuseItOnShm() {
    assertThatThrownBy(() -> FabricDomain.open(FabricAddresses.free("shm"), OPTIONS))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("capability=multi-receive")
        .hasMessageContaining("post memory for each message");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldRefuseItWhereNothingIsAskedFor(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(CAPACITY));
      assertThatThrownBy(() -> link.rightEndpoint.receiveMany(receive))
          .hasMessageContaining("the endpoint lacks what is asked for: capability=multi-receive");
      assertThat(receive.isPosted()).isFalse();
    }
  }

  private static void send(Link link, int bytes, long seed) {
    MemoryRegion from = link.left.pattern(bytes, seed);
    Descriptor send = link.left.domain.descriptor().on(from);
    link.post(() -> link.toRight().send(send));
    Link.until(() -> {
      link.left.queue.progress();
      return !send.isPosted();
    });
  }

  private static Completions next(Link link) {
    Link.until(() -> {
      link.left.queue.progress();
      return link.right.queue.poll(link.right.completions) > 0;
    });
    assertThat(link.right.completions.size()).isEqualTo(1);
    return link.right.completions;
  }
}
