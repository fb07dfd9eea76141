package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a descriptor calls when it has ended may do what a program may. */
class HandlersTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldLetAHandlerPostItsDescriptorAgain(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      List<Long> lengths = new ArrayList<>();
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(200));
      receive.whenComplete(ended -> {
        lengths.add(ended.length());
        assertThat(link.rightEndpoint.receive(ended)).isTrue();
      });
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      Descriptor send = link.left.domain.descriptor();
      MemoryRegion from = link.left.pattern(200, 1);
      for (int i = 0; i < 100; i++) {
        int bytes = i;
        link.post(() -> !send.isPosted() && link.toRight().send(send.on(from, 0, bytes)));
        Link.until(() -> {
          link.left.queue.progress();
          link.right.queue.poll(link.right.completions);
          return lengths.size() > bytes;
        });
        link.left.await(send, link.right);
        assertThat(lengths).last().isEqualTo((long) bytes);
      }
      assertThat(receive.isPosted()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldCallTheOthersWhenOneThrows(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      List<Descriptor> called = new ArrayList<>();
      List<Descriptor> posted = receive(link, 4);
      posted.forEach(each ->
          each.whenComplete(ended -> {
            called.add(ended);
            if (ended == posted.getFirst()) {
              throw new IllegalStateException("on purpose");
            }
          }));
      sendAndWait(link, 4);
      assertThatThrownBy(() -> pollAll(link, called, 4)).hasMessage("on purpose");
      assertThat(called).containsExactly(posted.getFirst());
      pollAll(link, called, 4);
      assertThat(called).containsExactlyElementsOf(posted);
      assertThat(link.right.queue.expected()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldLetAHandlerWaitForAnotherDescriptor(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      List<Descriptor> called = new ArrayList<>();
      List<Descriptor> posted = receive(link, 4);
      posted.forEach(each -> each.whenComplete(called::add));
      posted
          .getFirst()
          .whenComplete(ended -> {
            called.add(ended);
            assertThat(link.right.queue.await(posted.get(3), Side.SOON)).isTrue();
          });
      sendAndWait(link, 4);
      assertThat(link.right.queue.await(posted.getFirst(), Side.SOON)).isTrue();
      pollAll(link, called, 4);
      assertThat(called).containsExactlyInAnyOrderElementsOf(posted);
      assertThat(link.right.queue.expected()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldLetAHandlerCloseTheEndpointAndTheDomain(String provider) {
    for (boolean isDomain : new boolean[] {false, true}) {
      try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
        List<Descriptor> called = new ArrayList<>();
        List<Descriptor> posted = receive(link, 4);
        posted
            .getFirst()
            .whenComplete(ended -> {
              called.add(ended);
              if (isDomain) {
                link.right.domain.close();
              } else {
                link.rightEndpoint.close();
              }
            });
        sendAndWait(link, 4);
        pollAll(link, called, 1);
        assertThat(called).containsExactly(posted.getFirst());
        posted.forEach(each -> assertThat(each.isPosted() && each.error() == null).isFalse());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseToFillTheArrayThatAHandlerIsCalledFor(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      List<Descriptor> called = new ArrayList<>();
      Completions other = link.right.domain.completions(8);
      List<Descriptor> posted = receive(link, 2);
      posted
          .getFirst()
          .whenComplete(ended -> {
            called.add(ended);
            assertThatThrownBy(() -> link.right.queue.poll(link.right.completions))
                .isInstanceOf(FabricException.class)
                .hasMessageContaining("completions are in use");
            link.right.queue.poll(other);
          });
      posted.get(1).whenComplete(called::add);
      sendAndWait(link, 2);
      pollAll(link, called, 2);
      assertThat(called).containsExactlyElementsOf(posted);
    }
  }

  private static List<Descriptor> receive(Link link, int count) {
    List<Descriptor> posted = new ArrayList<>();
    MemoryRegion into = link.right.region(64L * count);
    for (int i = 0; i < count; i++) {
      Descriptor receive = link.right.domain.descriptor().on(into, 64L * i, 64);
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      posted.add(receive);
    }
    return posted;
  }

  /** Sends messages that come at once when the other side polls. */
  private static void sendAndWait(Link link, int count) {
    MemoryRegion from = link.left.pattern(64, 1);
    for (int i = 0; i < count; i++) {
      Descriptor send = link.left.domain.descriptor().on(from);
      link.post(() -> link.toRight().send(send));
    }
  }

  private static void pollAll(Link link, List<Descriptor> called, int count) {
    Link.until(() -> {
      link.left.queue.progress();
      link.right.queue.poll(link.right.completions);
      return called.size() >= count;
    });
  }
}
