/** What traffic is, window by window. */
module io.linerate.analysis {
  requires transitive io.linerate.stream;
  requires io.linerate.track;
  requires io.linerate.wire;
  requires static org.jspecify;

  exports io.linerate.analysis;
}
