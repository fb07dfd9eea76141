package io.linerate.fabric;

/**
 * What a {@link RegistrationCache} has done, and what it has.
 *
 * @param hits requests for memory that was registered
 * @param misses requests for memory that had to be registered, or could not be for lack of room
 * @param evictions registrations that were ended: for others, or with their arena
 * @param regions that are registered now
 * @param bytes of them
 */
public record RegistrationStatistics(
    long hits, long misses, long evictions, int regions, long bytes) {}
