package io.linerate.dashboard.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How something is at one moment, as server-sent events for those who have seen the moment before
 * and for those who have not.
 *
 * @param number of the moment
 * @param whole all of it
 * @param change since the moment before; null: nobody may be sent it
 */
record LiveEvent(long number, Body whole, @Nullable Body change) {
  /** An event as it is sent: made once for all who get it. */
  static Body of(String name, byte[] json) {
    byte[] before = ("event: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8);
    byte[] event = new byte[before.length + json.length + 2];
    System.arraycopy(before, 0, event, 0, before.length);
    System.arraycopy(json, 0, event, before.length, json.length);
    event[event.length - 2] = '\n';
    event[event.length - 1] = '\n';
    return new Body(event);
  }

  /** What a client is sent that has seen this moment last. */
  Body after(long seen) {
    Body small = change;
    return small != null && seen == number - 1 ? small : whole;
  }
}
