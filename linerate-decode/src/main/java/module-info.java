/** Dissection: what every protocol of a packet says, by names and types. */
module io.linerate.decode {
  requires transitive io.linerate.wire;
  requires static org.jspecify;

  exports io.linerate.decode;
  exports io.linerate.decode.protocol;
  exports io.linerate.decode.text;

  uses io.linerate.decode.Protocol;
}
