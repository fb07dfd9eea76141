/** Applications as graphs of elements, and the standard elements. */
module io.linerate.graph {
  requires transitive io.linerate.core;
  requires transitive io.linerate.driver.pcap;
  requires transitive io.linerate.filter;
  requires io.linerate.wire;
  requires static org.jspecify;

  exports io.linerate.graph;
  exports io.linerate.graph.element;
}
