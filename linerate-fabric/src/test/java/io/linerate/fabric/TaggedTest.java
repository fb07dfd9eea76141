package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Looking for messages by their tags: tcp+rxm and udp+rxd can, shm would receive them instead, and
 * tcp has no tags.
 */
class TaggedTest {
  private static final int ENOMSG = 42;
  private static final int BYTES = 100;

  @ParameterizedTest
  @ValueSource(strings = {"tcp+rxm", "udp+rxd"})
  void shouldTellThatThereIsNoMessage(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor peek = link.right.domain.descriptor();
      assertThat(link.rightEndpoint.peekTagged(peek, 5, 0)).isTrue();
      link.right.await(peek, link.left);
      assertThat(peek.error()).isNotNull().extracting(FabricError::error).isEqualTo(ENOMSG);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp+rxm", "udp+rxd"})
  void shouldTellLengthAndTagAndLeaveTheMessage(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      send(link, 0x75, 1);
      Descriptor peek = link.right.domain.descriptor();
      for (int i = 0; i < 2; i++) {
        look(link, peek, () -> link.rightEndpoint.peekTagged(peek, 0x70, 0xF));
        assertThat(peek.length()).isEqualTo(BYTES);
        assertThat(peek.tag()).isEqualTo(0x75);
      }
      assertReceived(link, 0x75, 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp+rxm", "udp+rxd"})
  void shouldThrowAwayTheMessageThatItHasFound(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      send(link, 5, 1);
      send(link, 5, 2);
      Descriptor discard = link.right.domain.descriptor();
      look(link, discard, () -> link.rightEndpoint.discardTagged(discard, 5, 0));
      assertReceived(link, 5, 2);
    }
  }

  @Test
  void shouldKeepAClaimedMessageForItsDescriptor() {
    try (Link link = Link.open("tcp+rxm", DomainOptions.DEFAULT)) {
      send(link, 5, 1);
      send(link, 5, 2);
      Descriptor claim = link.right.domain.descriptor();
      look(link, claim, () -> link.rightEndpoint.claimTagged(claim, 5, 0));
      assertThat(claim.length()).isEqualTo(BYTES);
      assertReceived(link, 5, 2); // Another receive does not get it.
      MemoryRegion into = link.right.region(BYTES);
      assertThat(link.rightEndpoint.receiveClaimed(claim.on(into))).isTrue();
      link.right.await(claim, link.left);
      assertThat(claim.error()).isNull();
      Side.assertPattern(into.segment(), BYTES, 1);
    }
  }

  @Test
  void shouldRefuseOtherUseOfADescriptorThatHasClaimedAMessage() {
    try (Link link = Link.open("tcp+rxm", DomainOptions.DEFAULT)) {
      send(link, 5, 1);
      Descriptor claim = link.right.domain.descriptor().on(link.right.region(BYTES));
      look(link, claim, () -> link.rightEndpoint.claimTagged(claim, 5, 0));
      assertThatThrownBy(() -> link.rightEndpoint.receive(claim))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("has claimed a message: index=", "tag=5");
      assertThatThrownBy(() -> link.rightEndpoint.claimTagged(claim, 5, 0))
          .hasMessageContaining("has claimed a message");
      assertThatThrownBy(claim::close).hasMessageContaining("has claimed a message");
      link.rightEndpoint.close();
      claim.close(); // Nothing is there that it could receive.
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp+rxm", "udp+rxd"})
  void shouldRefuseToReceiveWhatItHasNotClaimed(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor claim = link.right.domain.descriptor().on(link.right.region(BYTES));
      assertThatThrownBy(() -> link.rightEndpoint.receiveClaimed(claim))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("has claimed no message of this endpoint");
    }
  }

  @Test
  void shouldClaimNothingWhereNothingIs() {
    try (Link link = Link.open("tcp+rxm", DomainOptions.DEFAULT)) {
      Descriptor claim = link.right.domain.descriptor().on(link.right.region(BYTES));
      assertThat(link.rightEndpoint.claimTagged(claim, 5, 0)).isTrue();
      link.right.await(claim, link.left);
      assertThat(claim.error()).isNotNull();
      assertThatThrownBy(() -> link.rightEndpoint.receiveClaimed(claim))
          .hasMessageContaining("has claimed no message");
    }
  }

  @Test
  void shouldRefuseToLookForMessagesOnShm() {
    try (Link link = Link.open("shm", DomainOptions.DEFAULT)) {
      Descriptor peek = link.right.domain.descriptor().on(link.right.region(BYTES));
      assertThatThrownBy(() -> link.rightEndpoint.peekTagged(peek, 5, 0))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("the provider cannot look for messages: provider=shm");
      assertThatThrownBy(() -> link.rightEndpoint.claimTagged(peek, 5, 0))
          .hasMessageContaining("cannot look");
      assertThatThrownBy(() -> link.rightEndpoint.discardTagged(peek, 5, 0))
          .hasMessageContaining("cannot look");
    }
  }

  @Test
  void shouldRefuseTagsOnTcp() {
    try (Link link = Link.open("tcp", DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(BYTES));
      assertThatThrownBy(() -> link.rightEndpoint.receiveTagged(receive, 5, 0))
          .hasMessageContaining("capability=tagged, provider=tcp");
    }
  }

  /** Sends a message that nobody has posted memory for, and sees that it has come. */
  private static void send(Link link, long tag, long seed) {
    Descriptor send = link.left.domain.descriptor().on(link.left.pattern(BYTES, seed));
    link.post(() -> link.toRight().sendTagged(send, tag));
    link.left.await(send, link.right);
  }

  /** Looks until the message has come: it may still be on its way. */
  private static void look(
      Link link, Descriptor descriptor, java.util.function.BooleanSupplier post) {
    Link.until(() -> {
      link.post(post);
      link.right.await(descriptor, link.left);
      return descriptor.error() == null;
    });
  }

  private static void assertReceived(Link link, long tag, long seed) {
    MemoryRegion into = link.right.region(BYTES);
    Descriptor receive = link.right.domain.descriptor().on(into);
    assertThat(link.rightEndpoint.receiveTagged(receive, tag, 0)).isTrue();
    link.right.await(receive, link.left);
    assertThat(receive.error()).isNull();
    assertThat(receive.length()).isEqualTo(BYTES);
    Side.assertPattern(into.segment(), BYTES, seed);
  }
}
