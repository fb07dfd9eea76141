package io.linerate.bench.latency;

/** What made packets wait. One with several causes counts for the first. */
enum Cause {
  COLLECTOR("collection"),
  COMPILER("compiled code given up"),
  SAFEPOINT("other safepoint"),
  KERNEL("worker without its CPU"),
  NONE("none of these");

  private final String title;

  Cause(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
