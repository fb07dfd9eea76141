package io.linerate.dashboard.http;

/**
 * What clients may cost a server.
 *
 * @param requestsAtOnce that are read, worked on or answered
 * @param answersBytes of memory for answers that clients have not read yet
 * @param requestNs for a client to send a whole request
 * @param sliceNs for a client to read the next 8 KiB of an answer
 * @param othersPerS requests a second without the token, from one address
 */
record ServerLimits(
    int requestsAtOnce, long answersBytes, long requestNs, long sliceNs, long othersPerS) {
  private static final long NS_PER_S = 1_000_000_000;

  /** Requests without the token, of those at once: the others' places are the owner's alone. */
  int othersAtOnce() {
    return requestsAtOnce / 4 * 3;
  }

  static ServerLimits usual() {
    return new ServerLimits(512, AnswerBudget.usualBytes(), 10 * NS_PER_S, 10 * NS_PER_S, 500);
  }
}
