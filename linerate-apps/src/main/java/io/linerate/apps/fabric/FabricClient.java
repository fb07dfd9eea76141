package io.linerate.apps.fabric;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Waiting;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.ChannelSettings;
import io.linerate.fabric.channel.Incoming;
import io.linerate.fabric.channel.Outgoing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The side that measures. */
final class FabricClient {
  static final int MOST_BYTES_SERVED = 1 << 20;

  private static final long MEMORY_BYTES = 64L << 20;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

  /** Messages of a run: time is looked at between runs. */
  private static final int PINGS = 256;

  private final FabricAddress peer;
  private final Waiting waiting;
  private final int window;
  private final Duration each;
  private final AtomicBoolean isStopped;
  private volatile int done;
  private int agreedWindow;

  FabricClient(
      FabricAddress peer, Waiting waiting, int window, Duration each, AtomicBoolean isStopped) {
    this.peer = peer;
    this.waiting = waiting;
    this.window = window;
    this.each = each;
    this.isStopped = isStopped;
  }

  /** Messages that one side has memory for: fewer of long ones. */
  static int window(int wanted, int messageBytes) {
    return Math.clamp(MEMORY_BYTES / Math.max(1, messageBytes), 4, wanted);
  }

  /** Sizes that are measured. */
  int done() {
    return done;
  }

  /** Messages under way at most, as both sides have it. */
  int window() {
    return agreedWindow;
  }

  /** Measures all sizes, or as many as there are before it is stopped. */
  void measure(boolean isPing, List<Integer> sizes, List<SizeRow> rows) {
    int longest = Math.max(MOST_BYTES_SERVED, sizes.stream().mapToInt(it -> it).max().orElse(1));
    ChannelSettings settings =
        ChannelSettings.DEFAULT
            .window(window(window, longest))
            .messageBytes(longest)
            .waiting(waiting);
    try (ChannelHost host = ChannelHost.openTo(peer, settings);
        Channel channel = connect(host)) {
      agreedWindow = channel.window();
      for (int bytes : sizes) {
        if (bytes > channel.messageBytes()) {
          throw new FabricException(
              "a message is too long for the peer: size=%d, limit=%d; leave it out of --sizes"
                  .formatted(bytes, channel.messageBytes()));
        }
        SizeRow row = isPing ? ping(host, channel, bytes) : fill(host, channel, bytes);
        if (isStopped.get()) {
          return;
        }
        rows.add(row);
        done = rows.size();
      }
    }
  }

  private Channel connect(ChannelHost host) {
    Channel channel = host.connect(peer);
    long start = System.nanoTime();
    while (channel.state() == Channel.State.OPENING
        && System.nanoTime() - start < PATIENCE.toNanos()
        && !isStopped.get()) {
      host.await(Duration.ofMillis(10));
    }
    if (channel.state() != Channel.State.OPEN) {
      throw new FabricException(
          "the peer does not answer: address=%s, %s; start 'linerate fabric serve %s' there"
              .formatted(
                  peer,
                  channel.error() == null ? "state=" + channel.state() : channel.error(),
                  peer));
    }
    return channel;
  }

  private SizeRow ping(ChannelHost host, Channel channel, int bytes) {
    Histogram times = new Histogram(LONGEST_NS, 3);
    long start = System.nanoTime();
    long messages = 0;
    boolean isWarm = false;
    while (!isStopped.get()) {
      ask(host, channel, new Ask(Ask.ECHO, PINGS));
      for (int i = 0; i < PINGS; i++) {
        long sent = System.nanoTime();
        claim(host, channel).send(bytes);
        take(host, channel).release();
        times.recordValue(Math.min(LONGEST_NS, (System.nanoTime() - sent) / 2));
      }
      messages += PINGS;
      long elapsed = System.nanoTime() - start;
      if (!isWarm && elapsed > each.toNanos() / 5) {
        isWarm = true; // What came before was to compile, and to fill caches.
        times.reset();
        messages = 0;
        start = System.nanoTime();
      } else if (isWarm && elapsed > each.toNanos()) {
        return new SizeRow(bytes, messages, elapsed / 1e9, times);
      }
    }
    return new SizeRow(bytes, messages, 1, times);
  }

  private SizeRow fill(ChannelHost host, Channel channel, int bytes) {
    run(host, channel, bytes, channel.window()); // To fill caches, and know how fast it is.
    long probe = 16L * channel.window();
    double perMessageNs = (double) run(host, channel, bytes, probe) / probe;
    long messages = Math.max(probe, (long) (each.toNanos() / perMessageNs));
    long tookNs = run(host, channel, bytes, messages);
    return new SizeRow(bytes, messages, tookNs / 1e9, new Histogram(LONGEST_NS, 1));
  }

  /** Sends messages and waits until the peer has all; how long it took in ns. */
  private long run(ChannelHost host, Channel channel, int bytes, long messages) {
    ask(host, channel, new Ask(Ask.TAKE, messages));
    long start = System.nanoTime();
    for (long i = 0; i < messages && !isStopped.get(); i++) {
      claim(host, channel).send(bytes);
    }
    if (!isStopped.get()) {
      take(host, channel).release();
    }
    return System.nanoTime() - start;
  }

  private void ask(ChannelHost host, Channel channel, Ask ask) {
    Outgoing out = claim(host, channel);
    ask.write(out.memory());
    out.send(Ask.BYTES);
  }

  private Outgoing claim(ChannelHost host, Channel channel) {
    Outgoing out = channel.claim();
    while (out == null) {
      host.await(PATIENCE);
      require(channel);
      out = channel.claim();
    }
    return out;
  }

  private Incoming take(ChannelHost host, Channel channel) {
    @Nullable Incoming in = channel.receive();
    while (in == null) {
      host.await(PATIENCE);
      in = channel.receive();
      if (in == null) {
        require(channel);
      }
    }
    return in;
  }

  private void require(Channel channel) {
    if (channel.state() != Channel.State.OPEN) {
      throw new FabricException(
          "the peer has ended the measurement: address=%s, %s; see what it says"
              .formatted(
                  peer, channel.error() == null ? "state=" + channel.state() : channel.error()));
    }
  }
}
