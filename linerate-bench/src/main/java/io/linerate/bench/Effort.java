package io.linerate.bench;

import java.time.Duration;

/**
 * How thorough a run is.
 *
 * @param quick whether figures in seconds are wanted rather than good ones
 * @param budget for each benchmark
 * @param pairs of slices for a case
 * @param caseText only cases whose name has it
 */
record Effort(boolean quick, Duration budget, int pairs, String caseText) {}
