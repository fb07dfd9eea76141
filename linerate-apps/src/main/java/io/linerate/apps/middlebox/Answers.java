package io.linerate.apps.middlebox;

import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.TcpReset;

/** What tells senders that their packets are rejected. */
public final class Answers {
  /** Of each worker. */
  private static final int PER_SECOND = 10_000;

  private static final IcmpError ERROR =
      new IcmpError(
          IcmpError.Kind.PORT_UNREACHABLE,
          IcmpError.DESTINATION,
          IcmpError.DESTINATION,
          65_535,
          PER_SECOND);

  private Answers() {}

  /**
   * Tells the receivers of segments that their connections end.
   *
   * @param name of the element
   */
  public static Node end(GraphBuilder g, String name) {
    return g.add(name, new TcpReset(PER_SECOND, true));
  }

  /**
   * Answers packets as if the host had that they were for, by its address.
   *
   * @param suffix of the names of the elements
   * @param back where answers go
   * @return where packets come in
   */
  public static Node add(GraphBuilder g, String suffix, Node back) {
    Node reset = g.add("reset" + suffix, new TcpReset(PER_SECOND));
    g.chain(reset, back);
    g.chain(reset.out("rest"), g.add("error" + suffix, ERROR), back);
    return reset;
  }
}
