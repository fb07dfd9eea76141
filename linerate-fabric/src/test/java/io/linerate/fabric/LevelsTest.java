package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When operations count as complete, and what goes with them. */
class LevelsTest {
  @ParameterizedTest
  @CsvSource({
    "shm,DEFAULT", "shm,INJECTED", "shm,TRANSMITTED", "shm,DELIVERED",
    "tcp,DEFAULT", "tcp,INJECTED", "tcp,TRANSMITTED", "tcp,DELIVERED",
    "tcp+rxm,DEFAULT", "tcp+rxm,INJECTED", "tcp+rxm,TRANSMITTED", "tcp+rxm,DELIVERED",
  })
  void shouldCompleteSendsAndWritesOfEachLevel(String provider, CompletionLevel level) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion into = link.right.region(40_000, Access.REMOTE_WRITE);
      Descriptor operation = link.left.domain.descriptor().level(level);
      for (int bytes : new int[] {0, 1, 200, 5000, 40_000}) {
        MemoryRegion from = link.left.pattern(bytes, bytes + 1);
        if (bytes == 0 && level == CompletionLevel.DELIVERED && provider.equals("shm")) {
          assertThatThrownBy(() -> link.toRight().send(operation.on(from, 0, 0)))
              .isInstanceOf(FabricException.class)
              .hasMessageContaining("shm does not tell of the delivery of an empty message");
          continue;
        }
        Descriptor receive = link.right.domain.descriptor().on(into);
        assertThat(link.rightEndpoint.receive(receive)).isTrue();
        link.post(() -> link.toRight().send(operation.on(from, 0, bytes)));
        link.right.await(receive, link.left);
        link.left.await(operation, link.right);
        assertThat(operation.error()).as("%d bytes", bytes).isNull();
        assertThat(receive.length()).isEqualTo(bytes);
        Side.assertPattern(into.segment(), bytes, bytes + 1);
        if (bytes > 0) {
          into.segment().fill((byte) 0);
          link.post(() -> link.toRight().write(operation, into.publish(), 0));
          link.left.await(operation, link.right);
          assertThat(operation.error()).isNull();
          if (level == CompletionLevel.DELIVERED) { // It is there when that is told.
            Side.assertPattern(into.segment(), bytes, bytes + 1);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldNotCompleteADeliveryBeforeThePeerHasTakenIt(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RemoteRegion remote = link.right.region(64, Access.REMOTE_WRITE).publish();
      Descriptor write =
          link.left
              .domain
              .descriptor()
              .on(link.left.pattern(64, 1))
              .level(CompletionLevel.DELIVERED);
      link.post(() -> link.toRight().write(write, remote, 0));
      for (int i = 0; i < 1000; i++) {
        link.left.queue.progress(); // The peer does not work on it.
      }
      assertThat(write.isPosted()).isTrue();
      link.left.await(write, link.right);
      assertThat(write.error()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldSeeByAFencedReadWhatWasWrittenBefore(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RemoteRegion remote = link.right.region(4096, Access.values()).publish();
      MemoryRegion from = link.left.region(4096);
      MemoryRegion back = link.left.region(4096);
      Descriptor write = link.left.domain.descriptor().on(from);
      Descriptor read = link.left.domain.descriptor().on(back).fence(true);
      for (int i = 1; i <= 50; i++) {
        from.segment().fill((byte) i);
        link.post(() -> link.toRight().write(write, remote, 0));
        link.post(() -> link.toRight().read(read, remote, 0));
        link.left.await(read, link.right);
        link.left.await(write, link.right);
        assertThat(read.error()).isNull();
        assertThat(back.segment().get(ValueLayout.JAVA_BYTE, 4095)).isEqualTo((byte) i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldBringAllBytesOfImmediateDataAndNoneWhenItWasTakenAway(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      assertThat(link.left.domain.provider().immediateBytes()).isEqualTo(Long.BYTES);
      MemoryRegion from = link.left.pattern(8, 1);
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(8));
      Descriptor send = link.left.domain.descriptor().on(from);
      for (long value : new long[] {0, 1, -1, Long.MIN_VALUE, 0x0123_4567_89AB_CDEFL}) {
        assertThat(link.rightEndpoint.receive(receive)).isTrue();
        link.post(() -> link.toRight().send(send.immediate(value)));
        link.right.await(receive, link.left);
        link.left.await(send, link.right);
        assertThat(receive.hasImmediate()).isTrue();
        assertThat(receive.immediate()).isEqualTo(value);
      }
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      link.post(() -> link.toRight().send(send.noImmediate()));
      link.right.await(receive, link.left);
      assertThat(receive.hasImmediate()).isFalse();
      assertThat(receive.immediate()).isZero();
    }
  }

  @Test
  void shouldRefuseImmediateDataThatTheProviderHasNoBytesFor() {
    for (int bytes = 0; bytes < Long.BYTES; bytes++) {
      ProviderInfo provider = provider(bytes);
      long tooLong = 1L << (Byte.SIZE * bytes);
      provider.requireImmediate(tooLong - 1);
      assertThatThrownBy(() -> provider.requireImmediate(tooLong))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("provider=verbs, bytes=%d, value=%#x", bytes, tooLong);
      assertThatThrownBy(() -> provider.requireImmediate(-1)).hasMessageContaining("too long");
    }
    provider(Long.BYTES).requireImmediate(-1);
  }

  private static ProviderInfo provider(int immediateBytes) {
    return new ProviderInfo(
        "verbs",
        "mlx5_0",
        EndpointKind.CONNECTED,
        Set.of(Capability.MESSAGES),
        1 << 30,
        64,
        256,
        256,
        4,
        immediateBytes,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        16,
        true);
  }
}
