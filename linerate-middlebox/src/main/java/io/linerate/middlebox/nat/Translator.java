package io.linerate.middlebox.nat;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.session.SessionRewrite;
import io.linerate.track.ConnectionRecords;
import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionTracker;
import io.linerate.track.Relation;
import io.linerate.track.TrackDefect;
import io.linerate.wire.FlowKey;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Tcp;
import java.security.SecureRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Nat} on one worker.
 *
 * <p>A session is a connection whose reply goes to or comes from elsewhere: a packet gets the
 * addresses of the other direction's flow, turned round. The connection's mark is the mapping that
 * it has, its flags say which side has begun it, and its word is what checksums change by.
 */
final class Translator {
  private static final DropReason FULL = DropReason.named("connections_full");

  /** Of packets of one side that come from the other. */
  private static final DropReason FORGED = TrackDefect.NO_CONNECTION.reason();

  private static final int BEGUN_INSIDE = 0;
  private static final int BEGUN_OUTSIDE = 1;

  /** Besides: it is with another host inside. */
  private static final int HAIRPIN = 2;

  private static final int DESTINATION = 16;
  private static final int TCP_FLAGS = 13;

  private final NatPlan plan;
  private final NatFiltering filtering;
  private final boolean hairpinning;
  private final Wiring wiring;
  private final ConnectionTable table;
  private final ConnectionRecords records;
  private final ConnectionTracker tracker;
  private final SessionRewrite rewrite;
  private final MappingTable mappings;
  private final FlowKey reply = new FlowKey();
  private final Leaving leaving = new Leaving();
  private final Entering entering = new Entering();

  private final Outlet outside;
  private final Outlet inside;
  private final Outlet hairpin;
  private final Outlet refused;
  private final Outlet rest;
  private final @Nullable Ipv6Inside ipv6;
  private long nowNs;

  Translator(NatPlan plan, int worker, Wiring wiring) {
    NatSettings settings = plan.settings();
    SecureRandom random = new SecureRandom();
    this.plan = plan;
    this.wiring = wiring;
    nowNs = wiring.nowNs();
    filtering = settings.filtering();
    hairpinning = settings.hairpinning();
    mappings = new MappingTable(plan, worker, random.nextLong());
    table = new ConnectionTable(settings.connections(), nowNs, random, this::forget);
    records = table.records();
    tracker = new ConnectionTracker(table, settings.tracking());
    rewrite = new SessionRewrite(tracker, records);
    outside = wiring.output("outside");
    inside = wiring.output("inside");
    hairpin = wiring.output("hairpin");
    refused = wiring.output("refused");
    rest = wiring.output("rest");
    ipv6 =
        settings
            .nat64()
            .map(nat64 -> new Ipv6Inside(nat64, tracker, records, wiring, random.nextInt()))
            .orElse(null);
  }

  ConnectionTable table() {
    return table;
  }

  MappingTable mappings() {
    return mappings;
  }

  /** A connection goes: its mapping has a session less. */
  private void forget(int number) {
    int mapping = records.mark(number);
    if (mapping != MappingTable.NONE) {
      mappings.end(mapping, remote(number), wiring.nowNs());
    }
  }

  private int remote(int number) {
    int fromOutside = (records.userFlags(number) & BEGUN_OUTSIDE) == 0 ? 1 : 0;
    return (int) records.sourceLow(2 * number + fromOutside);
  }

  /** A connection is there that another program knew: it has its mapping again. */
  void restored(int number) {
    if (records.mark(number) == MappingTable.NONE) {
      return; // Of a protocol without ports.
    }
    boolean isFromOutside = (records.userFlags(number) & BEGUN_OUTSIDE) != 0;
    int inside = 2 * number + (isFromOutside ? 1 : 0);
    int outside = inside ^ 1;
    // Towards the host inside, replies have what it has outside for their destination.
    int index = plan.indexOf((int) records.destinationLow(outside));
    int protocol = records.protocol(number);
    int kind = NatPlan.kind(protocol == IpProtocol.ICMPV6 ? IpProtocol.ICMP : protocol);
    boolean isIpv4 = records.ipVersion(inside) == Ipv4.VERSION;
    int mapping = MappingTable.NONE;
    if (index >= 0 && kind != NatPlan.NONE && (isIpv4 || ipv6 != null)) {
      long low = records.sourceLow(inside);
      mapping =
          mappings.restore(
              kind,
              records.sourceHigh(inside),
              isIpv4 ? HostTable.ipv4((int) low) : low,
              records.sourcePort(inside),
              NatPlan.pool(index, kind),
              records.destinationPort(outside));
    }
    records.mark(number, mapping);
    if (mapping == MappingTable.NONE) {
      table.remove(number); // Another pool, or other forwards: nothing comes back by it.
    } else {
      mappings.begin(mapping, remote(number));
    }
  }

  // --- from inside ---

  void fromInside(Burst burst) {
    nowNs = wiring.nowNs();
    tracker.lookUp(burst);
    burst.forEach(leaving);
    outside.push(burst);
  }

  /** Whether a connection, which has IPv4 here, has it on the other side too. */
  private boolean isIpv4(int place) {
    return records.ipVersion(place ^ 1) == Ipv4.VERSION;
  }

  /** Whether packets of that direction come from inside; who sends others there has forged them. */
  private boolean isFromInside(int place) {
    return ((place ^ records.userFlags(place >>> 1)) & BEGUN_OUTSIDE) == 0;
  }

  /** What is done with a packet from inside. */
  private final class Leaving implements Consumer<Packet> {
    @Override
    public void accept(Packet packet) {
      int place = tracker.followed(packet.index(), nowNs);
      if (place != ConnectionTable.NONE && isFromInside(place) && isIpv4(place)) {
        rewrite.plainSource(packet, place);
        if ((records.userFlags(place >>> 1) & HAIRPIN) != 0) {
          hairpin.send(packet, Nat.NO_HAIRPIN);
        }
      } else {
        track(packet);
      }
    }

    private void track(Packet packet) {
      DropReason refusal =
          switch (tracker.track(packet, nowNs)) {
            case ESTABLISHED ->
                isFromInside(tracker.place()) ? untranslated(leave(packet)) : FORGED;
            case RELATED ->
                isFromInside(tracker.place()) ? untranslated(leaveError(packet)) : FORGED;
            case NEW -> begin(packet);
            case INVALID -> tracker.defect().reason();
            case UNTRACKED -> Nat.NOT_UNICAST;
          };
      if (refusal != null) {
        refuse(packet, refusal);
      } else if (plan.isOutside(destination(packet))) {
        hairpin.send(packet, Nat.NO_HAIRPIN);
      }
    }
  }

  private int destination(Packet packet) {
    return packet.i32(tracker.scanner().l3Offset() + DESTINATION);
  }

  private boolean leave(Packet packet) {
    Ipv6Inside from = changed();
    return from == null ? rewrite.source(packet) : from.leave(packet);
  }

  private boolean leaveError(Packet packet) {
    Ipv6Inside from = changed();
    return from == null ? rewrite.sourceOfError(packet) : from.leaveError(packet);
  }

  /** Who makes the packet that was looked at last one of the other version; null: it stays. */
  private @Nullable Ipv6Inside changed() {
    Ipv6Inside some = ipv6;
    return some == null || !some.isMeant() ? null : some;
  }

  /** Who wants more than there is may be told. */
  private void refuse(Packet packet, DropReason why) {
    if (why.equals(FULL) || why.equals(Nat.NO_PORT) || why.equals(Nat.NO_SHARE)) {
      refused.send(packet, why);
    } else {
      packet.drop(why);
    }
  }

  private static @Nullable DropReason untranslated(boolean isDone) {
    return isDone ? null : Nat.UNTRANSLATABLE;
  }

  private @Nullable DropReason begin(Packet packet) {
    FlowKey flow = tracker.flow();
    Ipv6Inside other = flow.ipVersion() == Ipv4.VERSION ? null : ipv6;
    if (flow.ipVersion() != Ipv4.VERSION) {
      DropReason refusal = other == null ? Nat.UNTRANSLATABLE : other.refusal(flow);
      if (refusal != null) {
        return refusal;
      }
    }
    int remote = other == null ? (int) flow.destinationLow() : other.remote(flow);
    if (!isUnicast(remote)) {
      return Nat.NOT_UNICAST;
    }
    if (plan.isOutside(remote) && !hairpinning) {
      return Nat.NO_HAIRPIN;
    }
    int kind = NatPlan.kind(flow);
    if (kind == NatPlan.NONE) {
      return beginWithoutPorts(packet, (int) flow.sourceLow());
    }
    int mapping = mapping(kind, flow);
    if (mapping < 0) {
      return mapping == MappingTable.NO_SHARE ? Nat.NO_SHARE : Nat.NO_PORT;
    }
    reply.reverseOf(flow);
    if (other != null) {
      other.toIpv4(reply, remote);
    }
    long outside = Integer.toUnsignedLong(mappings.outside(mapping));
    reply.destination(0, outside, mappings.outsidePort(mapping));
    DropReason refusal = admit(mapping, remote, BEGUN_INSIDE);
    return refusal != null ? refusal : untranslated(leave(packet));
  }

  /** The mapping of the source of a flow, which is made if need be. */
  private int mapping(int kind, FlowKey flow) {
    long high = flow.sourceHigh();
    long low =
        flow.ipVersion() == Ipv4.VERSION
            ? HostTable.ipv4((int) flow.sourceLow())
            : flow.sourceLow();
    int known = mappings.ofInside(kind, high, low, flow.sourcePort());
    return known == MappingTable.NONE
        ? mappings.add(kind, high, low, flow.sourcePort(), nowNs)
        : known;
  }

  /** Whether it may be the address of one host that is not a neighbor. */
  static boolean isUnicast(int address) {
    return Ipv4Address.isHost(address) && address >>> 16 != 0xA9FE;
  }

  private @Nullable DropReason beginWithoutPorts(Packet packet, int source) {
    int address = plan.address(plan.indexFor(source));
    reply.reverseOf(tracker.flow());
    reply.destination(0, Integer.toUnsignedLong(address), reply.destinationPort());
    if (table.find(reply) != ConnectionTable.NONE) {
      return Nat.UNTRANSLATABLE;
    }
    int number = tracker.admit(reply, nowNs);
    if (number == ConnectionTable.NONE) {
      return FULL;
    }
    records.mark(number, MappingTable.NONE);
    return untranslated(rewrite.source(packet));
  }

  private @Nullable DropReason admit(int mapping, int remote, int begun) {
    mappings.begin(mapping, remote);
    int number = tracker.admit(reply, nowNs);
    if (number == ConnectionTable.NONE) {
      mappings.end(mapping, remote, nowNs);
      return FULL;
    }
    records.mark(number, mapping);
    records.userFlags(number, begun | (plan.isOutside(remote) ? HAIRPIN : 0));
    if (isIpv4(2 * number)) {
      rewrite.prepare(number);
    }
    return null;
  }

  // --- from outside ---

  void fromOutside(Burst burst) {
    nowNs = wiring.nowNs();
    tracker.lookUp(burst);
    burst.forEach(entering);
    inside.push(burst);
  }

  /** What is done with a packet from outside. */
  private final class Entering implements Consumer<Packet> {
    @Override
    public void accept(Packet packet) {
      int place = tracker.followed(packet.index(), nowNs);
      if (place != ConnectionTable.NONE && !isFromInside(place) && isIpv4(place)) {
        rewrite.plainDestination(packet, place);
      } else {
        track(packet);
      }
    }

    private void track(Packet packet) {
      Relation relation = tracker.track(packet, nowNs);
      switch (relation) {
        case ESTABLISHED, RELATED -> {
          if (isFromInside(tracker.place())) {
            packet.drop(FORGED);
          } else {
            enter(packet, relation == Relation.RELATED);
          }
        }
        case NEW -> beginFromOutside(packet);
        case INVALID -> {
          if (tracker.defect() == TrackDefect.NO_CONNECTION) {
            rest.send(packet, tracker.defect().reason());
          } else {
            packet.drop(tracker.defect().reason());
          }
        }
        case UNTRACKED -> rest.send(packet, Nat.NOT_UNICAST);
      }
    }
  }

  private void enter(Packet packet, boolean isError) {
    Ipv6Inside to = changed();
    if (to != null) {
      to.enter(packet, isError);
    } else if (!(isError ? rewrite.destinationOfError(packet) : rewrite.destination(packet))) {
      packet.drop(Nat.UNTRANSLATABLE);
    }
  }

  private void beginFromOutside(Packet packet) {
    FlowKey flow = tracker.flow();
    int kind = NatPlan.kind(flow);
    int index = flow.ipVersion() == Ipv4.VERSION ? plan.indexOf((int) flow.destinationLow()) : -1;
    if (kind == NatPlan.NONE || index < 0 || flow.protocol() == IpProtocol.ICMP) {
      rest.send(packet, Nat.NO_MAPPING);
      return;
    }
    int mapping = mappings.ofOutside(NatPlan.pool(index, kind), flow.destinationPort());
    if (mapping == MappingTable.NONE) {
      rest.send(packet, Nat.NO_MAPPING);
      return;
    }
    DropReason refusal = filtered(packet, flow, mapping);
    if (refusal == null) {
      reply.reverseOf(flow);
      readInside(mapping);
      // Two forwards to one port: from the same port outside, the host would take both for one.
      boolean isAmbiguous =
          mappings.isForward(mapping) && table.find(reply) != ConnectionTable.NONE;
      refusal =
          isAmbiguous ? Nat.UNTRANSLATABLE : admit(mapping, (int) flow.sourceLow(), BEGUN_OUTSIDE);
    }
    if (refusal != null) {
      packet.drop(refusal);
    } else {
      enter(packet, false);
    }
  }

  /** Makes the host inside of a mapping the source of what comes back. */
  private void readInside(int mapping) {
    long low = mappings.insideLow(mapping);
    if (ipv6 != null && !mappings.isIpv4(mapping)) {
      ipv6.toIpv6(reply);
    } else {
      low = Integer.toUnsignedLong((int) low);
    }
    reply.source(mappings.insideHigh(mapping), low, mappings.insidePort(mapping));
  }

  /** Why nothing begins from there; null: it does. */
  private @Nullable DropReason filtered(Packet packet, FlowKey flow, int mapping) {
    if (flow.protocol() == IpProtocol.TCP
        && (packet.u8(tracker.scanner().l4Offset() + TCP_FLAGS) & (Tcp.SYN | Tcp.ACK)) != Tcp.SYN) {
      return TrackDefect.NO_CONNECTION.reason();
    }
    boolean isAllowed =
        mappings.isForward(mapping)
            || switch (filtering) {
              case ENDPOINT_INDEPENDENT -> true;
              case ADDRESS_DEPENDENT -> mappings.hasPeer(mapping, (int) flow.sourceLow());
              case ADDRESS_AND_PORT_DEPENDENT -> false;
            };
    return isAllowed ? null : Nat.FILTERED;
  }
}
