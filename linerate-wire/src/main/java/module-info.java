/** Protocols on the wire: views of headers, checksums, the header scanner. */
module io.linerate.wire {
  requires transitive io.linerate.core;
  requires static org.jspecify;

  exports io.linerate.wire;
  exports io.linerate.wire.classify;
  exports io.linerate.wire.name;
  exports io.linerate.wire.route;
}
