package io.linerate.fabric.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricAddresses;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.KilledPrograms;
import io.linerate.fabric.KilledPrograms.Stage;
import io.linerate.fabric.OtherProgram;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Programs with a channel to this one that are killed one after the other, at the same address. */
final class KilledChannels implements KilledPrograms.Survivor {
  private static final Duration A_LITTLE = Duration.ofMillis(20);

  private final String provider;
  private final KilledPrograms programs;
  private final FabricAddress own;
  private final FabricAddress address;
  private ChannelHost host;

  KilledChannels(String provider, KilledPrograms programs) {
    this.provider = provider;
    this.programs = programs;
    own = FabricAddresses.free(provider);
    address = FabricAddresses.free(provider);
    host = ChannelHost.open(own, ChannelSettings.DEFAULT).listen();
  }

  @Override
  public void survive(Stage stage, int messages) {
    try (OtherProgram program = programs.take()) {
      program.tell("listen", address);
      until(program::hasSaid);
      program.hear("ready");
      Channel channel = bring(program, stage, messages);
      programs.kill(program, stage);
      String what = provider + " channel " + stage;
      programs.told(what, await(channel, what, stage));
      channel.close();
    }
    if (provider.equals("udp+rxd")) { // It does not reach another one at the address.
      host.close();
      host = ChannelHost.open(own, ChannelSettings.DEFAULT).listen();
    }
  }

  private Channel bring(OtherProgram program, Stage stage, int messages) {
    if (stage == Stage.ASKING) {
      program.tell("connect", own);
      return accepted();
    }
    if (stage == Stage.ASKED) {
      program.tell("nothing").hear("nothing");
      return host.connect(address);
    }
    program.tell("accept");
    Channel channel = host.connect(address);
    until(() -> channel.state() != Channel.State.OPENING);
    assertThat(channel.error()).isNull();
    until(program::hasSaid);
    program.hear("done");
    if (stage != Stage.ACCEPTED) {
      exchange(program, channel);
      go(program, channel, stage, messages);
    }
    return channel;
  }

  private Channel accepted() {
    Channel[] accepted = new Channel[1];
    until(() -> {
      Optional<Channel> next = host.accept();
      next.ifPresent(channel -> accepted[0] = channel);
      return accepted[0] != null;
    });
    return accepted[0];
  }

  private void exchange(OtherProgram program, Channel channel) {
    program.tell("echo");
    Outgoing out = channel.claim();
    assertThat(out).isNotNull();
    out.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) 42);
    out.send(1);
    until(channel::hasMessages);
    Incoming in = channel.receive();
    assertThat(in).isNotNull();
    assertThat(in.memory().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 42);
    in.release();
    program.hear("done");
  }

  private void go(OtherProgram program, Channel channel, Stage stage, int messages) {
    switch (stage) {
      case RECEIVING -> {
        program.tell("receive");
        until(() -> step(channel, true) && channel.sentMessages() >= messages);
      }
      case SENDING -> {
        program.tell("send");
        int[] left = {messages};
        until(() -> {
          Incoming in = channel.receive();
          if (in != null) {
            in.release();
            left[0]--;
          }
          return left[0] <= 0;
        });
      }
      case ASLEEP -> program.tell("sleep").hear("sleep");
      default -> {
        // Idle.
      }
    }
  }

  /** Sends one, or releases one; always true. */
  private static boolean step(Channel channel, boolean isSending) {
    Outgoing out = isSending ? channel.claim() : null;
    if (out != null) {
      out.send(4000);
    }
    Incoming in = channel.receive();
    if (in != null) {
      in.release();
    }
    return true;
  }

  /** Waits until the channel says so, with what was going on going on. */
  private FabricError await(Channel channel, String what, Stage stage) {
    long start = System.nanoTime();
    @Nullable FabricError error = channel.error();
    while (error == null) {
      assertThat(System.nanoTime() - start)
          .as("%s: ns until it is told", what)
          .isLessThan(KilledPrograms.SOON_NS);
      boolean _ = host.await(A_LITTLE);
      try {
        boolean _ = step(channel, stage == Stage.RECEIVING);
      } catch (FabricException e) {
        assertThat(e).hasMessageStartingWith("a channel has failed: ");
      }
      error = channel.error();
    }
    assertThat(channel.state()).isEqualTo(Channel.State.FAILED);
    return error;
  }

  private void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(ChannelPair.SOON_NS);
      boolean _ = host.await(Duration.ofMillis(1));
    }
  }

  /** What killed programs have left goes when somebody takes their address. */
  @Override
  public void close() {
    host.close();
    ChannelHost.open(address, ChannelSettings.DEFAULT).listen().close();
  }
}
