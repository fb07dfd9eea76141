/** Streams: actors that make tokens of tokens, in one graph with elements that work on packets. */
module io.linerate.stream {
  requires transitive io.linerate.graph;
  requires io.linerate.wire;
  requires static org.jspecify;

  exports io.linerate.stream;
  exports io.linerate.stream.codec;
  exports io.linerate.stream.net;

  // The manual pages of elements stand beside their classes.
  opens io.linerate.stream.net to
      io.linerate.graph;
}
