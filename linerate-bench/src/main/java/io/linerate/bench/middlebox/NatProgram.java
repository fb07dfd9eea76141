package io.linerate.bench.middlebox;

import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.NatSettings;

/**
 * A program under measurement: translates what comes by one port, from both sides, to another port.
 * Arguments: the file of frames to see beforehand or "", connections at most, and those of {@link
 * BoxProgram}.
 */
public final class NatProgram {
  /** Its address outside, 203.0.113.1. */
  static final int OUTSIDE = 0xCB00_7101;

  private NatProgram() {}

  public static void main(String[] arguments) {
    NatSettings settings = settings(Integer.parseInt(arguments[1]));
    String setup = arguments[0].isEmpty() ? "" : "dpdk:net_pcap2,rx_pcap=" + arguments[0];
    BoxProgram.run(arguments, setup, graph -> translator(graph, settings, !setup.isEmpty()));
  }

  /** What is not set up yet is not picked up: its windows would not be looked at. */
  private static NatSettings settings(int connections) {
    NatSettings usual = NatSettings.of("203.0.113.1").withConnections(connections);
    return usual.withTracking(usual.tracking().withPicksUp(false));
  }

  private static void translator(GraphBuilder g, NatSettings settings, boolean hasSetup) {
    Node nat = g.add("nat", new Nat(settings));
    Node out = g.add("out", new ToPort(BoxProgram.OUT));
    Node sides = g.add("sides", Classifier.of("inside 11/00", "outside 11/01"));
    g.chain(g.add("in", new FromPort(BoxProgram.IN)), sides);
    if (hasSetup) {
      g.chain(g.add("setup", new FromPort(BoxProgram.SETUP)), sides);
    }
    g.chain(sides.out("inside"), nat.in("inside"));
    g.chain(sides.out("outside"), nat.in("outside"));
    g.chain(nat.out("outside"), out);
    g.chain(nat.out("inside"), out);
  }
}
