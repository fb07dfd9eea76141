package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has sent a message: shm tells, and tcp+rxm does not safely, see {@link Defect}. */
class SourcesTest {
  private static final DomainOptions OPTIONS =
      DomainOptions.DEFAULT.with(
          Capability.MESSAGES, Capability.TAGGED, Capability.SOURCE, Capability.DIRECTED_RECEIVE);

  @Test
  void shouldTellWhichPeerHasSentAMessage() {
    try (Link one = Link.open("shm", OPTIONS);
        Side other = new Side(FabricAddresses.free("shm"), OPTIONS)) {
      OpenEndpoint second = other.domain.endpoint(other.queue);
      Peer secondPeer = one.right.domain.peer(second.name());
      Peer toRight = other.domain.peer(one.right.domain.address());
      List<@Nullable Peer> sources = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Descriptor receive = one.right.domain.descriptor().on(one.right.region(64));
        assertThat(one.rightEndpoint.receive(receive)).isTrue();
        if (i % 2 == 0) {
          Descriptor send = one.left.domain.descriptor().on(one.left.pattern(64, 1));
          one.post(() -> one.toRight().send(send));
        } else {
          Descriptor send = other.domain.descriptor().on(other.pattern(64, 1));
          Link.until(() -> {
            other.queue.progress();
            one.right.queue.progress();
            return second.send(send, toRight);
          });
        }
        Link.until(() -> {
          one.left.queue.progress();
          other.queue.progress();
          return receive.isPosted() && one.right.queue.poll(one.right.completions) > 0;
        });
        assertThat(one.right.completions.descriptor(0)).isSameAs(receive);
        sources.add(one.right.completions.peer(0));
      }
      assertThat(sources)
          .containsExactly(
              one.leftPeer, secondPeer, one.leftPeer, secondPeer, one.leftPeer, secondPeer);
    }
  }

  @Test
  void shouldReceiveFromOnePeerWhatOthersHaveSentBefore() {
    try (Link link = Link.open("shm", OPTIONS);
        Side other = new Side(FabricAddresses.free("shm"), OPTIONS)) {
      OpenEndpoint second = other.domain.endpoint(other.queue);
      OpenEndpoint right = (OpenEndpoint) link.rightEndpoint;
      Peer secondPeer = link.right.domain.peer(second.name());
      Peer toRight = other.domain.peer(link.right.domain.address());
      MemoryRegion into = link.right.region(128);
      Descriptor fromSecond = link.right.domain.descriptor().on(into, 0, 64);
      Descriptor fromLeft = link.right.domain.descriptor().on(into, 64, 64);
      assertThat(right.receiveFrom(fromSecond, secondPeer)).isTrue();
      assertThat(right.receiveTaggedFrom(fromLeft, Link.required(link.leftPeer), 7, 0)).isTrue();
      Descriptor send = link.left.domain.descriptor().on(link.left.pattern(64, 1));
      link.post(() -> link.toRight().sendTagged(send, 7));
      link.right.await(fromLeft, link.left);
      assertThat(fromSecond.isPosted()).isTrue();
      Descriptor sendSecond = other.domain.descriptor().on(other.pattern(64, 2));
      Link.until(() -> {
        other.queue.progress();
        link.right.queue.progress();
        return second.send(sendSecond, toRight);
      });
      link.right.await(fromSecond, other);
      Side.assertPattern(into.segment(), 64, 2);
      Side.assertPattern(into.segment().asSlice(64), 64, 1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Capability.class,
      names = {"SOURCE", "DIRECTED_RECEIVE"})
  void shouldRefuseItWithRxm(Capability capability) {
    DomainOptions options = DomainOptions.DEFAULT.with(Capability.MESSAGES, capability);
    assertThatThrownBy(() -> FabricDomain.open(FabricAddresses.free("tcp+rxm"), options))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("the provider is not safe with that: address=fabric:tcp+rxm")
        .hasMessageContaining("capability=" + capability);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp+rxm", "tcp"})
  void shouldKnowNobodyWhereNothingIsAskedFor(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(64));
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      Descriptor send = link.left.domain.descriptor().on(link.left.pattern(64, 1));
      link.post(() -> link.toRight().send(send));
      Link.until(() -> {
        link.left.queue.progress();
        return link.right.queue.poll(link.right.completions) > 0;
      });
      assertThat(link.right.completions.peer(0)).isNull();
    }
  }
}
