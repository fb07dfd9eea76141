package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.BYTES;
import static io.linerate.decode.Kind.DECIMAL;
import static io.linerate.decode.Kind.HEX;

import io.linerate.core.memory.LinkType;
import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Parts;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** A part of a packet that several links of PPP carry, with sequence numbers of 24 bits. */
public final class MultilinkProtocol implements Protocol {
  public static final Fields MULTILINK =
      Fields.of("mp", "PPP Multilink Protocol", "RFC 1990, section 3");
  private static final Parts FLAGS = MULTILINK.parts(8).part("mp.frag", 6, HEX, "Fragment").skip(2);
  private static final Parts BITS =
      MULTILINK
          .parts(8)
          .flag("mp.first", "First fragment")
          .flag("mp.last", "Last fragment")
          .part("mp.sequence_num_cls", 4, DECIMAL, "Class")
          .flag("mp.sequence_num_reserved", "Reserved")
          .skip(1);
  public static final Field SEQUENCE =
      MULTILINK.at(1).field("mp.seq", 24, DECIMAL, "Sequence number");
  public static final Field PAYLOAD = MULTILINK.floating("mp.payload", 0, BYTES, "Payload");

  private static final int HEADER_BYTES = 4;
  private static final int WHOLE = 0xC0;
  private static final int PPP_MULTILINK = 0x3D;

  @Override
  public Fields fields() {
    return MULTILINK;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(DispatchTable.PPP_PROTOCOL.key(PPP_MULTILINK));
  }

  /** What is a fragment is left to be a field. */
  @Override
  public void scan(Scan scan) {
    boolean isWhole = (scan.u8(0) & WHOLE) == WHOLE;
    int _ = scan.number(SEQUENCE);
    if (isWhole) {
      scan.header(HEADER_BYTES);
      scan.next(DispatchTable.LINK_TYPE, LinkType.PPP.number());
    }
  }

  @Override
  public void dissect(Dissection dissection) {
    int flags = dissection.u8(0);
    if (dissection.has(1)) {
      dissection.values(FLAGS, flags, 0);
      dissection.values(BITS, flags, 0);
    }
    dissection.fixed();
    dissection.addLeft(PAYLOAD);
  }
}
