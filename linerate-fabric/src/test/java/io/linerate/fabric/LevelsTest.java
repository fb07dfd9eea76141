package io.linerate.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.driver.NativeMemory;
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

  /** None that needs no hardware has fences: it would ignore one. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldRefuseAFenceThatTheProviderDoesNotHave(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor read = link.left.domain.descriptor().on(link.left.region(8)).fence(false);
      assertThatThrownBy(() -> read.fence(true))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("capability=fence, provider=" + provider);
      DomainOptions fences =
          DomainOptions.DEFAULT.with(
              Capability.MESSAGES, Capability.REMOTE_MEMORY, Capability.FENCE);
      assertThatThrownBy(() -> FabricDomain.open(FabricAddresses.free(provider), fences))
          .isInstanceOf(FabricException.class)
          .hasMessageContaining("no provider fits")
          .hasMessageContaining("fence");
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

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldTellThatWritesToTheSameMemoryKeepTheirOrder(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      assertThat(link.left.domain.provider().ordersWrites()).isTrue();
    }
  }

  /** Datagrams have none. */
  @Test
  void shouldFindNoProviderThatDoesNotKeepTheOrderOfMessages() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    for (long order : new long[] {0, FabricFlags.FI_ORDER_SAS}) {
      InfoRequest request =
          new InfoRequest(
              "udp",
              null,
              null,
              false,
              0,
              EndpointKind.DATAGRAM.number(),
              "",
              0,
              order,
              DomainOptions.DEFAULT);
      try (InfoList list = request.ask()) {
        assertThat(list.result()).isEqualTo(order == 0 ? 0 : -FabricError.FI_ENODATA);
        assertThat(list.providers()).noneMatch(ProviderInfo::ordersWrites);
      }
    }
  }

  /** As verbs does. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldGiveBackMemoryThatAWriteHasTakenForItsImmediateData(String provider) {
    try (Link link = Link.open(provider, DomainOptions.DEFAULT)) {
      Descriptor receive = link.right.domain.descriptor().on(link.right.region(64));
      assertThat(link.rightEndpoint.receive(receive)).isTrue();
      Completions completions = link.right.domain.completions(2);
      long entry = completions.entries();
      NativeMemory.u64(entry + CompletionLayout.CONTEXT, receive.address());
      NativeMemory.u64(
          entry + CompletionLayout.FLAGS,
          FabricFlags.FI_REMOTE_WRITE | FabricFlags.FI_REMOTE_CQ_DATA);
      NativeMemory.u64(entry + CompletionLayout.LENGTH, 100_000); // Longer than the memory.
      NativeMemory.u64(entry + CompletionLayout.DATA, 42);
      assertThat(completions.take(1)).isEqualTo(1);
      assertThat(completions.descriptor(0)).isSameAs(receive);
      assertThat(completions.error(0)).isNull();
      assertThat(completions.hasMessage(0)).isFalse();
      assertThat(completions.immediate(0)).isEqualTo(42);
      assertThat(receive.isPosted()).isFalse();
      assertThat(receive.error()).isNull();
      assertThat(receive.length()).isZero();
      assertThat(receive.immediate()).isEqualTo(42);
    }
  }

  @Test
  void shouldRefuseToReceiveWithoutMemoryWhereAllOfItIsToBeRegistered() {
    for (String name : new String[] {"verbs+rxm", "verbs", "tcp+rxm"}) {
      for (long modes : new long[] {0, ProviderInfo.MR_LOCAL}) {
        ProviderInfo provider = provider(name, 4, modes);
        provider.requireMemory(1);
        if (name.equals("verbs") || modes == 0) {
          provider.requireMemory(0);
        } else {
          assertThatThrownBy(() -> provider.requireMemory(0))
              .isInstanceOf(FabricException.class)
              .hasMessageContaining("nothing is received without memory: provider=" + name);
        }
      }
    }
  }

  private static ProviderInfo provider(int immediateBytes) {
    return provider("verbs", immediateBytes, 0);
  }

  private static ProviderInfo provider(String name, int immediateBytes, long registrationModes) {
    return new ProviderInfo(
        name,
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
        registrationModes,
        0,
        16,
        true);
  }
}
