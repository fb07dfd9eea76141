package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;

/** Messages on many links in turn; each has the number of its link, and of the message. */
final class ManyLinks {
  private static final int MESSAGES = 200;
  private static final int BYTES = 2 * Integer.BYTES;

  private final List<LinkEnd> ends;

  ManyLinks(List<LinkEnd> ends) {
    this.ends = ends;
  }

  /** Sends messages on each link, one at a time, and waits for the same ones to come back. */
  void ask() {
    List<MemoryRegion> memory = ends.stream().map(end -> end.side().region(BYTES)).toList();
    List<Descriptor> descriptors =
        ends.stream().map(end -> end.side().domain.descriptor()).toList();
    for (int n = 0; n < MESSAGES; n++) {
      for (int link = 0; link < ends.size(); link++) {
        LinkEnd end = ends.get(link);
        memory.get(link).segment().set(ValueLayout.JAVA_INT, 0, link);
        memory.get(link).segment().set(ValueLayout.JAVA_INT, Integer.BYTES, n);
        Descriptor descriptor = descriptors.get(link).on(memory.get(link));
        end.post(() -> end.to().send(descriptor));
      }
      for (int link = 0; link < ends.size(); link++) {
        LinkEnd end = ends.get(link);
        Descriptor descriptor = end.ended(descriptors.get(link));
        memory.get(link).segment().fill((byte) 0xA5);
        end.complete(descriptor, () -> end.endpoint().receive(descriptor));
        assertThat(memory.get(link).segment().get(ValueLayout.JAVA_INT, 0)).isEqualTo(link);
        assertThat(memory.get(link).segment().get(ValueLayout.JAVA_INT, Integer.BYTES))
            .isEqualTo(n);
      }
    }
  }

  /** Returns all of them, on the links that they came by: all are of one queue. */
  void answer() {
    Side side = ends.getFirst().side();
    int[] left = {MESSAGES * ends.size()};
    for (LinkEnd end : ends) {
      MemoryRegion memory = side.region(BYTES);
      Descriptor descriptor = side.domain.descriptor().on(memory);
      descriptor.whenComplete(ended -> {
        if (left[0] > 0) { // Then the others end, and with them what is still posted.
          assertThat(ended.error()).isNull();
          left[0]--;
          sendBack(memory.segment(), end, ended);
        }
      });
      assertThat(end.endpoint().receive(descriptor)).isTrue();
    }
    Link.until(() -> {
      int _ = side.queue.await(side.completions, Duration.ofMillis(1));
      return left[0] == 0;
    });
    Link.until(() -> {
      side.queue.progress();
      return side.queue.expected() == ends.size(); // Memory for messages that do not come.
    });
  }

  private void sendBack(MemorySegment message, LinkEnd where, Descriptor receive) {
    LinkEnd end = ends.get(message.get(ValueLayout.JAVA_INT, 0));
    assertThat(end.endpoint()).as("where it came").isSameAs(where.endpoint());
    MemoryRegion memory = end.side().region(BYTES);
    memory.segment().copyFrom(message);
    Descriptor descriptor = end.side().domain.descriptor().on(memory);
    descriptor.whenComplete(ended -> {
      assertThat(ended.error()).isNull();
      ended.close();
      memory.close();
    });
    end.post(() -> end.to().send(descriptor));
    end.post(() -> where.endpoint().receive(receive));
  }
}
