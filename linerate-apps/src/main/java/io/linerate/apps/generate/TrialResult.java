package io.linerate.apps.generate;

/**
 * One trial.
 *
 * @param offered what was sent
 * @param reception what came back of it
 * @param longestPauseNs the longest time for which the sender did nothing: not on its CPU
 * @param blockedNs time in which packets waited because the port did not take those before
 */
public record TrialResult(
    PhaseResult offered, ReceptionResult reception, long longestPauseNs, long blockedNs) {}
