package io.linerate.core.measure;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleUnit;
import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.port.DriverPort;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks ten times a second whether the links of ports are up, logs when one changes, and counts how
 * often each went down: a cable that is pulled, a peer that ends, an interface that is set down or
 * deleted. What comes and goes between two looks is not seen.
 */
public final class LinkWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(LinkWatch.class.getName());
  private static final long INTERVAL_MS = 100;

  /** One port's. */
  private static final class Link {
    final DriverPort port;
    volatile boolean isUp;
    final SingleWriterCounters downs = new SingleWriterCounters(1);

    Link(DriverPort port) {
      this.port = port;
      isUp = isUp();
    }

    boolean isUp() {
      try {
        return port.isLinkUp();
      } catch (RuntimeException e) { // It fails, or is closed just now.
        LOG.log(Level.DEBUG, "port does not say whether it has a link", e);
        return false;
      }
    }

    void look() {
      boolean isUpNow = isUp();
      if (isUpNow == isUp) {
        return;
      }
      isUp = isUpNow;
      if (isUpNow) {
        LOG.log(Level.INFO, "link is up: port={0}, address={1}", port.name(), port.address());
      } else {
        downs.increment(0);
        LOG.log(
            Level.WARNING,
            "link is down, packets for it are dropped: port={0}, address={1}; see that its cable, peer or interface comes back",
            port.name(),
            port.address());
      }
    }
  }

  private final List<Link> links = new ArrayList<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("links").unstarted(this::run);

  /**
   * @param ports that have been started
   */
  public LinkWatch(List<DriverPort> ports) {
    for (DriverPort port : ports) {
      if (port.hasLink()) {
        links.add(new Link(port));
      }
    }
  }

  /** Begins to look, if there is anything to see. */
  public void start() {
    if (!links.isEmpty()) {
      thread.start();
    }
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(INTERVAL_MS);
        links.forEach(Link::look);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  public void collect(SampleSink sink) {
    for (Link link : links) {
      sink.gauge(
          "linerate_port_link_up", SampleUnit.NONE, link.isUp ? 1 : 0, "port", link.port.name());
    }
    for (Link link : links) {
      sink.counter(
          "linerate_port_link_downs_total",
          SampleUnit.NONE,
          link.downs.get(0),
          "port",
          link.port.name());
    }
  }

  /** Looks no more, before the ports are closed. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
