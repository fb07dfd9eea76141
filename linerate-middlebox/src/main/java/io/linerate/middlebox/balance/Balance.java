package io.linerate.middlebox.balance;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.session.Upkeep;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.track.ConnectionTable;
import io.linerate.track.TrackSettings;
import io.linerate.wire.MacAddress;
import java.util.List;
import java.util.Optional;

/**
 * Gives each connection of a service a backend, by Maglev hashing of its flow, and keeps it there,
 * whoever comes or goes meanwhile. IPv4.
 *
 * <p>Translating: packets get the backend's address and port, and what it answers those of the
 * service; it is the backends' router. Directly: packets go to the backend's Ethernet address as
 * they are; backends have the service's address on a loopback interface, listen on its port, and
 * answer clients themselves.
 *
 * <pre>
 * inputs      client: frames from clients
 *             server: frames from backends; none, where they answer directly
 * outputs     server: to backends; to the port, not to a link, where they answer directly
 *             client: what backends answer
 *             refused (may be left unconnected: such packets are dropped): no backend is up, no room
 *             for a connection, or one of the client by another service with which the backend would
 *             take it for the same
 *             rest (may be left unconnected: such packets are dropped): from clients, of no service
 *             through (may be left unconnected: such packets are dropped): from backends, of no
 *             connection of a client
 * parameters  backends: services, and who is up
 *             directMac: "" to translate; the Ethernet address that frames to backends come from,
 *             to send them directly
 *             connections: of each worker at most
 *             tracking: of connections
 *             handover: of its connections (none)
 * drops       no_backend, connections_full, ambiguous: of refused
 *             backend_unknown: where frames go to servers directly, for one that has not answered yet
 *             no_service: of rest
 *             not_of_service: of through
 *             untranslatable: cut off, or with a source route
 *             malformed, out_of_window and others of TrackDefect
 * reads       connections: known now; evicted: to make room for others; flows: up to 1,000 of
 *             them, lines of JSON
 *             backends: a line each: service, backend, weight, up or down, Ethernet address
 * writes      weight: ADDRESS:PORT weight N, 0: no new connections
 *             add: tcp ADDRESS:PORT -> ADDRESS:PORT; remove: ADDRESS:PORT
 * example     Node balance = g.add("balance", new Balance(backends, "", 65_536, tracking));
 *             g.chain(clients, balance.in("client")); g.chain(balance.out("server"), servers)
 * </pre>
 */
public record Balance(
    Backends backends,
    String directMac,
    int connections,
    TrackSettings tracking,
    TableHandover handover)
    implements Element {
  public static final DropReason NO_BACKEND = DropReason.named("no_backend");
  public static final DropReason BACKEND_UNKNOWN = DropReason.named("backend_unknown");
  public static final DropReason NO_SERVICE = DropReason.named("no_service");
  public static final DropReason NOT_OF_SERVICE = DropReason.named("not_of_service");
  public static final DropReason UNTRANSLATABLE = DropReason.named("untranslatable");
  static final DropReason AMBIGUOUS = DropReason.named("ambiguous");

  /** Without a handover. */
  public Balance(Backends backends, String directMac, int connections, TrackSettings tracking) {
    this(backends, directMac, connections, tracking, TableHandover.NONE);
  }

  /**
   * How a balancer tracks connections: those of TCP that another one knew before are picked up, and
   * Maglev gives them the same backend.
   */
  public static TrackSettings usual(TrackSettings settings) {
    return settings.withPicksUp(true);
  }

  @Override
  public Shape shape() {
    return Shape.NONE
        .input("client")
        .optionalInput("server")
        .output("server")
        .optionalOutput("client")
        .optionalOutput("refused")
        .optionalOutput("rest")
        .optionalOutput("through");
  }

  @Override
  public List<String> problems() {
    if (!directMac.isEmpty()) {
      try {
        long _ = MacAddress.parse(directMac);
      } catch (IllegalArgumentException e) {
        return List.of("directMac: " + e.getMessage());
      }
    }
    return connections >= ConnectionTable.MIN_CAPACITY
            && connections <= ConnectionTable.MAX_CAPACITY
        ? List.of()
        : List.of(
            "number out of range: connections=%d; write %d to %d"
                .formatted(
                    connections, ConnectionTable.MIN_CAPACITY, ConnectionTable.MAX_CAPACITY));
  }

  @Override
  public void open(Wiring wiring) {
    Balancer balancer = new Balancer(this, wiring);
    wiring.input("client", balancer::fromClient);
    wiring.input("server", balancer::fromServer);
    Optional<TableHandover.Copy> copy =
        handover.restoreAndCopy(
            wiring.worker(),
            balancer.table(),
            wiring.nowNs(),
            TableHandover.withTimeouts(
                balancer.table(), tracking, wiring.nowNs(), balancer::restored));
    new Upkeep(balancer.table(), wiring.nowNs(), copy).begin(wiring);
    wiring.readShared("backends", ValueType.TEXT, backends::text);
    wiring.writeShared("weight", ValueType.TEXT, backends::weight);
    wiring.writeShared("add", ValueType.TEXT, backends::add);
    wiring.writeShared("remove", ValueType.TEXT, backends::remove);
  }
}
