package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;

/** The option of IPv6 for in-situ operations: traces, which nodes on the path write into. */
final class IoamOption {
  private static final int INCREMENTAL_TRACE = 1;

  private final Field reserved;
  private final Field type;
  private final Field namespace;
  private final Parts lengths;
  private final Field traceType;
  private final Field traceReserved;
  private final Field data;

  IoamOption(Fields fields) {
    reserved =
        fields
            .source("RFC 9486, section 3")
            .floating("ipv6.opt.ioam.rsv", 8, DECIMAL, "IOAM reserved");
    type = fields.floating("ipv6.opt.ioam.opt_type", 8, DECIMAL, "IOAM option");
    namespace =
        fields
            .source("RFC 9197, section 4.4.1")
            .floating("ipv6.opt.ioam.trace.ns", 16, DECIMAL, "IOAM namespace");
    lengths =
        fields
            .parts(16)
            .part(
                "ipv6.opt.ioam.trace.nodelen",
                5,
                DECIMAL,
                "Length of a node's data in units of 4 bytes")
            .flag("ipv6.opt.ioam.trace.flag.o", "Overflow")
            .flag("ipv6.opt.ioam.trace.flag.l", "Loopback")
            .flag("ipv6.opt.ioam.trace.flag.a", "Active")
            .skip(1)
            .part(
                "ipv6.opt.ioam.trace.remlen",
                7,
                DECIMAL,
                "Length that remains in units of 4 bytes");
    traceType = fields.floating("ipv6.opt.ioam.trace.type", 24, HEX, "IOAM trace type");
    traceReserved = fields.floating("ipv6.opt.ioam.trace.rsv", 8, DECIMAL, "IOAM trace reserved");
    data = fields.floating("ipv6.opt.ioam.data", 0, BYTES, "IOAM data");
  }

  /**
   * What is behind the length of the option.
   *
   * @param unknown field of what is none of the traces
   */
  void dissect(Dissection dissection, Field unknown) {
    if (dissection.u16(0) > INCREMENTAL_TRACE) {
      dissection.addLeft(unknown);
      return;
    }
    dissection.add(reserved);
    dissection.add(type);
    dissection.add(namespace);
    dissection.add(lengths);
    dissection.add(traceType);
    dissection.add(traceReserved);
    dissection.addLeft(data);
  }
}
