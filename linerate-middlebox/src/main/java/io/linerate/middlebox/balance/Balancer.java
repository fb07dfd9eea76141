package io.linerate.middlebox.balance;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.balance.Backends.Server;
import io.linerate.middlebox.session.LongIntMap;
import io.linerate.middlebox.session.SessionRewrite;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionTracker;
import io.linerate.track.Relation;
import io.linerate.track.TrackDefect;
import io.linerate.wire.Ethernet;
import io.linerate.wire.FlowKey;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.MacAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The {@link Balance} on one worker. A connection's mark is the number of its backend. */
final class Balancer {
  private static final DropReason FULL = DropReason.named("connections_full");

  /** Of packets of one side that come from the other. */
  private static final DropReason FORGED = TrackDefect.NO_CONNECTION.reason();

  private final Backends backends;
  private final boolean isDirect;
  private final long directMac;
  private final Wiring wiring;
  private final ConnectionTable table;
  private final ConnectionRecords records;
  private final ConnectionTracker tracker;
  private final SessionRewrite rewrite;
  private final LongIntMap services;
  private final FlowKey reply = new FlowKey();
  private final Ethernet ethernet = new Ethernet();
  private final FromClient fromClient = new FromClient();
  private final FromServer fromServer = new FromServer();
  private long nowNs;

  private final Outlet server;
  private final Outlet client;
  private final Outlet refused;
  private final Outlet rest;
  private final Outlet through;

  Balancer(Balance balance, Wiring wiring) {
    SecureRandom random = new SecureRandom();
    this.wiring = wiring;
    backends = balance.backends();
    isDirect = !balance.directMac().isEmpty();
    directMac = isDirect ? MacAddress.parse(balance.directMac()) : 0;
    table = new ConnectionTable(balance.connections(), wiring.nowNs(), random);
    records = table.records();
    tracker = new ConnectionTracker(table, balance.tracking());
    rewrite = new SessionRewrite(tracker, records);
    List<BalancedService> all = backends.services();
    services = new LongIntMap(Math.max(1, all.size()), random.nextLong());
    for (int i = 0; i < all.size(); i++) {
      BalancedService one = all.get(i);
      services.put(key(one.protocol(), Ipv4Address.parse(one.address()), one.port()), i);
    }
    server = wiring.output("server");
    client = wiring.output("client");
    refused = wiring.output("refused");
    rest = wiring.output("rest");
    through = wiring.output("through");
  }

  private static long key(int protocol, int address, int port) {
    return ((long) protocol << 48) | (Integer.toUnsignedLong(address) << 16) | port;
  }

  ConnectionTable table() {
    return table;
  }

  /** A connection is there that another program knew: it has the same backend. */
  void restored(int number) {
    Server known = backends.known(records.mark(number));
    int reply = 2 * number + 1;
    boolean isSame =
        known != null
            && (isDirect
                || (known.address == (int) records.sourceLow(reply)
                    && known.port == records.sourcePort(reply)));
    if (!isSame) {
      table.remove(number); // Backends have changed: it is picked up, as one without a record.
    }
  }

  void fromClient(Burst burst) {
    nowNs = wiring.nowNs();
    tracker.lookUp(burst);
    burst.forEach(fromClient);
    server.push(burst);
  }

  /** What is done with a packet of a client. */
  private final class FromClient implements Consumer<Packet> {
    @Override
    public void accept(Packet packet) {
      int place = tracker.followed(packet.index(), nowNs);
      Server to = isFromServer(place) ? null : backendOf(place);
      if (to == null || !to.isUp()) {
        track(packet);
      } else if (isDirect) {
        toBackend(packet, to);
      } else {
        rewrite.plainDestination(packet, place);
      }
    }

    private void track(Packet packet) {
      Relation relation = tracker.track(packet, nowNs);
      if (relation == Relation.ESTABLISHED
          && !isFromServer(tracker.place())
          && !backendOf(tracker.place()).isUp()) {
        // It will never hear of it: another backend says that it does not know the connection.
        table.remove(tracker.place() >>> 1);
        relation = tracker.track(packet, nowNs);
      }
      switch (relation) {
        case ESTABLISHED, RELATED -> {
          if (isFromServer(tracker.place())) {
            packet.drop(FORGED);
          } else if (relation == Relation.RELATED) {
            passError(packet);
          } else {
            pass(packet, backendOf(tracker.place()));
          }
        }
        case NEW -> begin(packet);
        case UNTRACKED -> rest.send(packet, Balance.NO_SERVICE);
        case INVALID -> {
          if (isOfService(tracker.flow())) {
            packet.drop(tracker.defect().reason());
          } else {
            rest.send(packet, tracker.defect().reason());
          }
        }
      }
    }
  }

  /**
   * Whether packets of that direction come from backends: a client that sends some has forged them.
   * Also of {@link ConnectionTable#NONE}.
   */
  private static boolean isFromServer(int place) {
    return (place & 1) != 0;
  }

  private Server backendOf(int place) {
    return backends.servers()[records.mark(place >>> 1)];
  }

  private boolean isOfService(FlowKey flow) {
    return serviceOf(flow) != LongIntMap.NONE;
  }

  private int serviceOf(FlowKey flow) {
    return flow.ipVersion() == Ipv4.VERSION
        ? services.get(key(flow.protocol(), (int) flow.destinationLow(), flow.destinationPort()))
        : LongIntMap.NONE;
  }

  /** To a backend. */
  private void pass(Packet packet, Server to) {
    if (isDirect) {
      toBackend(packet, to);
    } else if (!rewrite.destination(packet)) {
      packet.drop(Balance.UNTRANSLATABLE);
    }
  }

  private void toBackend(Packet packet, Server to) {
    if (to.mac() == 0) { // Of a connection that was there before: its sender tries again.
      packet.drop(Balance.BACKEND_UNKNOWN);
      return;
    }
    ethernet.wrap(packet, 0).source(directMac).destination(to.mac());
  }

  private void passError(Packet packet) {
    if (isDirect) {
      pass(packet, backendOf(tracker.place()));
    } else if (!rewrite.destinationOfError(packet)) {
      packet.drop(Balance.UNTRANSLATABLE);
    }
  }

  private void begin(Packet packet) {
    FlowKey flow = tracker.flow();
    int service = serviceOf(flow);
    if (service == LongIntMap.NONE) {
      rest.send(packet, Balance.NO_SERVICE);
      return;
    }
    Server to = backends.choose(service, flow.hash());
    if (isDirect && to != null && to.mac() == 0) { // Its sender tries again.
      packet.drop(Balance.BACKEND_UNKNOWN);
      return;
    }
    DropReason refusal = to == null ? Balance.NO_BACKEND : admit(flow, to);
    if (to == null || refusal != null) {
      refused.send(packet, refusal == null ? FULL : refusal);
    } else {
      pass(packet, to);
    }
  }

  private @Nullable DropReason admit(FlowKey flow, Server to) {
    reply.reverseOf(flow);
    if (!isDirect) {
      reply.source(0, Integer.toUnsignedLong(to.address), to.port);
      if (table.find(reply) != ConnectionTable.NONE) {
        return Balance.AMBIGUOUS; // Its client uses the port for another service of the backend.
      }
    }
    int number = tracker.admit(reply, nowNs);
    if (number == ConnectionTable.NONE) {
      return FULL;
    }
    records.mark(number, to.number);
    rewrite.prepare(number);
    return null;
  }

  void fromServer(Burst burst) {
    nowNs = wiring.nowNs();
    tracker.lookUp(burst);
    burst.forEach(fromServer);
    client.push(burst);
  }

  /** What is done with a packet of a backend. */
  private final class FromServer implements Consumer<Packet> {
    @Override
    public void accept(Packet packet) {
      int place = tracker.followed(packet.index(), nowNs);
      if (isFromServer(place) && place != ConnectionTable.NONE) {
        rewrite.plainSource(packet, place);
      } else {
        track(packet);
      }
    }

    private void track(Packet packet) {
      Relation relation = tracker.track(packet, nowNs);
      switch (relation) {
        case ESTABLISHED, RELATED -> {
          if (!isFromServer(tracker.place())) {
            packet.drop(FORGED);
          } else if (!(relation == Relation.RELATED
              ? rewrite.sourceOfError(packet)
              : rewrite.source(packet))) {
            packet.drop(Balance.UNTRANSLATABLE);
          }
        }
        case NEW, INVALID, UNTRACKED -> through.send(packet, Balance.NOT_OF_SERVICE);
      }
    }
  }
}
