package io.linerate.bench.language;

/**
 * Algorithm 1: packets are made one by one, populated with five random numbers, processed, which is
 * to multiply them, and left with the result.
 */
@FunctionalInterface
interface Program {
  /**
   * Handles packets from the first one that there is.
   *
   * @return the sum of the results, the same for all programs
   */
  int run(int packets);
}
