package io.linerate.fabric.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricAddresses;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a standby makes of what its primary says, or leaves out. */
class StandbyStateTest {
  private static final TableLayout LAYOUT = new TableLayout("test", 1, 100, 1);
  private static final Duration SOON = Duration.ofSeconds(20);

  private final List<String> log = new CopyOnWriteArrayList<>();

  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  private static void until(Standby standby, ChannelHost primary, Standby.State state) {
    long start = System.nanoTime();
    while (standby.await(Duration.ofMillis(1)) != state) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(SOON.toNanos());
      primary.poll();
    }
  }

  private static Channel accept(Standby standby, ChannelHost primary) {
    long start = System.nanoTime();
    Optional<Channel> come = Optional.empty();
    while (come.isEmpty()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(SOON.toNanos());
      standby.await(Duration.ofMillis(1));
      primary.poll();
      come = primary.accept();
    }
    return come.get();
  }

  private static void sayThatItIsInStep(Channel channel) {
    Outgoing message = Objects.requireNonNull(channel.claim());
    message.send(
        ReplicationMessage.write(message.memory(), ReplicationMessage.IN_STEP, new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldBeOutOfStepWhenThePrimarySaysNoMoreThatItTellsWhatChanges(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    try (ChannelHost primary = ChannelHost.open(address, Primary.SETTINGS).listen();
        Standby standby = Standby.open(address, LAYOUT)) {
      Channel channel = accept(standby, primary);
      until(standby, primary, Standby.State.COPYING);
      assertThat(standby.isUpToDate()).isFalse();
      sayThatItIsInStep(channel);
      until(standby, primary, Standby.State.IN_STEP);
      assertThat(standby.isUpToDate()).isTrue();
      until(standby, primary, Standby.State.OUT_OF_STEP);
      assertThat(standby.isUpToDate()).isFalse();
      // By shm it may only be held up, and would not outlive an endpoint that is closed meanwhile.
      assertThat(standby.isLetGo()).isEqualTo(provider.equals("tcp"));
      assertThat(Standby.isPrimaryStopped(address)).isFalse();
      sayThatItIsInStep(channel);
      until(standby, primary, Standby.State.IN_STEP);
      assertThat(standby.isLetGo()).isFalse();
      channel.close();
      until(standby, primary, Standby.State.ALONE);
      assertThat(standby.isUpToDate()).isTrue();
    }
  }

  @Test
  void shouldStayInStepWithAPrimaryThatHasNothingToTell() {
    FabricAddress address = FabricAddresses.free("tcp");
    try (Primary _ = Primary.open(address, LAYOUT, new byte[0], _ -> {}, () -> {}).orElseThrow();
        Standby standby = Standby.open(address, LAYOUT)) {
      ReplicationTest.until(standby, Standby.State.IN_STEP);
      assertThat(standby.await(Duration.ofSeconds(8))).isEqualTo(Standby.State.IN_STEP);
    }
  }

  @Test
  void shouldNotAskAPrimaryWhoseMessagesAreTooShort() {
    FabricAddress address = FabricAddresses.free("tcp");
    try (ChannelHost primary =
            ChannelHost.open(address, Primary.SETTINGS.messageBytes(64)).listen();
        Standby standby = Standby.open(address, LAYOUT)) {
      Channel _ = accept(standby, primary);
      until(standby, primary, Standby.State.REFUSED);
      assertThat(standby.reason()).contains("messageBytes=64, expected=2048");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 64})
  void shouldRefuseAStandbyWhoseMessagesAreTooShort(int messageBytes) {
    FabricAddress address = FabricAddresses.free("tcp");
    try (Primary primary =
            Primary.open(address, LAYOUT, new byte[0], log::add, () -> {}).orElseThrow();
        ChannelHost host =
            ChannelHost.openTo(address, Primary.SETTINGS.messageBytes(messageBytes))) {
      Channel channel = host.connect(address);
      long start = System.nanoTime();
      boolean hasAsked = false;
      while (channel.state() == Channel.State.OPENING || channel.state() == Channel.State.OPEN) {
        assertThat(System.nanoTime() - start)
            .as("ns waited, log=%s, state=%s", log, channel.state())
            .isLessThan(SOON.toNanos());
        host.await(Duration.ofMillis(1));
        Outgoing message =
            hasAsked || channel.state() != Channel.State.OPEN ? null : channel.claim();
        if (message != null) {
          message.send(messageBytes);
          hasAsked = true;
        }
        Incoming answer = channel.receive();
        if (answer != null) {
          answer.release();
        }
      }
      try (Standby standby = Standby.open(address, LAYOUT)) {
        while (standby.await(Duration.ofMillis(10)) != Standby.State.IN_STEP) {
          assertThat(System.nanoTime() - start)
              .as("ns waited: %s %s, log=%s", standby.await(Duration.ZERO), standby.reason(), log)
              .isLessThan(SOON.toNanos());
        }
      }
      assertThat(log).noneMatch(each -> each.startsWith("opens its address anew"));
      assertThat(primary.failure()).isEmpty();
    }
  }

  @Test
  void shouldEndTheRestOfAPrimaryThoughSomethingComesAllTheTime() {
    long start = System.nanoTime();
    Standby.takeRest(() -> true, Duration.ofMillis(20));
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
  }
}
