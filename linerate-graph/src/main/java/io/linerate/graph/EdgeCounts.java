package io.linerate.graph;

/**
 * What passed an edge until now.
 *
 * @param tokens 0 where packets pass; where tokens do, packets and bytes are 0
 */
public record EdgeCounts(Edge edge, long packets, long bytes, long tokens) {}
