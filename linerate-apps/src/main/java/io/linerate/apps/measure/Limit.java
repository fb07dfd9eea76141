package io.linerate.apps.measure;

/** What kept a search from a higher rate. */
enum Limit {
  DEVICE("device", ""),
  LINE("line", ""),
  SENDER(
      "sender",
      "the sender reached no more, and the device forwarded all of it; use a faster port, or more workers with CPUs of their own"),
  INTERRUPTED(
      "interruption",
      "the search was interrupted, this passed until then; let it end for the rate");

  private final String title;
  private final String sentence;

  Limit(String title, String sentence) {
    this.title = title;
    this.sentence = sentence;
  }

  String title() {
    return title;
  }

  /** Whether the device may well forward more. */
  boolean isLowerBound() {
    return !sentence.isEmpty();
  }

  /** Why, and what to do. */
  String sentence() {
    return sentence;
  }
}
