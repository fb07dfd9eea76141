package io.linerate.middlebox.nat;

import io.linerate.core.memory.DropReason;
import io.linerate.graph.Element;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.session.Upkeep;
import io.linerate.middlebox.standby.TableHandover;
import java.util.List;
import java.util.Optional;

/**
 * Translates addresses and ports of IPv4 between hosts inside and what is outside: NAPT44 as RFC
 * 4787 (UDP), 5382 (TCP) and 5508 (ICMP) want it, with their updates in RFC 7857. Mappings depend
 * on no endpoint, errors of ICMP are translated with what they quote, and nothing looks into
 * payload.
 *
 * <p>With a prefix for that in its settings ({@link Nat64}) it translates IPv6 of hosts inside to
 * IPv4 by the same mappings: NAT64, as RFC 6146 wants it. What changes length keeps its place in a
 * frame, if there is room before it, and is copied otherwise.
 *
 * <p>Of what has no ports addresses alone are translated; two hosts cannot both use such a protocol
 * with the same address outside. Fragments are put together before (Reassemble).
 *
 * <pre>
 * inputs      inside, outside: frames with packets of IPv4; inside, with nat64, of IPv6 as well
 * outputs     outside, inside: what was translated
 *             inside6, with nat64: packets of IPv6
 *             cut6, with nat64 (may be left unconnected: they leave by inside6): those that may be
 *             cut, for a Fragment of 1280 with ipv6
 *             hairpin (may be left unconnected: such packets are dropped): what hosts inside send to
 *             outside addresses, to come in again by input outside, behind a Queue
 *             rest (may be left unconnected: such packets are dropped): what comes from outside and
 *             is of no mapping: to the translator itself, perhaps
 *             refused (may be left unconnected: such packets are dropped): from inside, for what
 *             there is no port or no room: for IcmpError.prohibited (RFC 5508, REQ-8)
 * parameters  settings
 *             handover: of its connections (none)
 * drops       nat_no_mapping: of rest
 *             nat_no_hairpin: of hairpin
 *             nat_filtered: from outside, from where nothing may come by its mapping
 *             nat_ports: of refused, no port is free outside
 *             nat_host_ports: of refused, the host has as many as it may have
 *             connections_full: of refused, no room for what it begins
 *             copied: a copy of it went on; no_buffer: there was none for it
 *             nat_untranslatable: of no protocol whose checksums are known, cut off, or with a source
 *             route; of a protocol without ports that another host uses; by two forwards to one
 *             port inside, from the same port outside; of IPv6, to no address of
 *             the prefix, or to a private one by 64:ff9b::/96 (RFC 6052, section 3.1)
 *             nat_not_unicast: between neighbors of a link, or to several hosts
 *             malformed, no_connection, out_of_window and others of TrackDefect
 * reads       mappings: ports that are mapped now
 *             connections: known now; evicted: to make room for others; flows: up to 1,000 of
 *             them, lines of JSON
 *             table: mappings, up to 1,000 of them: inside, outside, sessions
 * example     Node nat = g.add("nat", new Nat(NatSettings.of("192.0.2.1")));
 *             g.chain(lan, nat.in("inside")); g.chain(nat.out("outside"), wan);
 *             g.chain(wanIn, nat.in("outside")); g.chain(nat.out("inside"), lanOut);
 *             g.chain(nat.out("hairpin"), g.add("again", new Queue(1_024)), nat.in("outside"))
 * </pre>
 */
public record Nat(NatSettings settings, TableHandover handover) implements Element {
  public static final DropReason NO_MAPPING = DropReason.named("nat_no_mapping");
  public static final DropReason NO_HAIRPIN = DropReason.named("nat_no_hairpin");
  public static final DropReason FILTERED = DropReason.named("nat_filtered");
  public static final DropReason NO_PORT = DropReason.named("nat_ports");
  public static final DropReason NO_SHARE = DropReason.named("nat_host_ports");
  public static final DropReason UNTRANSLATABLE = DropReason.named("nat_untranslatable");
  public static final DropReason NOT_UNICAST = DropReason.named("nat_not_unicast");

  private static final int MOST_SHOWN = 1_000;

  /** Without a handover. */
  public Nat(NatSettings settings) {
    this(settings, TableHandover.NONE);
  }

  @Override
  public Shape shape() {
    Shape shape =
        Shape.NONE
            .input("inside")
            .input("outside")
            .output("outside")
            .output("inside")
            .optionalOutput("hairpin")
            .optionalOutput("refused")
            .optionalOutput("rest");
    return settings.nat64().isEmpty() ? shape : shape.output("inside6").optionalOutput("cut6");
  }

  @Override
  public List<String> problems() {
    return settings.problems();
  }

  @Override
  public void open(Wiring wiring) {
    int worker = settings.workers() == 1 ? 0 : wiring.worker();
    Translator translator = new Translator(new NatPlan(settings), worker, wiring);
    wiring.input("inside", translator::fromInside);
    wiring.input("outside", translator::fromOutside);
    MappingTable mappings = translator.mappings();
    Optional<TableHandover.Copy> copy =
        handover.restoreAndCopy(
            worker,
            translator.table(),
            wiring.nowNs(),
            TableHandover.withTimeouts(
                translator.table(), settings.tracking(), wiring.nowNs(), translator::restored));
    new Upkeep(translator.table(), wiring.nowNs(), copy).begin(wiring);
    wiring.count("mappings", mappings::size);
    wiring.read("table", ValueType.TEXT, () -> mappings.text(MOST_SHOWN));
  }
}
