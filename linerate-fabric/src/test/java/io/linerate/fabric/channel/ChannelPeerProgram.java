package io.linerate.fabric.channel;

import io.linerate.fabric.Commands;
import io.linerate.fabric.FabricAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a channel, for tests: a program that does what it is told, until it is killed.
 */
final class ChannelPeerProgram {
  private final Commands commands;
  private final ChannelHost host;
  private @Nullable Channel channel;

  private ChannelPeerProgram(Commands commands, ChannelHost host) {
    this.commands = commands;
    this.host = host;
  }

  /**
   * Does what it is told, until it is killed.
   *
   * @param arguments the address where it listens
   */
  public static void main(String[] arguments) {
    Commands commands = new Commands();
    FabricAddress address = commands.address(arguments);
    try (ChannelHost host = ChannelHost.open(address, ChannelSettings.DEFAULT).listen()) {
      ChannelPeerProgram program = new ChannelPeerProgram(commands, host);
      Commands.say("ready");
      while (true) {
        program.go();
      }
    }
  }

  private void go() {
    if (commands.isEmpty()) {
      boolean _ = host.await(Duration.ofMillis(1));
      return;
    }
    List<String> words = commands.take();
    switch (words.getFirst()) {
      case "nothing" -> {
        Commands.say("nothing");
        while (commands.isEmpty()) {
          Thread.onSpinWait(); // It does not even poll.
        }
      }
      case "connect" -> {
        channel = host.connect(FabricAddress.parse(words.get(1)));
        Commands.say("asked");
        awaitOpen();
      }
      case "accept" -> {
        while (channel == null) {
          boolean _ = host.await(Duration.ofMillis(1));
          host.accept().ifPresent(accepted -> channel = accepted);
        }
        awaitOpen();
      }
      case "echo" -> echo();
      case "receive" -> stream(false);
      case "send" -> stream(true);
      case "sleep" -> {
        Commands.say("sleep");
        while (commands.isEmpty()) {
          boolean _ = host.await(Duration.ofSeconds(1));
        }
      }
      default -> throw new IllegalArgumentException(words.toString());
    }
    Commands.say("done");
  }

  private Channel channel() {
    return Objects.requireNonNull(channel);
  }

  private void awaitOpen() {
    while (channel().state() == Channel.State.OPENING) {
      boolean _ = host.await(Duration.ofMillis(1));
    }
  }

  private void echo() {
    Incoming in = channel().receive();
    for (; in == null; in = channel().receive()) {
      boolean _ = host.await(Duration.ofMillis(1));
    }
    Outgoing out = Objects.requireNonNull(channel().claim());
    out.memory().copyFrom(in.memory().asSlice(0, in.length()));
    out.send(in.length());
    in.release();
  }

  private void stream(boolean isSending) {
    Commands.say("stream");
    while (commands.isEmpty()) {
      int _ = host.poll();
      Outgoing out = isSending ? channel().claim() : null;
      if (out != null) {
        out.send(4000);
      }
      Incoming in = channel().receive();
      if (in != null) {
        in.release();
      }
    }
  }
}
