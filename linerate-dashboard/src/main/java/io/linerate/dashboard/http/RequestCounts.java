package io.linerate.dashboard.http;

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

  /** Requests that were understood, those refused included. */
  public long requests() {
    return requests.sum();
  }

  /** Requests that were answered with a status from 400 on. */
  public long refused() {
    return refused.sum();
  }

  /** Clients that sent or read too slowly, whose connections were closed. */
  public long cutOff() {
    return cutOff.sum();
  }

  /**
   * Times that a connection brought something that was no request, or ended: garbage, half a
   * request, and also a client that is done with its connection.
   */
  public long unreadable() {
    return unreadable.sum();
  }
}
