/** Dissection: what every protocol of a packet says, by names and types. */
module io.linerate.decode {
  requires transitive io.linerate.graph;
  requires io.linerate.track;
  requires transitive io.linerate.wire;
  requires static org.jspecify;

  exports io.linerate.decode;
  exports io.linerate.decode.element;
  exports io.linerate.decode.protocol;
  exports io.linerate.decode.reassembly;
  exports io.linerate.decode.text;

  // The manual page of the element stands beside its class.
  opens io.linerate.decode.element to
      io.linerate.graph;

  uses io.linerate.decode.Protocol;
}
