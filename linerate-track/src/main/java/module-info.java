/** Connections: which packets belong together, and how far each is. */
module io.linerate.track {
  requires transitive io.linerate.wire;
  requires static org.jspecify;

  exports io.linerate.track;
  exports io.linerate.track.flow;
}
