/** What tests of elements share. */
module io.linerate.testkit.graph {
  requires transitive io.linerate.graph;
  requires transitive io.linerate.testkit;
  requires transitive io.linerate.wire;
  requires static org.jspecify;

  exports io.linerate.testkit.graph;
}
