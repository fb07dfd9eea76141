package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.MacAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes on sound Ethernet frames: IEEE 802.3, clause 3.
 *
 * <pre>
 * inputs      in
 * outputs     out; bad (may be left unconnected: bad frames are dropped)
 * parameters  minBytes, maxBytes: length of a frame without its check sequence, 14 to 65535;
 *             CheckEthernet() has 14 and 65535, since programs make frames below Ethernet's
 *             60 and receive them without padding
 * drops       frame_too_short, frame_too_long: not within these
 *             group_source: the source is a group address (clause 3.2.3)
 *             bad_frame_length: the field in the place of the ether type is a length, and more
 *             than there is; or neither a length nor an ether type, 1501 to 1535 (clause 3.2.6)
 * example     g.add("frames", new CheckEthernet(14, 1518))
 * </pre>
 */
public record CheckEthernet(int minBytes, int maxBytes) implements Element {
  public static final DropReason FRAME_TOO_SHORT = DropReason.named("frame_too_short");
  public static final DropReason FRAME_TOO_LONG = DropReason.named("frame_too_long");
  public static final DropReason GROUP_SOURCE = DropReason.named("group_source");
  public static final DropReason BAD_FRAME_LENGTH = DropReason.named("bad_frame_length");

  private static final int MAX_BYTES = 65_535;

  /** The largest value of the field that is a length: IEEE 802.3, clause 3.2.6. */
  private static final int MAX_LENGTH_FIELD = 1_500;

  public CheckEthernet() {
    this(Ethernet.HEADER_BYTES, MAX_BYTES);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("bad");
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("minBytes", minBytes, Ethernet.HEADER_BYTES, MAX_BYTES)
        .range("maxBytes", maxBytes, Math.max(minBytes, Ethernet.HEADER_BYTES), MAX_BYTES)
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    DefectReasons.sort(wiring, new Check(minBytes, maxBytes)::defect);
  }

  /** On one worker. */
  private static final class Check {
    private final int minBytes;
    private final int maxBytes;
    private final Ethernet ethernet = new Ethernet();

    Check(int minBytes, int maxBytes) {
      this.minBytes = minBytes;
      this.maxBytes = maxBytes;
    }

    @Nullable DropReason defect(Packet packet) {
      int length = packet.length();
      if (length < minBytes) {
        return FRAME_TOO_SHORT;
      }
      if (length > maxBytes) {
        return FRAME_TOO_LONG;
      }
      ethernet.wrap(packet, 0);
      if (MacAddress.isMulticast(ethernet.source())) {
        return GROUP_SOURCE;
      }
      int type = ethernet.etherType();
      return type >= EtherType.MIN || isLength(type, length) ? null : BAD_FRAME_LENGTH;
    }

    private static boolean isLength(int field, int frameBytes) {
      return field <= MAX_LENGTH_FIELD && field <= frameBytes - Ethernet.HEADER_BYTES;
    }
  }
}
