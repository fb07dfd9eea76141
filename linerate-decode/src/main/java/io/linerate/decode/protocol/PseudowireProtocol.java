package io.linerate.decode.protocol;

import static io.linerate.decode.Kind.DECIMAL;

import io.linerate.decode.DispatchKey;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Field;
import io.linerate.decode.Fields;
import io.linerate.decode.Protocol;
import io.linerate.decode.Scan;
import java.util.List;

/** The control word in front of a frame of Ethernet that MPLS carries. */
public final class PseudowireProtocol implements Protocol {
  /** First four bits of what is behind a stack of labels. */
  static final DispatchTable TABLE = new DispatchTable("pw.nibble");

  /** In it: that of {@link AssociatedChannelProtocol}. */
  static final int CHANNEL = 1;

  public static final Fields PSEUDOWIRE =
      Fields.of("pwethcw", "Ethernet pseudowire control word", "RFC 4448, section 4.6");
  public static final Field SEQUENCE =
      PSEUDOWIRE.at(2).field("pweth.cw.sequence_number", 16, DECIMAL, "Sequence number");

  private static final int HEADER_BYTES = 4;

  static {
    PSEUDOWIRE.summary(SEQUENCE);
  }

  @Override
  public Fields fields() {
    return PSEUDOWIRE;
  }

  @Override
  public List<DispatchKey> keys() {
    return List.of(TABLE.key(0));
  }

  @Override
  public void scan(Scan scan) {
    scan.header(HEADER_BYTES);
    scan.next(DispatchTable.ETHER_TYPE, EthernetProtocol.BRIDGING);
  }
}
