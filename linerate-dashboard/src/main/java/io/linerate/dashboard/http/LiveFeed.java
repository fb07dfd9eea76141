package io.linerate.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Server-sent events (the HTML standard, section 9.2) for many clients. Each gets the newest event
 * when it has read the one before: who reads slowly misses some, and costs no memory; who reads
 * nothing for long is cut off.
 */
public final class LiveFeed implements AutoCloseable {
  private static final int MAX_CLIENTS = 256;

  /** Of them, who have not shown the token: nobody keeps its owner out. */
  private static final int MAX_OTHERS = 192;

  private static final long LAST_WORD_MS = 500;

  private final Semaphore places = new Semaphore(MAX_CLIENTS);
  private final Semaphore placesOfOthers = new Semaphore(MAX_OTHERS);
  private final Set<LiveClient> clients = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /**
   * Sends events to a client until it goes.
   *
   * @param now makes the first one
   */
  public void serve(Call call, String name, Supplier<Body> now) throws IOException {
    if (!call.isOwner() && !placesOfOthers.tryAcquire()) {
      throw full(MAX_OTHERS);
    }
    try {
      serveAnyone(call, name, now);
    } finally {
      if (!call.isOwner()) {
        placesOfOthers.release();
      }
    }
  }

  private void serveAnyone(Call call, String name, Supplier<Body> now) throws IOException {
    if (isClosed || !places.tryAcquire()) {
      throw full(MAX_CLIENTS);
    }
    LiveClient client = new LiveClient(call.client(), name);
    try (OutputStream out = call.stream("text/event-stream")) {
      client.offer(now.get());
      clients.add(client);
      if (isClosed) {
        client.end();
      }
      client.run(out);
    } finally {
      clients.remove(client);
      places.release();
    }
  }

  private static Refusal full(int most) {
    return new Refusal(503, "too many clients look on: most=" + most + "; close one");
  }

  /** Whether anybody looks on. */
  public boolean hasClients() {
    return !clients.isEmpty();
  }

  public int clients() {
    return clients.size();
  }

  /** Sends an event to all. It never waits for one of them. */
  public void publish(Body json) {
    clients.forEach(client -> client.offer(json));
  }

  /** Sends what is left, then an event {@code end}, to clients that take it soon. */
  @Override
  public void close() {
    isClosed = true;
    clients.forEach(LiveClient::end);
    long endNs = System.nanoTime() + LAST_WORD_MS * 1_000_000;
    try {
      while (hasClients() && System.nanoTime() < endNs) {
        Thread.sleep(5);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
