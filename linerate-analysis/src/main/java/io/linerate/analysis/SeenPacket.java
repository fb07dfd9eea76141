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
  private int sourceEnd;
  private int end;
  private boolean isBeginning;
  private int evictedFlows;

  /** The question that it is; null: none. */
  private @Nullable SeenName question;

  /**
   * Becomes the next one.
   *
   * @param newEvictedFlows that the flow table forgot for it
   */
  void set(FlowPacket packet, long newTimeNs, int newEvictedFlows) {
    FlowRecord of = packet.flow();
    sourceEnd = flow.set(of);
    end = sourceEnd ^ packet.direction();
    timeNs = newTimeNs;
    ipOctets = packet.ipOctets();
    tcpFlags = packet.tcpFlags();
    isBeginning = packet.isFirst() && packet.direction() == 0 && (!of.isIcmp() || of.isQuery());
    evictedFlows = newEvictedFlows;
    question = null;
  }

  void question(SeenName newQuestion) {
    question = newQuestion;
  }

  @Nullable SeenName question() {
    return question;
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
    tally.add(end, ipOctets, tcpFlags, isBeginning);
    tally.add(timeNs, sourceEnd, evictedFlows);
  }
}
