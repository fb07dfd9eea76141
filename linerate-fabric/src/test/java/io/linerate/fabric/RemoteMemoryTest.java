package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteMemoryTest {
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldWriteAndReadThePeersMemory(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      MemoryRegion target = link.right.region(1 << 20, Access.REMOTE_READ, Access.REMOTE_WRITE);
      RemoteRegion remote = target.publish();
      Descriptor operation = link.left.domain.descriptor();
      for (int size : new int[] {1, 8, 100, 4096, 65_537, 1 << 19}) {
        MemoryRegion from = link.left.pattern(size, size);
        MemoryRegion back = link.left.region(size);
        link.post(() ->
            link.toRight().write(operation.on(from).level(CompletionLevel.DELIVERED), remote, 17));
        link.left.await(operation, link.right);
        assertThat(operation.error()).isNull();
        Side.assertPattern(target.segment().asSlice(17), size, size);
        link.post(() ->
            link.toRight().read(operation.on(back).level(CompletionLevel.DEFAULT), remote, 17));
        link.left.await(operation, link.right);
        assertThat(operation.error()).isNull();
        Side.assertPattern(back.segment(), size, size);
        from.close();
        back.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldTellThePeerOfAWriteWithImmediateData(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RemoteRegion remote = link.right.region(64, Access.REMOTE_WRITE).publish();
      if (provider.equals("tcp")) { // Its connections use up a posted receive for it.
        assertThat(
                link.rightEndpoint.receive(
                    link.right.domain.descriptor().on(link.right.region(64))))
            .isTrue();
      }
      Descriptor write =
          link.left.domain.descriptor().on(link.left.pattern(64, 1)).immediate(0xABCD);
      link.post(() -> link.toRight().write(write, remote, 0));
      long[] seen = {0};
      Link.until(() -> {
        link.left.queue.progress();
        int count = link.right.queue.poll(link.right.completions);
        for (int i = 0; i < count; i++) {
          if (link.right.completions.hasImmediate(i)) {
            seen[0] = link.right.completions.immediate(i);
          }
        }
        return seen[0] != 0;
      });
      assertThat(seen[0]).isEqualTo(0xABCD);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseWhatThePeerHasNotPublished(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RemoteRegion readable = link.right.region(64, Access.REMOTE_READ).publish();
      Descriptor operation = link.left.domain.descriptor().on(link.left.region(32));
      assertThatThrownBy(() -> link.toRight().write(operation, readable, 0))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("access=REMOTE_WRITE");
      for (long offset : new long[] {-1, 33, 64, Long.MAX_VALUE, Long.MIN_VALUE}) {
        assertThatThrownBy(() -> link.toRight().read(operation, readable, offset))
            .isInstanceOf(FabricException.class)
            .hasMessageContaining("offset=" + offset);
      }
      link.post(() -> link.toRight().read(operation, readable, 32));
      link.left.await(operation, link.right);
      assertThat(operation.error()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldFailOnAKeyThatIsNotThere(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      RemoteRegion real = link.right.region(64, Access.REMOTE_WRITE).publish();
      RemoteRegion forged =
          new RemoteRegion(real.address(), real.key() + 0x5555, 64, real.rights());
      Descriptor write = link.left.domain.descriptor().on(link.left.pattern(64, 1));
      link.post(() -> link.toRight().write(write.level(CompletionLevel.DELIVERED), forged, 0));
      link.left.await(write, link.right);
      assertThat(write.error()).as("error").isNotNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp+rxm"})
  void shouldAddFetchAndCompareInThePeersMemory(String provider) {
    DomainOptions options =
        DomainOptions.DEFAULT.with(
            Capability.MESSAGES, Capability.REMOTE_MEMORY, Capability.ATOMICS);
    try (Link link = Link.open(provider, options)) {
      MemoryRegion target = link.right.region(64, Access.REMOTE_READ, Access.REMOTE_WRITE);
      AtomicTarget value = new AtomicTarget(target.publish(), 8, AtomicType.UINT64);
      OpenEndpoint endpoint = (OpenEndpoint) link.leftEndpoint;
      Peer peer = Objects.requireNonNull(link.rightPeer);
      assumeTrue(
          endpoint.atomicLimit(Operation.FETCH, AtomicType.UINT64, AtomicOperation.SUM) > 0,
          "no atomic addition: provider=" + provider);
      MemoryRegion operands = link.left.region(8);
      MemoryRegion result = link.left.region(8);
      MemoryRegion expected = link.left.region(8);
      Descriptor operation = link.left.domain.descriptor().on(operands);
      operands.segment().set(ValueLayout.JAVA_LONG, 0, 40);
      link.post(() -> endpoint.atomic(operation, peer, value, AtomicOperation.SUM));
      link.left.await(operation, link.right);
      operands.segment().set(ValueLayout.JAVA_LONG, 0, 2);
      link.post(() -> endpoint.fetch(operation, peer, value, AtomicOperation.SUM, result, 0));
      link.left.await(operation, link.right);
      assertThat(result.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(40);
      expected.segment().set(ValueLayout.JAVA_LONG, 0, 42);
      operands.segment().set(ValueLayout.JAVA_LONG, 0, 7);
      link.post(() -> endpoint.compareAndSwap(operation, peer, value, expected, 0, result, 0));
      link.left.await(operation, link.right);
      assertThat(result.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
      assertThat(target.segment().get(ValueLayout.JAVA_LONG, 8)).isEqualTo(7);
    }
  }
}
