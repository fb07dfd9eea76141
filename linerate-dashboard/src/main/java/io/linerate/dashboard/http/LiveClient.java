package io.linerate.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Somebody who looks on. */
final class LiveClient {
  private static final byte[] END = "event: end\ndata: {}\n\n".getBytes(StandardCharsets.UTF_8);

  /** A comment now and then shows whether the client is still there. */
  private static final byte[] ALIVE = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private static final long ALIVE_NS = 15_000_000_000L;

  private final Thread thread = Thread.currentThread();
  private final Deadline deadline;
  private final AtomicReference<byte @Nullable []> next = new AtomicReference<>();
  private volatile boolean isEnding;

  LiveClient(Deadline deadline) {
    this.deadline = deadline;
  }

  /** Any thread. Replaces what was not sent yet. */
  void offer(byte[] event) {
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
    while (true) {
      boolean isLast = isEnding;
      byte[] event = next.getAndSet(null);
      if (event != null) {
        write(out, event);
        lastNs = System.nanoTime();
      } else if (isLast) {
        write(out, END);
        return;
      } else {
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

  private void write(OutputStream out, byte[] bytes) throws IOException {
    deadline.in(Deadline.REPLY_NS);
    out.write(bytes);
    out.flush();
    deadline.none();
  }
}
