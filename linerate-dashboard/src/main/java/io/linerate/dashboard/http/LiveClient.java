package io.linerate.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A client that is sent events. */
final class LiveClient {
  private static final byte[] END = bytes("event: end\ndata: {}\n\n");

  /** A comment now and then shows whether the client is still there. */
  private static final byte[] ALIVE = bytes(":\n\n");

  private static final long ALIVE_NS = 15_000_000_000L;

  private final Thread thread = Thread.currentThread();
  private final Client client;
  private final boolean takesChanges;
  private final AtomicReference<@Nullable LiveEvent> next = new AtomicReference<>();
  private volatile boolean isEnding;

  /**
   * @param takesChanges whether it may be sent what has changed only, since the event before
   */
  LiveClient(Client client, boolean takesChanges) {
    this.client = client;
    this.takesChanges = takesChanges;
  }

  boolean takesChanges() {
    return takesChanges;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Any thread. Replaces what was not sent yet. */
  void offer(LiveEvent event) {
    next.set(event);
    LockSupport.unpark(thread);
  }

  /** Any thread. Sends what is there, and no more. */
  void end() {
    isEnding = true;
    LockSupport.unpark(thread);
  }

  /** Writes until the end, or until the client has gone. */
  void run(OutputStream out) throws IOException {
    write(out, ALIVE); // The client knows that it is connected.
    long lastNs = System.nanoTime();
    long seen = Long.MIN_VALUE;
    while (true) {
      boolean isLast = isEnding;
      LiveEvent event = next.getAndSet(null);
      boolean isNone = event == null;
      long number = event == null ? seen : event.number();
      Body body = event == null ? null : event.after(takesChanges ? seen : Long.MIN_VALUE);
      event = null; // What is not sent to it is not kept while it reads.
      if (body != null && client.budget().hold(body, client.isOwner())) {
        try {
          write(out, body.bytes);
        } finally {
          client.budget().release(body);
        }
        seen = number;
        lastNs = System.nanoTime();
      } else if (isLast) {
        write(out, END);
        return;
      } else if (isNone) { // Otherwise too much waits to be read: it misses this one.
        long leftNs = ALIVE_NS - (System.nanoTime() - lastNs);
        if (leftNs <= 0) {
          write(out, ALIVE);
          lastNs = System.nanoTime();
        } else {
          LockSupport.parkNanos(leftNs);
        }
      }
      if (Thread.interrupted()) {
        return;
      }
    }
  }

  private void write(OutputStream out, byte[] event) throws IOException {
    client.send(out, event, event.length);
    out.flush();
    client.deadline().none();
  }
}
