package io.linerate.track.flow;

import io.linerate.core.memory.Cursor;
import io.linerate.wire.HeaderScanner;

/**
 * What a packet is to its flow, as a {@link FlowMeter} says it: a view that holds until the meter
 * counts the next one.
 */
public final class FlowPacket implements Cursor {
  private final HeaderScanner scanner;
  private final FlowRecord flow;
  private int direction;
  private boolean isFirst;
  private int ipOctets;
  private int tcpFlags;

  FlowPacket(HeaderScanner scanner, FlowRecord flow) {
    this.scanner = scanner;
    this.flow = flow;
  }

  /** Lays it over the packet that the scanner has read. */
  FlowPacket at(int place, boolean isNew, int octets, int flags) {
    flow.at(place >>> 1, FlowEnd.FORCED);
    direction = place & 1;
    isFirst = isNew;
    ipOctets = octets;
    tcpFlags = flags;
    return this;
  }

  /** Its flow, with this packet; why that ends means nothing. */
  public FlowRecord flow() {
    return flow;
  }

  /** 0: of the source to the destination, 1: back. */
  public int direction() {
    return direction;
  }

  /**
   * Whether it begins the flow: none was known of it, or that had ended. Not where the flow goes on
   * after its active time-out.
   */
  public boolean isFirst() {
    return isFirst;
  }

  /** Bytes of the IP packet, headers included, as it claims. */
  public int ipOctets() {
    return ipOctets;
  }

  /** Flags of its TCP header: see {@link io.linerate.wire.Tcp#flags}; 0 if it has none. */
  public int tcpFlags() {
    return tcpFlags;
  }

  /** Where its headers are. */
  public HeaderScanner scanner() {
    return scanner;
  }
}
