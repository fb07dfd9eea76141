package io.linerate.stream.net;

import io.linerate.core.memory.Cursor;
import io.linerate.stream.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A message that has come by a stream: the same object for each. What it gives can be read until
 * what was given it returns.
 */
public final class Message implements Cursor {
  private final Endpoint endpoint;
  private Bytes bytes = new Bytes();
  private @Nullable Flow flow;

  Message(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  void set(Flow from, Bytes content) {
    flow = from;
    bytes = content;
  }

  private Flow flow() {
    Flow of = flow;
    if (of == null || !bytes.isLive()) {
      throw new IllegalStateException(
          "message is gone: it can be read and answered until what was given it returns; copy what is to be kept");
    }
    return of;
  }

  /** What it says. */
  public Bytes bytes() {
    return bytes;
  }

  /** Who has sent it: an address and a port of UDP, which may change. */
  public String peer() {
    return flow().path.remote();
  }

  /**
   * The stream that it came by: the same number for all messages of one. It is half of the random
   * bits that the sender has chosen, which may choose those of another stream.
   */
  public long stream() {
    return flow().stream.high();
  }

  /**
   * Sends a message back by the same stream. It is kept until the other side has it, but no longer
   * than the session: one that has begun anew does not get it.
   *
   * @return false if there is no room for it, until others have come
   */
  public boolean answer(MemorySegment segment, long offset, int count) {
    return endpoint.answer(flow(), segment, offset, count);
  }
}
