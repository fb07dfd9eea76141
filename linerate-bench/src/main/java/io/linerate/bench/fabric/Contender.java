package io.linerate.bench.fabric;

import io.linerate.bench.suite.Session;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Somebody who exchanges messages: two programs, one of which is measured. To add one, add a line
 * to {@link #ALL}.
 *
 * @param name in the table; {@code java} and {@code c} are those of the ratio
 * @param parts that it has
 * @param providers beside which it stands: its own, or those that go the same way
 * @param programs how the two are started
 */
record Contender(String name, Set<Part> parts, Set<Provider> providers, Programs programs) {
  /** C on libfabric, as good as it can be. */
  static final String C = "c";

  /** Linerate with registered memory, which Javia calls raw. */
  static final String JAVA = "java";

  private static final Set<Part> EVERY_EXCHANGE = EnumSet.range(Part.LATENCY, Part.READ);
  private static final Set<Part> ARRAYS = EnumSet.range(Part.LATENCY, Part.RATE);
  private static final Set<Part> MESSAGES = EnumSet.of(Part.LATENCY, Part.BANDWIDTH, Part.RATE);
  private static final Set<Provider> EVERY_PROVIDER = EnumSet.allOf(Provider.class);
  private static final Set<Provider> NETWORK = EnumSet.of(Provider.TCP, Provider.TCP_RXM);
  private static final Set<Provider> MEMORY = EnumSet.of(Provider.SHM);

  /** In the order of the table. */
  static final List<Contender> ALL =
      List.of(
          new Contender(C, EVERY_EXCHANGE, EVERY_PROVIDER, new FabricTwin(List.of())),
          new Contender(JAVA, EVERY_EXCHANGE, EVERY_PROVIDER, new LineratePeers("raw")),
          new Contender("pin", ARRAYS, EVERY_PROVIDER, new LineratePeers("pin")),
          new Contender("pin+alloc", ARRAYS, EVERY_PROVIDER, new LineratePeers("pin+alloc")),
          new Contender("copy", ARRAYS, EVERY_PROVIDER, new LineratePeers("copy")),
          new Contender("copy+alloc", ARRAYS, EVERY_PROVIDER, new LineratePeers("copy+alloc")),
          new Contender(
              "c-usual", EVERY_EXCHANGE, EVERY_PROVIDER, new FabricTwin(List.of("--usual"))),
          new Contender("nio", MESSAGES, NETWORK, new JavaPeers("nio", "")),
          new Contender("nio-poll", MESSAGES, NETWORK, new JavaPeers("nio-poll", "")),
          new Contender("uds", MESSAGES, MEMORY, new JavaPeers("nio", "uds")),
          new Contender("uds-poll", MESSAGES, MEMORY, new JavaPeers("nio-poll", "uds")),
          new Contender("jucx", MESSAGES, MEMORY, new JavaPeers("ucx", "shm,tcp,self")),
          new Contender("jucx-tcp", MESSAGES, NETWORK, new JavaPeers("ucx", "tcp,self")));

  /** How two programs are started for a case, the server first. */
  interface Programs {
    Pair pair(Session session, Exchange exchange);

    /** Why it cannot be measured here; empty if it can. */
    String lack(Session session);

    /** Whether messages of this size can go by it. */
    default boolean takes(Exchange exchange) {
      return true;
    }
  }

  /**
   * Commands of both.
   *
   * @param server says {@code ready} when the client may start
   */
  record Pair(List<String> server, List<String> client) {}

  boolean has(Exchange exchange) {
    return parts.contains(exchange.part())
        && providers.contains(exchange.provider())
        && programs.takes(exchange);
  }
}
