package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;

/** Messages there and back, one at a time, whose bytes both ends look at. */
final class Exchange {
  private static final long BACK = 1_000_000_007;

  private final LinkEnd end;
  private final Descriptor send;
  private final Descriptor receive;

  Exchange(LinkEnd end) {
    this.end = end;
    send = end.side().domain.descriptor();
    receive = end.side().domain.descriptor();
  }

  /** Sends one of each length, and waits for what comes back. */
  void ask(long... lengths) {
    for (long bytes : lengths) {
      send(bytes, bytes);
      receive(bytes, bytes + BACK);
    }
  }

  /** Takes one of each length, and sends others back. */
  void answer(long... lengths) {
    for (long bytes : lengths) {
      receive(bytes, bytes);
      send(bytes, bytes + BACK);
    }
  }

  private void send(long bytes, long seed) {
    try (MemoryRegion memory = end.side().pattern(bytes, seed)) {
      send.on(memory, 0, bytes);
      end.complete(send, () -> end.to().send(send));
    }
  }

  private void receive(long bytes, long seed) {
    try (MemoryRegion memory = end.side().region(bytes + 1)) {
      memory.segment().fill((byte) 0xA5);
      receive.on(memory, 0, bytes);
      end.complete(receive, () -> end.endpoint().receive(receive));
      assertThat(receive.length()).isEqualTo(bytes);
      Side.assertPattern(memory.segment(), bytes, seed);
      assertThat(memory.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes))
          .as("the byte behind it")
          .isEqualTo((byte) 0xA5);
    }
  }
}
