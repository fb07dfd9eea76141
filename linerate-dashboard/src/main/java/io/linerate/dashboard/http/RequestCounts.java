package io.linerate.dashboard.http;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/** What became of requests, since the server started. Any thread. */
public final class RequestCounts {
  private final LongAdder requests = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder unreadable = new LongAdder();
  private final LongAdder cutOff = new LongAdder();

  void addRequest() {
    requests.increment();
  }

  void addRefused() {
    refused.increment();
  }

  void addCutOff() {
    cutOff.increment();
  }

  void addUnreadable() {
    unreadable.increment();
  }

  long refused() {
    return refused.sum();
  }

  long cutOff() {
    return cutOff.sum();
  }

  /**
   * Writes the member {@code http}.
   *
   * <ul>
   *   <li>{@code requests} that were understood, those refused included
   *   <li>{@code refused}: answered with a status from 400 on
   *   <li>{@code unreadable}: times that a connection brought something that was no request, or
   *       ended: garbage, half a request, and also a client that is done with its connection
   *   <li>{@code cutOff}: clients that sent or read too slowly, whose connections were closed
   * </ul>
   *
   * @param clients that the server sends events to now
   */
  public void write(JsonWriter json, int clients) throws IOException {
    json.name("http").beginObject();
    json.name("requests").value(requests.sum());
    json.name("refused").value(refused());
    json.name("unreadable").value(unreadable.sum());
    json.name("cutOff").value(cutOff());
    json.name("clients").value(clients);
    json.endObject();
  }
}
