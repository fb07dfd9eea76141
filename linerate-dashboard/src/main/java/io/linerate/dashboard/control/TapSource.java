package io.linerate.dashboard.control;

import io.linerate.core.memory.ReceiveFilter;
import io.linerate.driver.pcap.DropCapture;
import io.linerate.driver.pcap.DropFilter;
import io.linerate.graph.Edge;
import java.util.Optional;

/** What a tap captures. */
sealed interface TapSource {
  /** Which packets of it; empty: all. */
  Optional<ReceiveFilter> filter();

  /** What passes an edge, and perhaps a filter. */
  record OfEdge(Edge edge, Optional<ReceiveFilter> filter) implements TapSource {}

  /** What is dropped. */
  record OfDrops(DropFilter drops, DropCapture capture) implements TapSource {
    @Override
    public Optional<ReceiveFilter> filter() {
      return drops.packets();
    }
  }
}
