package io.linerate.dashboard.control;

import io.linerate.driver.pcap.DropCapture;
import io.linerate.driver.pcap.DropFilter;
import io.linerate.graph.Edge;

/** What a tap captures. */
sealed interface TapSource {
  /** What passes an edge. */
  record OfEdge(Edge edge) implements TapSource {}

  /** What is dropped. */
  record OfDrops(DropFilter filter, DropCapture capture) implements TapSource {}
}
