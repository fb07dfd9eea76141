package io.linerate.bench.middlebox;

/**
 * What was found when a table was filled once.
 *
 * @param setupPerSecond sessions that began
 * @param teardownPerSecond sessions that were removed when they were over; 0: nobody looked
 * @param held sessions that were known at once
 */
record SetupRound(double setupPerSecond, double teardownPerSecond, long held) {
  /** Reads what {@link #toString} writes. */
  static SetupRound parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != 3) {
      throw new IllegalStateException("no round of a table: line=" + line);
    }
    return new SetupRound(
        Double.parseDouble(words[0]), Double.parseDouble(words[1]), Long.parseLong(words[2]));
  }

  @Override
  public String toString() {
    return setupPerSecond + " " + teardownPerSecond + " " + held;
  }
}
