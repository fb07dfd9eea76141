package io.linerate.fabric.channel;

import io.linerate.fabric.Waiting;
import io.linerate.fabric.host.Range;
import java.time.Duration;

/**
 * How channels of a host are.
 *
 * @param window messages that may be under way in each direction: 2 to 4,096; that of a channel is
 *     the smaller one of both sides
 * @param messageBytes the longest message: 1 to 16 MiB; that of a channel is the smaller one of
 *     both sides
 * @param channels at once; more are refused
 * @param lostAfter how long a peer of another host, or another PID namespace, may be silent until
 *     it counts as lost. One of this host counts as lost when its process has ended
 * @param waiting how {@link ChannelHost#await} waits
 */
public record ChannelSettings(
    int window, int messageBytes, int channels, Duration lostAfter, Waiting waiting) {
  public static final ChannelSettings DEFAULT =
      new ChannelSettings(64, 65_536, 16, Duration.ofSeconds(2), Waiting.ADAPTIVE);

  public ChannelSettings {
    Range.require("window", window, 2, 4096);
    Range.require("messageBytes", messageBytes, 1, 16 << 20);
    Range.require("channels", channels, 1, 1024);
    Range.require("lostAfterMs", lostAfter.toMillis(), 100, 3_600_000);
  }

  /** With another window. */
  public ChannelSettings window(int messages) {
    return new ChannelSettings(messages, messageBytes, channels, lostAfter, waiting);
  }

  /** With another longest message. */
  public ChannelSettings messageBytes(int bytes) {
    return new ChannelSettings(window, bytes, channels, lostAfter, waiting);
  }

  /** With another way to wait. */
  public ChannelSettings waiting(Waiting how) {
    return new ChannelSettings(window, messageBytes, channels, lostAfter, how);
  }
}
