package io.linerate.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Server-sent events (the HTML standard, section 9.2) for many clients. Each gets the newest event
 * when it has read the one before: who reads slowly misses some, and costs no memory; who reads
 * nothing for long is cut off.
 */
public final class LiveFeed implements AutoCloseable {
  private static final long LAST_WORD_MS = 500;

  private final LivePlaces places;
  private final Set<LiveClient> clients = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  /**
   * @param places of the server
   */
  public LiveFeed(LivePlaces places) {
    this.places = places;
  }

  /**
   * Sends events to a client until it goes.
   *
   * @param now makes the first one
   * @throws Refusal if there is no place for it
   */
  public void serve(Call call, String name, Supplier<Body> now) throws IOException {
    places.take(call.isOwner());
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
      places.giveBack(call.isOwner());
    }
  }

  /** Whether there are clients. */
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
