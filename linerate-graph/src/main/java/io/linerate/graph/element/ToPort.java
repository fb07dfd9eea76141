package io.linerate.graph.element;

import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Sends packets to a port: on each worker to the transmit queue of its number.
 *
 * <pre>
 * inputs      in
 * parameters  port: its name in the engine
 * drops       tx_full: the port did not take it within txretryus
 *             tx_too_long, tx_link_down, tx_link_type and others: the port refused it
 *             tx_error: the port is dead
 * example     g.add("out", new ToPort("eth1"))
 * </pre>
 */
public record ToPort(String port) implements Element {
  @Override
  public Shape shape() {
    return Shape.NONE.input("in").transmitting(port).anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.transmit("in", port);
  }
}
