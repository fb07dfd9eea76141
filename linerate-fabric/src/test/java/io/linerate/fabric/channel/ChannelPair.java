package io.linerate.fabric.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricAddresses;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Two hosts with a channel between them, on one thread. */
final class ChannelPair implements AutoCloseable {
  static final long SOON_NS = TimeUnit.SECONDS.toNanos(20);
  static final ChannelSettings QUICK =
      new ChannelSettings(4, 64, 4, Duration.ofMillis(500), ChannelSettings.DEFAULT.waiting());

  final FabricAddress address;
  final ChannelHost leftHost;
  final ChannelHost rightHost;
  final Channel left;
  final Channel right;

  private ChannelPair(FabricAddress address, ChannelHost leftHost, ChannelHost rightHost) {
    this.address = address;
    this.leftHost = leftHost;
    this.rightHost = rightHost;
    left = leftHost.connect(address);
    Channel[] accepted = new Channel[1];
    until(() -> {
      if (accepted[0] == null) {
        Optional<Channel> next = rightHost.accept();
        next.ifPresent(channel -> accepted[0] = channel);
      }
      return accepted[0] != null
          && accepted[0].state() == Channel.State.OPEN
          && left.state() != Channel.State.OPENING;
    });
    right = accepted[0];
    assertThat(left.error()).isNull();
  }

  static ChannelPair open(String provider, ChannelSettings settings) {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
    FabricAddress address = FabricAddresses.free(provider);
    ChannelHost right = ChannelHost.open(address, settings).listen();
    return new ChannelPair(
        address, ChannelHost.open(FabricAddresses.free(provider), settings), right);
  }

  void poll() {
    leftHost.poll();
    rightHost.poll();
  }

  void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(SOON_NS);
      poll();
    }
  }

  Outgoing claim() {
    Outgoing[] claimed = new Outgoing[1];
    until(() -> {
      claimed[0] = left.claim();
      return claimed[0] != null;
    });
    return claimed[0];
  }

  void send(int length) {
    claim().send(length);
  }

  @Override
  public void close() {
    leftHost.close();
    rightHost.close();
  }
}
