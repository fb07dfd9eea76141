package io.linerate.middlebox.synproxy;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.session.Upkeep;
import io.linerate.track.ConnectionTable;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers SYNs of TCP for servers, and keeps nothing of them: by sequence numbers that remember
 * them (SYN cookies, RFC 4987, section 3.6). When a client has acknowledged such a number, so that
 * it is where it says, the server gets a SYN, and from then on sequence and acknowledgment numbers,
 * selective acknowledgments and windows are translated between both. Segments of clients that have
 * not done so are dropped.
 *
 * <p>Of options there are the segment size, window scale and selective acknowledgment; clients are
 * given no timestamps, and a window of 0 until the server has answered. Fragments are put together
 * before (Reassemble), and rules stand between this and the server: they see whole handshakes.
 *
 * <pre>
 * inputs      client: what clients send; server: what comes back
 * outputs     server, client
 * parameters  services: the servers, 1 to 1024; all else passes as it came
 *             connections: known at most, of each worker, 8 to 67108864
 *             mtuBytes: of the links, 576 to 65535: it says how large segments are
 * drops       syn_answered: a SYN, or the acknowledgment after which the server is asked
 *             syn_unproven: of no connection that is known, and no such acknowledgment
 *             syn_waiting: the server has not answered yet
 *             connections_full: no room
 *             no_buffer: for an answer
 *             malformed: no whole segment
 * reads       connections: known now; evicted: to make room for others; flows: up to 1,000 of
 *             them, lines of JSON
 *             answered: SYNs; proven: by acknowledgments
 * example     Node proxy = g.add("proxy", new SynProxy(List.of(SynService.parse("192.0.2.1:80")), 65_536, 1_500));
 *             g.chain(wanIn, proxy.in("client")); g.chain(proxy.out("server"), lanOut);
 *             g.chain(lanIn, proxy.in("server")); g.chain(proxy.out("client"), wanOut)
 * </pre>
 */
public record SynProxy(List<SynService> services, int connections, int mtuBytes)
    implements Element {
  public static final DropReason ANSWERED = DropReason.named("syn_answered");
  public static final DropReason UNPROVEN = DropReason.named("syn_unproven");
  public static final DropReason WAITING = DropReason.named("syn_waiting");
  static final DropReason FULL = DropReason.named("connections_full");

  private static final int MOST_SERVICES = 1_024;
  private static final int LEAST_MTU_BYTES = 576;
  private static final int MOST_MTU_BYTES = 65_535;

  public SynProxy {
    services = List.copyOf(services);
  }

  @Override
  public Shape shape() {
    return Shape.NONE.input("client").input("server").output("server").output("client");
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    check(problems, "services", services.size(), 1, MOST_SERVICES);
    check(
        problems,
        "connections",
        connections,
        ConnectionTable.MIN_CAPACITY,
        ConnectionTable.MAX_CAPACITY);
    check(problems, "mtuBytes", mtuBytes, LEAST_MTU_BYTES, MOST_MTU_BYTES);
    return problems;
  }

  private static void check(List<String> problems, String name, int value, int min, int max) {
    if (value < min || value > max) {
      problems.add("number out of range: %s=%d; write %d to %d".formatted(name, value, min, max));
    }
  }

  @Override
  public void open(Wiring wiring) {
    Handshakes handshakes = new Handshakes(this, wiring);
    wiring.input("client", handshakes::fromClient);
    wiring.input("server", handshakes::fromServer);
    new Upkeep(handshakes.table(), wiring.nowNs()).begin(wiring);
    wiring.count("answered", handshakes::answered);
    wiring.count("proven", handshakes::proven);
  }
}
