package io.linerate.analysis;

import io.linerate.track.flow.FlowPacket;
import io.linerate.track.flow.FlowRecord;
import org.jspecify.annotations.Nullable;

/** A packet of a flow: the same object for all that a worker receives. */
final class SeenPacket implements Seen {
  private final FlowId flow = new FlowId();
  private long timeNs;
  private int ipOctets;
  private int tcpFlags;
  private boolean isBack;
  private boolean isBeginning;

  /** Which name it asks for; null: none. */
  private @Nullable String name;

  /** Becomes the next one. */
  void set(FlowPacket packet, long newTimeNs) {
    FlowRecord of = packet.flow();
    flow.set(of);
    timeNs = newTimeNs;
    ipOctets = packet.ipOctets();
    tcpFlags = packet.tcpFlags();
    isBack = packet.direction() == 1;
    isBeginning = packet.isFirst() && !isBack && (!of.isIcmp() || of.isQuery());
    name = null;
  }

  void name(String newName) {
    name = newName;
  }

  @Nullable String name() {
    return name;
  }

  @Override
  public Object key() {
    return flow;
  }

  @Override
  public long timeNs() {
    return timeNs;
  }

  @Override
  public void addTo(Tally tally) {
    tally.add(isBack, ipOctets, tcpFlags, isBeginning);
  }
}
