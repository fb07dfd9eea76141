package io.linerate.core.statistics;

/**
 * Where a receive queue is.
 *
 * @param port name of its port
 * @param queue its number
 * @param worker number of the worker that polls it, or will when a move is done
 * @param packets that it has brought until now
 */
public record QueuePlace(String port, int queue, int worker, long packets) {}
