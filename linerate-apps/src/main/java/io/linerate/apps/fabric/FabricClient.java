package io.linerate.apps.fabric;

import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Waiting;
import io.linerate.fabric.channel.ChannelSettings;
import io.linerate.program.run.Console;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The side that measures. */
final class FabricClient {
  private static final long MEMORY_BYTES = 64L << 20;
  private static final int LEAST_WINDOW = 4;
  private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(10);

  /** A part of the time before what is measured, to fill caches; of the first size to compile. */
  private static final int WARM_PART = 5;

  private static final long FIRST_WARM_NS = TimeUnit.SECONDS.toNanos(1);

  /** Messages of a run at most: time is looked at between runs. */
  private static final int PINGS = 256;

  private static final int STREAM = 1024;
  private static final int STREAM_BYTES = 1 << 20;

  private final FabricAddress peer;
  private final ChannelSettings settings;
  private final Duration each;
  private final MeasureLimit limit;
  private final Console console;
  private volatile int done;
  private int agreedWindow;

  FabricClient(
      FabricAddress peer,
      ChannelSettings settings,
      Duration each,
      MeasureLimit limit,
      Console console) {
    this.peer = peer;
    this.settings = settings;
    this.each = each;
    this.limit = limit;
    this.console = console;
  }

  /** As a side has channels whose longest message is known: fewer messages of long ones. */
  static ChannelSettings settings(int window, int messageBytes, Waiting waiting) {
    int bytes = Math.max(Ask.BYTES, messageBytes);
    int most = Math.clamp(MEMORY_BYTES / bytes, Math.min(LEAST_WINDOW, window), window);
    return ChannelSettings.DEFAULT.window(most).messageBytes(bytes).waiting(waiting);
  }

  /** Sizes that are measured. */
  int done() {
    return done;
  }

  /** Messages under way at most, as both sides have it. */
  int window() {
    return agreedWindow;
  }

  /** Measures all sizes, or as many as there are before it is over, or the peer has failed. */
  void measure(boolean isPing, List<Integer> sizes, List<SizeRow> rows) {
    try (ServerLink link = new ServerLink(peer, settings, limit, console)) {
      if (!link.open()) {
        return;
      }
      agreedWindow = link.window();
      for (int bytes : sizes) {
        requireFits(bytes, link.messageBytes());
      }
      for (int bytes : sizes) {
        if (limit.isOver()) {
          return;
        }
        SizeRow row = isPing ? ping(link, bytes) : fill(link, bytes);
        if (row == null) {
          return;
        }
        rows.add(row);
        done = rows.size();
      }
    }
  }

  private static void requireFits(int bytes, int most) {
    if (bytes > most) {
      throw new FabricException(
          "a message is too long for the peer: size=%d, limit=%d; leave it out of --sizes, or start 'linerate fabric serve' with --sizes %d"
              .formatted(bytes, most, bytes));
    }
  }

  /** How long a size is measured, so that there is time to warm up before the end. */
  private long timeNs() {
    return Math.min(each.toNanos(), limit.leftNs() / (WARM_PART + 1) * WARM_PART);
  }

  private long warmNs(long timeNs) {
    long leastNs = done == 0 ? Math.min(FIRST_WARM_NS, limit.leftNs() - timeNs) : 0;
    return Math.max(timeNs / WARM_PART, leastNs);
  }

  private @Nullable SizeRow ping(ServerLink link, int bytes) {
    long timeNs = timeNs();
    if (!isPinged(link, bytes, warmNs(timeNs), new Histogram(LONGEST_NS, 3))) {
      return null;
    }
    Histogram times = new Histogram(LONGEST_NS, 3);
    long start = System.nanoTime();
    boolean isMeasured = isPinged(link, bytes, timeNs, times);
    double seconds = (System.nanoTime() - start) / 1e9;
    return isMeasured ? new SizeRow(bytes, times.getTotalCount(), seconds, times) : null;
  }

  /** Sends messages there and back for that time; false if it was not to be. */
  private boolean isPinged(ServerLink link, int bytes, long timeNs, Histogram times) {
    long start = System.nanoTime();
    long now = start;
    int run = 1; // Of a slow network only few.
    do {
      if (!link.ask(new Ask(Ask.ECHO, run))) {
        return false;
      }
      for (int i = 0; i < run; i++) {
        long sent = System.nanoTime();
        if (!link.send(bytes) || !link.receive()) {
          return false;
        }
        now = System.nanoTime();
        times.recordValue(Math.min(LONGEST_NS, (now - sent) / 2));
      }
      run = now - start < timeNs / 8 ? Math.min(PINGS, 2 * run) : run;
    } while (now - start < timeNs && !limit.isOver());
    return !limit.isStopped().get();
  }

  private @Nullable SizeRow fill(ServerLink link, int bytes) {
    long timeNs = timeNs();
    return stream(link, bytes, warmNs(timeNs)) == null ? null : stream(link, bytes, timeNs);
  }

  /**
   * Sends messages for that time, and waits until the peer has all. Each run is answered, but not
   * waited for before the next begins: no more answers are under way than there is memory for.
   */
  private @Nullable SizeRow stream(ServerLink link, int bytes, long timeNs) {
    int atLeast = LEAST_WINDOW + link.window() / settings.window();
    int run = Math.max(atLeast, Math.min(STREAM, STREAM_BYTES / Math.max(1, bytes)));
    long start = System.nanoTime();
    long messages = 0;
    int unanswered = 0;
    do {
      if (!isSent(link, bytes, run)) {
        return null;
      }
      messages += run;
      unanswered++;
      while (unanswered > 0 && (unanswered == settings.window() || link.hasAnswer())) {
        if (!link.receive()) {
          return null;
        }
        unanswered--;
      }
    } while (System.nanoTime() - start < timeNs && !limit.isOver());
    for (; unanswered > 0; unanswered--) {
      if (!link.receive()) {
        return null;
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new SizeRow(bytes, messages, seconds, new Histogram(LONGEST_NS, 1));
  }

  private static boolean isSent(ServerLink link, int bytes, int messages) {
    boolean isSent = link.ask(new Ask(Ask.TAKE, messages));
    for (int i = 0; i < messages && isSent; i++) {
      isSent = link.send(bytes);
    }
    return isSent;
  }
}
