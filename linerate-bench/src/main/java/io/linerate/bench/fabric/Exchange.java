package io.linerate.bench.fabric;

/**
 * Messages of one size by one provider: a case.
 *
 * @param bytes of a message or operation
 */
record Exchange(Part part, Provider provider, int bytes) {
  private static final int WINDOW_BYTES = 4 << 20;
  private static final int LEAST_WINDOW = 4;
  private static final int MOST_WINDOW = 64;

  String title() {
    return "%s %s %,d B".formatted(part.title(), provider.title(), bytes);
  }

  /**
   * Messages under way, as many as fit a cache, within reason; of a latency, buffers that wait for
   * one.
   */
  int window() {
    return part == Part.LATENCY
        ? LEAST_WINDOW
        : Math.clamp(WINDOW_BYTES / bytes, LEAST_WINDOW, MOST_WINDOW);
  }
}
