package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTest {
  private static final int[] SIZES = {0, 1, 3, 4, 64, 1000, 4096, 65_537, 1 << 20};

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldBringMessagesOfAllSizesAsTheyWere(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion into = link.right.region(1 << 20);
      Descriptor receive = link.right.domain.descriptor();
      Descriptor send = link.left.domain.descriptor();
      for (int size : SIZES) {
        assertThat(link.rightEndpoint.receive(receive.on(into))).isTrue();
        MemoryRegion from = link.left.pattern(size, size);
        link.post(() -> link.toRight().send(send.on(from, 0, size)));
        link.right.await(receive, link.left);
        link.left.await(send, link.right);
        assertThat(receive.error()).isNull();
        assertThat(send.error()).isNull();
        assertThat(receive.length()).isEqualTo(size);
        Side.assertPattern(into.segment(), size, size);
        from.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldKeepTheOrderOfThousands(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      int messages = 5000;
      MemoryRegion from = link.left.region(64);
      MemoryRegion into = link.right.region(64 * 64);
      Deque<Descriptor> posted = new ArrayDeque<>();
      for (int i = 0; i < 64; i++) {
        Descriptor receive = link.right.domain.descriptor().on(into, i * 64L, 64);
        link.post(() -> link.rightEndpoint.receive(receive));
        posted.add(receive);
      }
      Descriptor[] sends = new Descriptor[16];
      for (int i = 0; i < sends.length; i++) {
        sends[i] = link.left.domain.descriptor();
      }
      int sent = 0;
      int received = 0;
      long start = System.nanoTime();
      while (received < messages) {
        assertThat(System.nanoTime() - start).isLessThan(Side.SOON.toNanos());
        Descriptor next = sends[sent % sends.length];
        if (sent < messages && sent - received < 48 && !next.isPosted()) {
          next.on(from, 0, sent % 60);
          sent += link.toRight().send(next) ? 1 : 0;
        }
        link.progress();
        Descriptor first = posted.element();
        if (!first.isPosted()) {
          assertThat(first.error()).isNull();
          assertThat(first.length()).isEqualTo(received % 60);
          received++;
          posted.add(posted.remove());
          link.post(() -> link.rightEndpoint.receive(first));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldJoinSegmentsIntoOneMessageAndSpreadItAgain(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion from = link.left.pattern(3000, 7);
      MemoryRegion into = link.right.region(4000);
      Descriptor receive = link.right.domain.descriptor().on(into, 0, 100).and(into, 100, 3900);
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      Descriptor send =
          link.left.domain.descriptor().on(from, 0, 1).and(from, 1, 999).and(from, 1000, 2000);
      link.post(() -> link.toRight().send(send));
      link.right.await(receive, link.left);
      link.left.await(send, link.right);
      assertThat(receive.length()).isEqualTo(3000);
      Side.assertPattern(into.segment(), 3000, 7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldBringImmediateData(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion from = link.left.pattern(10, 7);
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(10));
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      Descriptor send = link.left.domain.descriptor().on(from).immediate(0x1234_5678_9ABCL);
      link.post(() -> link.toRight().send(send));
      link.right.await(receive, link.left);
      link.left.await(send, link.right);
      assertThat(receive.hasImmediate()).isTrue();
      assertThat(receive.immediate()).isEqualTo(0x1234_5678_9ABCL);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp+rxm"})
  void shouldFindTheBufferThatWasPostedForATag(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion from = link.left.pattern(100, 7);
      MemoryRegion into = link.right.region(300);
      Descriptor five = link.right.domain.descriptor().on(into, 0, 100);
      Descriptor many = link.right.domain.descriptor().on(into, 100, 100);
      assertThat(link.rightEndpoint.receiveTagged(five, 5, 0)).isTrue();
      assertThat(link.rightEndpoint.receiveTagged(many, 0x700, 0xFF)).isTrue();
      Descriptor send = link.left.domain.descriptor().on(from);
      link.post(() -> link.toRight().sendTagged(send, 0x7AB));
      link.right.await(many, link.left);
      link.left.await(send, link.right);
      assertThat(many.tag()).isEqualTo(0x7AB);
      assertThat(five.isPosted()).isTrue();
      link.post(() -> link.toRight().sendTagged(send, 5));
      link.right.await(five, link.left);
      link.left.await(send, link.right);
      assertThat(five.tag()).isEqualTo(5);
      Side.assertPattern(into.segment(), 100, 7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldTellThatAMessageDidNotFit(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(10));
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      Descriptor send = link.left.domain.descriptor().on(link.left.pattern(100, 7));
      link.post(() -> link.toRight().send(send));
      link.right.await(receive, link.left);
      FabricError error = receive.error();
      assertThat(error).isNotNull();
      assertThat(error.kind()).isEqualTo(FabricError.Kind.TRUNCATED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldInjectSmallMessages(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion into = link.right.region(64);
      Descriptor receive = link.right.domain.descriptor().on(into);
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      var message = link.left.arena.allocate(16);
      Side.fill(message, 16, 9);
      link.post(() ->
          link.leftEndpoint instanceof OpenEndpoint open
              ? open.inject(message, java.util.Objects.requireNonNull(link.rightPeer))
              : ((Connection) link.leftEndpoint).inject(message));
      message.fill((byte) 0);
      link.right.await(receive, link.left);
      assertThat(receive.length()).isEqualTo(16);
      Side.assertPattern(into.segment(), 16, 9);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm", "udp+rxd"})
  void shouldGiveBackWhatIsPostedWhenTheEndpointIsClosed(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion region = link.right.region(64);
      Descriptor receive = link.right.domain.descriptor().on(region);
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      assertThatThrownBy(region::close)
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("a memory region is in use: length=64, operation=RECEIVE");
      assertThatThrownBy(() -> link.right.arena.close()).hasMessageContaining("in use");
      assertThatThrownBy(() -> receive.on(region)).hasMessageContaining("a descriptor is posted");
      link.rightEndpoint.close();
      assertThat(receive.isPosted()).isFalse();
      assertThat(receive.error()).isNotNull();
      region.close();
      assertThat(link.right.queue.expected()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldCancelAReceive(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(64));
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      link.rightEndpoint.cancel(receive);
      link.right.await(receive, link.left);
      FabricError error = receive.error();
      assertThat(error).isNotNull();
      assertThat(error.kind()).isEqualTo(FabricError.Kind.CANCELED);
    }
  }

  /**
   * rxm forgets the registration that it has made for a long message, and does not close its domain
   * then (docs/fabric.md): all else is closed, and the address is free.
   */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldCloseWhileALongMessageIsUnderWay(String provider) throws IOException {
    try (LogRecords records = new LogRecords(NativeClosing.class)) {
      FabricAddress left = closeWhileALongMessageIsUnderWay(provider);
      assertThat(records.texts).hasSizeLessThanOrEqualTo(provider.equals("tcp+rxm") ? 1 : 0);
      assertThat(records.texts)
          .allMatch(text ->
              text.startsWith(
                  "WARNING a provider does not close an object: provider=tcp+rxm, object=domain, error=-16"));
      long before = openFiles();
      for (int i = 0; i < 20; i++) {
        FabricAddress _ = closeWhileALongMessageIsUnderWay(provider);
      }
      assertThat(openFiles() - before).isLessThan(20); // Not one for each.
      Station.listen(left).close();
    }
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  /** The address of the side that was sending. */
  private static FabricAddress closeWhileALongMessageIsUnderWay(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor send = link.left.domain.descriptor().on(link.left.region(60_000));
      link.post(() -> link.toRight().send(send));
      for (int i = 0; i < 100; i++) {
        link.progress();
      }
      return link.left.domain.address();
    }
  }
}
