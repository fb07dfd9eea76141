/**
 * A program of one's own in one call: its command line, from the first option to the exit status.
 */
@SuppressWarnings({"module", "requires-automatic"}) // Applications are built later.
module io.linerate.program {
  requires com.google.gson;
  requires info.picocli;
  requires transitive io.linerate.core;
  requires io.linerate.dashboard;
  requires io.linerate.driver.pcap;
  requires transitive io.linerate.graph;
  requires static org.jspecify;

  exports io.linerate.program;
  exports io.linerate.program.run to
      io.linerate.apps;
}
