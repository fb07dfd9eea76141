package io.linerate.dashboard.http;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events (the HTML standard, section 9.2) for many clients. Each gets the newest event
 * when it has read the one before: who reads slowly misses some, and costs no memory; who reads
 * nothing for long is cut off.
 */
public final class LiveFeed implements AutoCloseable {
  private static final long LAST_WORD_MS = 500;
  private static final String STATE = "state";
  private static final String CHANGE = "change";

  private final LivePlaces places;
  private final Set<LiveClient> clients = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;
  private volatile @Nullable LiveEvent latest;

  /** What was published last, while somebody takes changes. */
  private @Nullable JsonElement before;

  private long published;

  /**
   * @param places of the server
   */
  public LiveFeed(LivePlaces places) {
    this.places = places;
  }

  /**
   * Sends events to a client until it goes: each a {@code state}, or, if it takes changes, a {@code
   * change} of the one before where there was one.
   *
   * @param now makes the first one
   * @throws Refusal if there is no place for it
   */
  public void serve(Call call, boolean takesChanges, Supplier<Body> now) throws IOException {
    places.take(call.isOwner());
    LiveClient client = new LiveClient(call.client(), takesChanges);
    try (OutputStream out = call.stream("text/event-stream")) {
      client.offer(first(now));
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

  /** The last event, if others were sent it; else one of its own, which no change follows. */
  private LiveEvent first(Supplier<Body> now) {
    LiveEvent known = latest;
    return known == null || clients.isEmpty()
        ? new LiveEvent(Long.MIN_VALUE, LiveEvent.of(STATE, now.get().bytes), null)
        : known;
  }

  /** Whether there are clients. */
  public boolean hasClients() {
    return !clients.isEmpty();
  }

  public int clients() {
    return clients.size();
  }

  /** Sends how things stand to all. It never waits for one of them. One thread at a time. */
  public void publish(Body json) {
    JsonElement tree =
        clients.stream().anyMatch(LiveClient::takesChanges)
            ? JsonParser.parseString(new String(json.bytes, StandardCharsets.UTF_8))
            : null;
    LiveEvent event =
        new LiveEvent(++published, LiveEvent.of(STATE, json.bytes), change(before, tree));
    before = tree;
    latest = event;
    clients.forEach(client -> client.offer(event));
  }

  private static @Nullable Body change(@Nullable JsonElement before, @Nullable JsonElement now) {
    if (before == null || now == null) {
      return null;
    }
    JsonElement change = JsonChange.between(before, now);
    String text = change == null ? "{}" : change.toString();
    return LiveEvent.of(CHANGE, text.getBytes(StandardCharsets.UTF_8));
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
