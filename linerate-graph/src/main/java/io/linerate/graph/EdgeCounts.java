package io.linerate.graph;

/** What passed an edge until now. */
public record EdgeCounts(Edge edge, long packets, long bytes) {}
