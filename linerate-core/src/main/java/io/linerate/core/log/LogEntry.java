package io.linerate.core.log;

/**
 * What was logged.
 *
 * @param id grows by one with each
 * @param timeMs since 1970
 * @param logger name of who said it
 */
public record LogEntry(
    long id, long timeMs, System.Logger.Level level, String logger, String text) {}
