package io.linerate.stream.net;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Outlet;
import io.linerate.graph.Round;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** An end of streams on one worker: datagrams that come in packets, and what is due. */
final class LinkWorker implements BurstHandler, Round {
  static final DropReason NOT_STREAM = DropReason.named("not_stream");

  private final Wiring wiring;
  private final Predicate<PathView> isOwn;
  private final UdpDatagrams datagrams;
  private final Outlet rest;
  private final Flows flows;
  private final EndpointCounts counts = new EndpointCounts();
  private final Endpoint endpoint;
  private final Datagram datagram = new Datagram();
  private final PathView path = new PathView();

  /**
   * @param isOwn whether datagrams that come by a path are for this
   */
  LinkWorker(
      Wiring wiring,
      Flows flows,
      Endpoint.Role role,
      Predicate<PathView> isOwn,
      FlowEvents events) {
    this.wiring = wiring;
    this.flows = flows;
    this.isOwn = isOwn;
    datagrams = new UdpDatagrams(wiring.output("out"));
    rest = wiring.output("rest");
    endpoint =
        new Endpoint(flows, wiring.worker(), role, wiring::isHeldBack, datagrams, events, counts);
  }

  Endpoint endpoint() {
    return endpoint;
  }

  /** Registers what it does. */
  void open() {
    wiring.leavesChecksums();
    wiring.input("in", this);
    flows.join();
    wiring.onFinish(this::finish);
    FlowCounts ofFlows = counts.flows;
    wiring.count("sent", () -> ofFlows.sent);
    wiring.count("received", () -> ofFlows.received);
    wiring.count("lost", () -> ofFlows.lost);
    wiring.count("repeated", () -> ofFlows.repeated);
    wiring.count("not_authentic", () -> ofFlows.notAuthentic);
    wiring.count("refused", () -> ofFlows.refused);
    wiring.count("missing", () -> ofFlows.missing);
    wiring.count("late", () -> ofFlows.late);
    wiring.count("no_room", () -> ofFlows.noRoom);
    wiring.count("malformed", () -> counts.malformed);
    wiring.count("bad_handshakes", () -> counts.badHandshakes);
    wiring.count("unknown", () -> counts.unknown);
    wiring.count("elsewhere", () -> counts.elsewhere);
    wiring.count("moved", () -> counts.moved);
    wiring.count("flows_refused", () -> counts.flowsRefused);
    wiring.count("flows", () -> endpoint.own().size());
    wiring.read("peers", ValueType.TEXT, this::peers);
  }

  private String peers() {
    return endpoint.own().stream().map(Flow::line).collect(Collectors.joining("\n"));
  }

  @Override
  public void onBurst(Burst burst) {
    long nowNs = wiring.nowNs();
    for (Packet packet : burst) {
      if (datagrams.readPath(packet, path) && isOwn.test(path)) {
        receive(packet, nowNs);
        packet.drop(DropReason.CONSUMED);
      } else {
        rest.send(packet, NOT_STREAM);
      }
    }
  }

  /** The kernel may have put several of a path into one packet. */
  private void receive(Packet packet, long nowNs) {
    int bytes = datagrams.payloadBytes();
    int segmentBytes = packet.segmentBytes();
    int step = segmentBytes > 0 ? segmentBytes : Math.max(1, bytes);
    for (int at = 0; at == 0 || at < bytes; at += step) {
      datagrams.read(packet, at, Math.min(step, bytes - at), datagram);
      endpoint.receive(datagram, path, nowNs);
    }
  }

  @Override
  public int run() {
    return endpoint.run(wiring.nowNs());
  }

  @Override
  public long restNs(Runnable wake) {
    long ns = Math.max(0, endpoint.nextNs() - wiring.nowNs());
    return wiring.isHeldBack() ? Math.min(ns, Round.super.restNs(wake)) : ns;
  }

  /** The last worker tells the peers that the program ends; others leave their flows to it. */
  private void finish() {
    endpoint.parkAll();
    if (flows.leave()) {
      endpoint.closeAll(wiring.nowNs());
    }
  }
}
