package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** On a link that is computed: nothing of it depends on the machine. */
class CubicTest {
  private static final int SEGMENT_BYTES = 1_000;
  private static final long MS_NS = 1_000_000;
  private static final long STEP_NS = 10_000;

  /** A packet in the queue before the link, or behind it. */
  private record Travelling(Sender sender, long number, long atNs) {}

  /** A link with a queue, which drops what it has no room for. */
  private static final class Link {
    private final double bytesPerNs;
    private final int queuePackets;
    private final long delayNs;
    private final Deque<Travelling> queue = new ArrayDeque<>();
    private final Deque<Travelling> behind = new ArrayDeque<>();
    private double credit;

    Link(double bitsPerS, int queuePackets, long delayNs) {
      bytesPerNs = bitsPerS / 8 / 1e9;
      this.queuePackets = queuePackets;
      this.delayNs = delayNs;
    }

    void send(Sender sender, long number, long nowNs) {
      if (queue.size() < queuePackets) {
        queue.add(new Travelling(sender, number, nowNs));
      }
    }

    void step(long nowNs) {
      credit = queue.isEmpty() ? 0 : credit + bytesPerNs * STEP_NS;
      while (!queue.isEmpty() && credit >= SEGMENT_BYTES) {
        credit -= SEGMENT_BYTES;
        Travelling one = queue.poll();
        behind.add(new Travelling(one.sender, one.number, nowNs + delayNs));
      }
      while (!behind.isEmpty() && behind.peek().atNs <= nowNs) {
        Travelling one = behind.poll();
        one.sender.acked(one.number, nowNs);
      }
    }
  }

  /** Sends as much as it may. */
  private static final class Sender implements SentPackets.Fates {
    private final Cubic cubic = new Cubic(SEGMENT_BYTES, 1L << 30);
    private final RoundTrips roundTrips = new RoundTrips();
    private final SentPackets sent = new SentPackets(1 << 16);
    private long nowNs;
    private long newestNs;
    private long ackedBytes;
    private long delivered;
    private boolean isFull;

    void send(Link link, long now) {
      while (sent.bytes() + SEGMENT_BYTES <= cubic.windowBytes() && sent.hasRoom()) {
        link.send(this, sent.next(), now);
        sent.add(Wire.PIECE, 0, SEGMENT_BYTES, now);
      }
    }

    void acked(long number, long now) {
      nowNs = now;
      ackedBytes = 0;
      isFull = sent.bytes() + 2 * SEGMENT_BYTES > cubic.windowBytes();
      newestNs = sent.acked(number, number, this);
      if (newestNs >= 0) {
        roundTrips.add(now - newestNs, 0);
        cubic.acked(ackedBytes, newestNs, now, roundTrips.smoothedNs(), isFull);
      }
      long _ = sent.findLost(now, roundTrips.lossDelayNs(), this);
    }

    @Override
    public void acked(int kind, long offset, int length, long sentAtNs) {
      ackedBytes += length;
      delivered += length;
    }

    @Override
    public void lost(int kind, long offset, int length, long sentAtNs) {
      boolean _ = cubic.lost(sentAtNs, nowNs);
    }
  }

  private static List<Sender> run(Link link, int senders, long forNs, long fromNs) {
    List<Sender> all = IntStream.range(0, senders).mapToObj(_ -> new Sender()).toList();
    for (long now = 0; now < forNs; now += STEP_NS) {
      if (now == fromNs) {
        all.forEach(sender -> sender.delivered = 0);
      }
      for (Sender sender : all) {
        sender.send(link, now);
      }
      link.step(now);
    }
    return all;
  }

  @Test
  void shouldFillALink() {
    Link link = new Link(100e6, 100, 20 * MS_NS);
    Sender sender = run(link, 1, 20_000 * MS_NS, 5_000 * MS_NS).getFirst();
    double share = sender.delivered * 8 / 15.0 / 100e6;
    assertThat(share).isBetween(0.9, 1.0);
  }

  @Test
  void shouldShareALinkWithAnother() {
    Link link = new Link(100e6, 200, 10 * MS_NS);
    List<Sender> both = run(link, 2, 60_000 * MS_NS, 10_000 * MS_NS);
    double first = both.getFirst().delivered;
    double second = both.getLast().delivered;
    assertThat((first + second) * 8 / 50.0 / 100e6).isBetween(0.9, 1.0);
    assertThat(Math.max(first, second) / Math.min(first, second)).isLessThan(1.2);
  }

  @Test
  void shouldStartSlowlyAndShrinkOnceForWhatIsLostTogether() {
    Cubic cubic = new Cubic(SEGMENT_BYTES, 1L << 30);
    assertThat(cubic.windowBytes()).isEqualTo(10_000);
    cubic.acked(10_000, 0, MS_NS, MS_NS, true);
    assertThat(cubic.windowBytes()).isEqualTo(20_000);
    assertThat(cubic.isSlowStart()).isTrue();
    assertThat(cubic.lost(MS_NS, 2 * MS_NS)).isTrue();
    assertThat(cubic.lost(2 * MS_NS, 3 * MS_NS)).isFalse();
    assertThat(cubic.windowBytes()).isEqualTo(14_000);
    assertThat(cubic.isSlowStart()).isFalse();
    cubic.acked(14_000, 2 * MS_NS, 3 * MS_NS, MS_NS, true);
    assertThat(cubic.windowBytes()).as("what was sent before the loss was known").isEqualTo(14_000);
    cubic.acked(14_000, 3 * MS_NS, 4 * MS_NS, MS_NS, false);
    assertThat(cubic.windowBytes()).as("a window that was not used").isEqualTo(14_000);
  }
}
