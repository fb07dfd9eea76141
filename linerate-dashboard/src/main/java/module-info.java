/** The page of a running program, and its HTTP interface. */
@SuppressWarnings({"module", "requires-automatic"}) // Applications are built later.
module io.linerate.dashboard {
  requires com.google.gson;
  requires transitive io.linerate.core;
  requires io.linerate.driver.pcap;
  requires transitive io.linerate.graph;
  requires io.linerate.wire;
  requires io.prometheus.metrics.config;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires jdk.httpserver;
  requires static org.jspecify;

  exports io.linerate.dashboard;
  exports io.linerate.dashboard.control to
      io.linerate.apps,
      io.linerate.program;
  exports io.linerate.dashboard.http to
      io.linerate.apps,
      io.linerate.program;
  exports io.linerate.dashboard.state to
      io.linerate.apps;
}
