package io.linerate.fabric.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Access;
import io.linerate.fabric.Capability;
import io.linerate.fabric.Commands;
import io.linerate.fabric.EndpointKind;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricAddresses;
import io.linerate.fabric.FabricDomain;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.OtherProgram;
import io.linerate.fabric.ProviderInfo;
import io.linerate.fabric.RemoteRegion;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary whose thread fails: nobody may work beside it, and standbys are served all the same.
 */
class PrimaryFailureTest {
  private static final TableLayout LAYOUT = new TableLayout("test", 1, 100, 1);
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String ANEW = "opens its address anew";
  private static final String GONE = "the standby has gone";

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final AtomicInteger losses = new AtomicInteger();

  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  private Primary open(FabricAddress address, Consumer<String> said) {
    Consumer<String> all =
        message -> {
          log.add(message);
          said.accept(message);
        };
    Primary primary =
        Primary.open(address, LAYOUT, new byte[0], all, losses::incrementAndGet).orElseThrow();
    primary.table(0).write(7, new long[] {77});
    return primary;
  }

  private void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited, log=%s", log).isLessThan(SOON.toNanos());
      Thread.onSpinWait();
    }
  }

  private boolean hasSaid(String beginning) {
    return log.stream().anyMatch(each -> each.startsWith(beginning));
  }

  private void beStandby(FabricAddress address) {
    long start = System.nanoTime();
    while (true) {
      try (Standby standby = Standby.open(address, LAYOUT)) {
        Standby.State state = standby.await(Duration.ZERO);
        while (!state.isOver() && state != Standby.State.IN_STEP) {
          assertThat(System.nanoTime() - start)
              .as("ns waited, log=%s", log)
              .isLessThan(SOON.toNanos());
          state = standby.await(Duration.ofMillis(10));
        }
        if (state == Standby.State.IN_STEP) {
          List<Long> words = new ArrayList<>();
          standby.forEach(0, record -> words.add(record[0]));
          assertThat(words).containsExactly(77L);
          return;
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldServeOthersWhenWhatAPeerHasDoneThrows(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    Consumer<String> failing =
        message -> {
          if (message.startsWith(GONE)) {
            throw new IllegalStateException("of a peer");
          }
        };
    try (Primary primary = open(address, failing)) {
      beStandby(address);
      until(() -> hasSaid(ANEW));
      beStandby(address);
      assertThat(primary.failure()).isEmpty();
    }
    assertThat(log).anyMatch(each -> each.startsWith(ANEW) && each.contains("of a peer"));
    assertThat(losses).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldKeepItsAddressWhenItCanCopyNothingAnyMore(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    Consumer<String> failing =
        message -> {
          if (message.startsWith(GONE)) {
            throw new AssertionError("no memory");
          }
        };
    try (Primary primary = open(address, failing)) {
      beStandby(address);
      until(() -> primary.failure().isPresent());
      assertThat(primary.failure().orElseThrow())
          .startsWith("nothing is copied to a standby any more: address=" + address)
          .contains("no memory");
      primary.table(0).write(1, new long[] {1}); // Goes nowhere, and harms nobody.
      assertThat(primary.isInStep()).isFalse();
      assertThat(Primary.open(address, LAYOUT, new byte[0], log::add, () -> {})).isEmpty();
    }
    assertThat(log).last().asString().startsWith("nothing is copied to a standby any more");
    assertThat(losses).hasValue(0);
    open(address, _ -> {}).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldTellThatAnotherOneHasItsAddress(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    List<Primary> others = new CopyOnWriteArrayList<>();
    Consumer<String> failing =
        message -> {
          if (message.startsWith(GONE)) {
            throw new IllegalStateException("of a peer");
          }
          if (message.startsWith(ANEW)) {
            Primary.open(address, LAYOUT, new byte[0], _ -> {}, () -> {}).ifPresent(others::add);
          }
        };
    try (Primary primary = open(address, failing)) {
      beStandby(address);
      until(() -> losses.get() == 1);
      assertThat(others).hasSize(1);
      assertThat(primary.failure()).isPresent();
    } finally {
      others.forEach(Primary::close);
    }
  }

  @Test
  void shouldRefuseAProviderThatDoesNotWriteInOrder() {
    for (boolean isInOrder : new boolean[] {true, false}) {
      ProviderInfo info =
          new ProviderInfo(
              "verbs",
              "mlx5_0",
              EndpointKind.CONNECTED,
              Set.of(Capability.REMOTE_MEMORY),
              1 << 30,
              64,
              256,
              256,
              4,
              4,
              0,
              0,
              0,
              0,
              0,
              0,
              0,
              16,
              isInOrder);
      if (isInOrder) {
        PrimaryHost.requireOrder(info);
      } else {
        assertThatThrownBy(() -> PrimaryHost.requireOrder(info))
            .isInstanceOf(FabricException.class)
            .hasMessageContaining("provider=verbs, missing=FI_ORDER_RMA_WAW");
      }
    }
    for (String provider : List.of("shm", "tcp", "tcp+rxm")) {
      try (FabricDomain domain = FabricDomain.open(FabricAddresses.free(provider))) {
        assertThat(domain.provider().ordersWrites()).as(provider).isTrue();
      }
    }
  }

  /** shm then sends nothing more from that endpoint, to anybody. */
  @Test
  void shouldServeOthersAfterAKeyThatNobodyHas() {
    FabricAddress address = FabricAddresses.free("shm");
    try (Primary primary = open(address, _ -> {})) {
      try (OtherProgram forger = OtherProgram.start(PrimaryFailureTest.class, address)) {
        forger.hear("asked");
        until(() -> hasSaid(GONE));
        beStandby(address);
      }
      assertThat(primary.failure()).isEmpty();
    }
  }

  /** Asks as a standby that has memory of a key which it does not have. */
  public static void main(String[] args) {
    Commands _ = new Commands(); // It ends with the test.
    FabricAddress address = FabricAddress.parse(args[0]);
    try (ChannelHost host = ChannelHost.openTo(address, Primary.SETTINGS);
        Channel channel = host.connect(address)) {
      while (channel.state() == Channel.State.OPENING) {
        host.await(Duration.ofMillis(10));
      }
      RemoteRegion forged =
          new RemoteRegion(0, 0x1234_5678_9ABCL, LAYOUT.bytes(), Set.of(Access.values()));
      Outgoing message = Objects.requireNonNull(channel.claim());
      message.send(ReplicationMessage.writeAsk(message.memory(), LAYOUT, forged));
      System.out.println("asked");
      System.out.flush();
      while (channel.state() == Channel.State.OPEN) {
        host.await(Duration.ofMillis(10));
      }
    }
  }
}
