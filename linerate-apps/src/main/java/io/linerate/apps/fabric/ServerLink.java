package io.linerate.apps.fabric;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricError;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.ChannelSettings;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import io.linerate.program.run.Console;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The channel to a server. Nothing waits for longer than the measurement goes on, nor for a server
 * that does not answer for ten seconds.
 */
final class ServerLink implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration TOLD_AFTER = Duration.ofSeconds(2);
  private static final Duration LAST_ANSWERS = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration TO_OPEN = Duration.ofSeconds(5);

  private final FabricAddress peer;
  private final MeasureLimit limit;
  private final Console console;
  private final ChannelHost host;
  private final Channel channel;
  private boolean isSilenceTold;

  ServerLink(FabricAddress peer, ChannelSettings settings, MeasureLimit limit, Console console) {
    this.peer = peer;
    this.limit = limit;
    this.console = console;
    host = ChannelHost.openTo(peer, settings);
    try {
      channel = host.connect(peer);
    } catch (FabricException e) {
      host.close();
      throw e;
    }
  }

  /** Waits until the server has answered; false if the measurement is over before. */
  boolean open() {
    long start = System.nanoTime();
    while (channel.state() == Channel.State.OPENING
        && System.nanoTime() - start < TO_OPEN.toNanos()
        && !limit.isOver()) {
      host.await(Duration.ofMillis(10));
    }
    if (channel.state() == Channel.State.OPENING && limit.isOver()) {
      return false;
    }
    if (channel.state() != Channel.State.OPEN) {
      throw new FabricException(
          "the peer does not answer: address=%s, %s; start 'linerate fabric serve %s' there"
              .formatted(peer, reason(), peer));
    }
    return true;
  }

  /** Messages that may be under way to the server. */
  int window() {
    return channel.window();
  }

  /** The longest message that both sides have memory for. */
  int messageBytes() {
    return channel.messageBytes();
  }

  /** Asks for a run; false if the measurement is over. */
  boolean ask(Ask ask) {
    Outgoing out = claim();
    if (out == null) {
      return false;
    }
    ask.write(out.memory());
    out.send(Ask.BYTES);
    return true;
  }

  /** Sends a message of whatever bytes; false if the measurement is over. */
  boolean send(int bytes) {
    Outgoing out = claim();
    if (out == null) {
      return false;
    }
    out.send(bytes);
    return true;
  }

  /** Whether a message has come. */
  boolean hasAnswer() {
    return channel.hasMessages();
  }

  /** Takes a message; false if the measurement is over before one has come. */
  boolean receive() {
    @Nullable Incoming in = channel.receive();
    Wait wait = new Wait();
    while (in == null && wait.goesOn()) {
      in = channel.receive();
      if (in == null) {
        requireOpen();
      }
    }
    if (in == null) {
      return false;
    }
    in.release();
    return true;
  }

  private @Nullable Outgoing claim() {
    requireOpen();
    Outgoing out = channel.claim();
    Wait wait = new Wait();
    while (out == null && wait.goesOn()) {
      requireOpen();
      out = channel.claim();
    }
    return out;
  }

  /** One wait for the server; what it takes of the messages before counts as an answer. */
  private final class Wait {
    private long sinceNs;
    private int taken;

    /** Waits until something has happened; false if the measurement is over. */
    boolean goesOn() {
      if (limit.isStopped().get()) {
        return false;
      }
      host.await(LOOK);
      long now = System.nanoTime();
      if (sinceNs == 0 || taken != channel.takenMessages()) {
        sinceNs = now;
        taken = channel.takenMessages();
      }
      long silentNs = now - sinceNs;
      if (silentNs > LAST_ANSWERS.toNanos() && limit.isOver()) {
        return false;
      }
      if (silentNs > PATIENCE.toNanos()) {
        throw new FabricException(
            "the peer does not answer: address=%s, silent=%d s; see whether it is stopped"
                .formatted(peer, silentNs / 1_000_000_000));
      }
      if (silentNs > TOLD_AFTER.toNanos() && !isSilenceTold) {
        isSilenceTold = true;
        console.warn(
            "the peer does not answer: address=%s; see whether it is stopped, waiting for %d s"
                .formatted(peer, PATIENCE.toSeconds()));
      }
      return true;
    }
  }

  private void requireOpen() {
    if (channel.state() != Channel.State.OPEN) {
      throw new FabricException(
          "the peer has ended the measurement: address=%s, %s; see what it says"
              .formatted(peer, reason()));
    }
  }

  private String reason() {
    FabricError error = channel.error();
    return error == null ? "state=" + channel.state() : "reason=" + error.text();
  }

  @Override
  public void close() {
    host.close();
  }
}
