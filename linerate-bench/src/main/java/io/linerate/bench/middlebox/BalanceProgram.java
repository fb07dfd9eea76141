package io.linerate.bench.middlebox;

import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.balance.Backend;
import io.linerate.middlebox.balance.Backends;
import io.linerate.middlebox.balance.Balance;
import io.linerate.middlebox.balance.BalancedService;
import io.linerate.track.TrackSettings;
import io.linerate.wire.IpProtocol;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A program under measurement: spreads what clients send over backends. Arguments: {@link
 * #TRANSLATE} or {@link #DIRECT}, how many backends, connections at most, and those of {@link
 * BoxProgram}.
 *
 * <p>Only packets of clients come: as if no others passed, connections are open with the first one,
 * as they are to balance.c.
 */
public final class BalanceProgram {
  /** Packets get the addresses of backends. */
  static final String TRANSLATE = "translate";

  /** Packets go to the Ethernet addresses of backends. */
  static final String DIRECT = "direct";

  private static final String OWN_MAC = "02:00:00:00:00:01";

  /** The address that stands for them, as balance.c has it. */
  static final String SERVICE = "198.51.100.1";

  private static final int TCP_PORT = 443;
  private static final int UDP_PORT = 53;

  private BalanceProgram() {}

  public static void main(String[] arguments) throws InterruptedException {
    boolean isDirect = arguments[0].equals(DIRECT);
    int count = Integer.parseInt(arguments[1]);
    List<BalancedService> services =
        List.of(service(IpProtocol.TCP, TCP_PORT, count), service(IpProtocol.UDP, UDP_PORT, count));
    Backends backends = new Backends(services, !isDirect);
    if (isDirect) {
      BackendsUp.await(backends, addresses(count));
    }
    Balance balance =
        new Balance(
            backends,
            isDirect ? OWN_MAC : "",
            Integer.parseInt(arguments[2]),
            Balance.usual(TrackSettings.DEFAULT).withIsOneWay(true));
    BoxProgram.run(arguments, "", graph -> balancer(graph, balance));
  }

  private static List<String> addresses(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "10.200.%d.%d".formatted(i >> 8, i & 0xFF))
        .toList();
  }

  private static BalancedService service(int protocol, int port, int count) {
    List<Backend> backends =
        addresses(count).stream().map(address -> new Backend(address, port, 1)).toList();
    return new BalancedService(protocol, SERVICE, port, backends);
  }

  private static void balancer(GraphBuilder g, Balance balance) {
    Node node = g.add("balance", balance);
    g.chain(g.add("in", new FromPort(BoxProgram.IN)), node.in("client"));
    g.chain(node.out("server"), g.add("out", new ToPort(BoxProgram.OUT)));
  }
}
