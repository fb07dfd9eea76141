package io.linerate.middlebox.firewall;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.graph.Graph;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.Reassemble;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.track.TrackSettings;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What becomes of packets that want to pass a firewall in disguise: the tables of {@code
 * docs/evasion.md}, cell by cell. All want to get to port 53 from outside, but for those of {@link
 * NameEvasion}.
 */
class EvasionTest {
  private static final Path PAGE = Path.of("../docs/evasion.md");

  private static final Direction IN = new Direction("wan", "lan");
  private static final Direction OUT = new Direction("lan", "wan");
  private static final int FORBIDDEN = 53;
  private static final int MTU = 1_500;

  private static final int HOPS = IpProtocol.HOPOPT;
  private static final int ROUTE = IpProtocol.IPV6_ROUTE;
  private static final int OPTIONS = IpProtocol.IPV6_OPTS;

  /** A column of the tables: rules. */
  private record Column(String name, String rules) {}

  /**
   * A row of the tables.
   *
   * @param before what leaves by the firewall before
   * @param frames what comes then
   */
  private record Row(String name, List<byte[]> before, List<byte[]> frames) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("address", "drop 192.0.2.1\ndrop 2001:db8::1\nnonip pass"),
          new Column("port", "drop port 53\nnonip pass"),
          new Column("port, `inner on`", "drop port 53\nnonip pass\ninner on"),
          new Column(
              "state",
              "pass state established,related\npass in lan state new\ndefault drop\nnonip drop"));

  /** The whole firewall, in both directions. */
  private static Graph firewall(String rules) {
    RuleBook book = RuleBook.of(RulesFile.parse("evasion", rules, _ -> {}), List.of(IN, OUT));
    Optional<Tracking> tracking =
        book.needs().connections()
            ? Optional.of(new Tracking(64, TrackSettings.DEFAULT, book.needs().names() ? 64 : 0))
            : Optional.empty();
    return Graph.of(g -> {
      for (Direction way : List.of(IN, OUT)) {
        var filter = g.add("rules-" + way.in(), new RuleFilter(book, way, true, tracking));
        var in = g.input(way.in());
        var out = g.output(way.out());
        if (book.needs().wholePackets()) {
          var whole = g.add("whole-" + way.in(), new Reassemble());
          var cut = g.add("cut-" + way.in(), new Fragment(MTU, true));
          g.chain(in, whole, filter, cut, out);
        } else {
          g.chain(in, filter, out);
        }
      }
    });
  }

  private static String fate(Column column, Row row) {
    try (ElementHarness harness = new ElementHarness(firewall(column.rules))) {
      row.before.forEach(frame -> harness.pushTo("lan", frame));
      Map<String, Long> before = harness.drops();
      row.frames.forEach(frame -> harness.pushTo("wan", frame));
      List<String> parts = new ArrayList<>();
      add(parts, harness.out("lan").size(), "out");
      harness
          .drops()
          .forEach(
              (reason, packets) -> add(parts, packets - before.getOrDefault(reason, 0L), reason));
      return parts.isEmpty() ? "waits" : String.join(", ", parts);
    }
  }

  private static void add(List<String> parts, long packets, String what) {
    if (packets > 0) {
      parts.add(packets == 1 ? what : packets + " " + what);
    }
  }

  private static Row row(String name, FrameBuilder... frames) {
    return new Row(name, List.of(), Arrays.asList(FrameBuilder.bytesOf(frames)));
  }

  private static byte[] from(FrameBuilder frame, int offset) {
    byte[] bytes = frame.toBytes();
    return Arrays.copyOfRange(bytes, offset, bytes.length);
  }

  private static byte[] ip(FrameBuilder frame) {
    return from(frame, 14);
  }

  private static byte[] hex(int... bytes) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (byte) bytes[i];
    }
    return result;
  }

  private static FrameBuilder dns4() {
    return udp4().ports(4_000, FORBIDDEN).payload(40);
  }

  private static FrameBuilder dns6() {
    return udp6().ports(4_000, FORBIDDEN).payload(40);
  }

  private static FrameBuilder syn4() {
    return tcp4().ports(4_000, FORBIDDEN).tcp(tcp -> tcp.flags(Tcp.SYN)).payload(40);
  }

  /** Bytes of the upper layer of a datagram, as a fragment of IPv4. */
  private static FrameBuilder part4(FrameBuilder whole, int offset, int end, boolean isMore) {
    byte[] l4 = from(whole, 34);
    return ipv4()
        .protocol(whole.toBytes()[23])
        .fragment(9, offset, isMore)
        .payload(Arrays.copyOfRange(l4, offset, Math.min(end, l4.length)));
  }

  private static FrameBuilder part6(FrameBuilder whole, int offset, int end, boolean isMore) {
    byte[] l4 = from(whole, 54);
    return ipv6()
        .protocol(IpProtocol.UDP)
        .fragment(9, offset, isMore)
        .payload(Arrays.copyOfRange(l4, offset, Math.min(end, l4.length)));
  }

  private static FrameBuilder extended(int... types) {
    FrameBuilder frame = ipv6();
    for (int type : types) {
      frame = frame.extension(type, type == ROUTE ? new int[] {0, 0} : new int[] {1, 4});
    }
    return frame.udp(_ -> {}).ports(4_000, FORBIDDEN).payload(40);
  }

  private static FrameBuilder options(int... options) {
    return ipv4().options(options).udp(_ -> {}).ports(4_000, FORBIDDEN).payload(40);
  }

  private static Map<String, List<Row>> sections() {
    Map<String, List<Row>> sections = new LinkedHashMap<>();
    sections.put("In the open", open());
    sections.put("Fragments", fragments());
    sections.put("Options and extension headers", extensions());
    sections.put("Tags and other link layers", links());
    sections.put("Tunnels", tunnels());
    sections.put("Addresses in disguise", addresses());
    sections.put("Lengths, checksums and TTL", lies());
    sections.put("Connections", connections());
    return sections;
  }

  private static List<Row> open() {
    return List.of(
        row("UDP over IPv4", dns4()),
        row("UDP over IPv6", dns6()),
        row("TCP, opening", syn4()),
        row("UDP to port 9, for comparison", udp4().ports(4_000, 9).payload(40)));
  }

  private static List<Row> fragments() {
    FrameBuilder innocent = udp4().ports(4_000, 9).payload(40);
    FrameBuilder innocent6 = udp6().ports(4_000, 9).payload(40);
    return List.of(
        row("in two", part4(dns4(), 0, 24, true), part4(dns4(), 24, 48, false)),
        row("in two, the second before", part4(dns4(), 24, 48, false), part4(dns4(), 0, 24, true)),
        row(
            "TCP, 8 bytes in the first (tiny: RFC 1858)",
            part4(syn4(), 0, 8, true),
            part4(syn4(), 8, 60, false)),
        row(
            "the first says port 9, another first port 53",
            part4(innocent, 0, 24, true),
            part4(dns4(), 0, 24, true),
            part4(dns4(), 24, 48, false)),
        row(
            "TCP, the second overlaps the ports (RFC 3128)",
            part4(tcp4().ports(4_000, 9).payload(40), 0, 24, true),
            part4(syn4(), 0, 60, false)),
        row(
            "the second overlaps the end of the first",
            part4(dns4(), 0, 24, true),
            part4(dns4(), 16, 48, false)),
        row("the second alone", part4(dns4(), 24, 48, false)),
        row(
            "a hole that is never filled",
            part4(dns4(), 0, 16, true),
            part4(dns4(), 24, 48, false)),
        row("one that is whole, and says that more follow", part4(dns4(), 0, 48, true)),
        row(
            "beyond byte 65,535 (ping of death)",
            ipv4().protocol(IpProtocol.UDP).fragment(9, 65_528, false).payload(16)),
        row("IPv6, in two", part6(dns6(), 0, 24, true), part6(dns6(), 24, 48, false)),
        row(
            "IPv6, overlapping (RFC 5722)",
            part6(innocent6, 0, 24, true),
            part6(dns6(), 0, 24, true),
            part6(dns6(), 24, 48, false)),
        row(
            "IPv6, the only fragment (atomic: RFC 6946)",
            ipv6().fragment(9, 0, false).udp(_ -> {}).ports(4_000, FORBIDDEN).payload(40)),
        row(
            "IPv6, ports not in the first (RFC 7112)",
            ipv6().fragment(9, 0, true).protocol(OPTIONS).payload(hex(17, 0, 1, 4, 0, 0, 0, 0)),
            ipv6().fragment(9, 8, false).protocol(OPTIONS).payload(from(dns6(), 54))),
        row(
            "IPv6, a fragment header behind another",
            ipv6()
                .fragment(9, 0, false)
                .fragment(8, 0, false)
                .udp(_ -> {})
                .ports(4_000, FORBIDDEN)
                .payload(40)));
  }

  private static List<Row> extensions() {
    int[] eight = new int[8];
    Arrays.fill(eight, OPTIONS);
    int[] nine = new int[9];
    Arrays.fill(nine, OPTIONS);
    int[] authentication = {0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    return List.of(
        row("IPv4, router alert", options(148, 4, 0, 0)),
        row("IPv4, source route", options(131, 7, 4, 192, 0, 2, 9)),
        row("IPv4, 40 bytes of options", options(new int[40])),
        row("IPv4, an option longer than the header", options(7, 40, 4, 0)),
        row(
            "IPv4, authentication header",
            ipv4().protocol(IpProtocol.AH).payload(ah(), from(dns4(), 34))),
        row("IPv6, hop-by-hop options", extended(HOPS)),
        row("IPv6, all in the order of RFC 8200", extended(HOPS, OPTIONS, ROUTE, OPTIONS)),
        row("IPv6, in another order", extended(OPTIONS, ROUTE, HOPS, OPTIONS)),
        row(
            "IPv6, authentication header",
            ipv6()
                .extension(IpProtocol.AH, authentication)
                .udp(_ -> {})
                .ports(4_000, FORBIDDEN)
                .payload(40)
                .bytes(55, 2)),
        row("IPv6, 8 headers", extended(eight)),
        row("IPv6, 9 headers", extended(nine)),
        row(
            "IPv6, an unknown header (253)",
            ipv6().protocol(253).payload(hex(17, 0, 1, 4, 0, 0, 0, 0), from(dns6(), 54))));
  }

  /** RFC 4302, section 2, with a value of 12 bytes: UDP follows. */
  private static byte[] ah() {
    byte[] header = new byte[24];
    header[0] = IpProtocol.UDP;
    header[1] = 4;
    return header;
  }

  private static List<Row> links() {
    byte[] inner = ip(dns4());
    return List.of(
        row("one tag", dns4().vlan(5)),
        row("a tag of priority alone", dns4().vlan(0)),
        row("two tags", dns4().vlan(5).vlan(EtherType.PROVIDER_BRIDGE, tag -> tag.vid(6))),
        row("three tags", dns4().vlan(5).vlan(6).vlan(7)),
        row("five tags", dns4().vlan(5).vlan(6).vlan(7).vlan(8).vlan(9)),
        row(
            "LLC and SNAP",
            ethernet(8 + inner.length).payload(hex(0xAA, 0xAA, 3, 0, 0, 0, 8, 0), inner)),
        row(
            "PPPoE",
            ethernet(0x8864).payload(hex(0x11, 0, 0, 7, 0, inner.length + 2, 0, 0x21), inner)),
        row("MPLS", ethernet(0x8847).payload(hex(0, 1, 1, 64), inner)),
        row("MPLS, two labels", ethernet(0x8847).payload(hex(0, 1, 0, 64, 0, 1, 1, 64), inner)));
  }

  private static List<Row> tunnels() {
    byte[] inner4 = ip(dns4());
    byte[] inner6 = ip(dns6());
    byte[] frame = dns4().toBytes();
    byte[] vxlan = {8, 0, 0, 0, 0, 0, 7, 0};
    FrameBuilder nested = dns4();
    for (int i = 0; i < 5; i++) {
      nested = ipv4().protocol(IpProtocol.IPIP).payload(ip(nested));
    }
    return List.of(
        row("IPv4 in IPv4", ipv4().protocol(IpProtocol.IPIP).payload(inner4)),
        row("IPv6 in IPv4 (6in4)", ipv4().protocol(IpProtocol.IPV6).payload(inner6)),
        row("IPv4 in IPv6", ipv6().protocol(IpProtocol.IPIP).payload(inner4)),
        row("GRE", ipv4().protocol(IpProtocol.GRE).payload(hex(0, 0, 8, 0), inner4)),
        row(
            "GRE with key and sequence number",
            ipv4()
                .protocol(IpProtocol.GRE)
                .payload(hex(0x30, 0, 8, 0, 0, 0, 0, 1, 0, 0, 0, 2), inner4)),
        row(
            "GRE, an Ethernet frame",
            ipv4().protocol(IpProtocol.GRE).payload(hex(0, 0, 0x65, 0x58), frame)),
        row("VXLAN", udp4().ports(50_000, 4_789).payload(vxlan, frame)),
        row(
            "Geneve with an option",
            udp4()
                .ports(50_000, 6_081)
                .payload(hex(1, 0, 0x65, 0x58, 0, 0, 7, 0, 0, 0, 0, 0), frame)),
        row("Teredo", udp4().ports(3_544, 50_000).payload(inner6)),
        row(
            "Teredo with an origin",
            udp4().ports(50_000, 3_544).payload(hex(0, 0, 1, 2, 3, 4, 5, 6), inner6)),
        row("five times IPv4 in IPv4", nested),
        row(
            "a fragment in IPv4",
            ipv4().protocol(IpProtocol.IPIP).payload(ip(part4(dns4(), 0, 24, true)))),
        row(
            "a broken packet in IPv4",
            ipv4().protocol(IpProtocol.IPIP).payload(ip(dns4().bytes(14, 0x44)))),
        row("ESP", ipv4().protocol(IpProtocol.ESP).payload(40)));
  }

  private static List<Row> addresses() {
    FrameBuilder other = udp6().ports(4_000, 9).payload(40);
    return List.of(
        row("::ffff:192.0.2.1", other.between("::ffff:192.0.2.1", "2001:db8:1::2")),
        row("6to4: 2002:c000:201::1", other.between("2002:c000:201::1", "2001:db8:1::2")),
        row("NAT64: 64:ff9b::192.0.2.1", other.between("64:ff9b::192.0.2.1", "2001:db8:1::2")),
        row(
            "Teredo: 2001::/32, the address inverted in the last bytes",
            other.between("2001:0:c633:6402::3fff:fdfe", "2001:db8:1::2")),
        row(
            "ISATAP: any prefix, then 0:5efe:192.0.2.1",
            other.between("2001:db8:2::5efe:c000:201", "2001:db8:1::2")));
  }

  private static List<Row> lies() {
    return List.of(
        row("IPv4 total length more than there is", dns4().ipv4(ip -> ip.totalLength(100))),
        row("IPv4 total length ends within the ports", dns4().ipv4(ip -> ip.totalLength(23))),
        row("IHL 4", dns4().bytes(14, 0x44)),
        row("IHL 6, the options are the ports", dns4().bytes(14, 0x46)),
        row("version 6 in IPv4's ether type", dns4().bytes(14, 0x65)),
        row("UDP length 0", dns4().udp(udp -> udp.length(0))),
        row("wrong checksum of the IPv4 header", dns4().bytes(24, 0x12, 0x34)),
        row("wrong UDP checksum", dns4().bytes(40, 0x12, 0x34)),
        row("TCP data offset 4", syn4().bytes(46, 0x40)),
        row("TTL 1", dns4().ipv4(ip -> ip.ttl(1))),
        row("TTL 0", dns4().ipv4(ip -> ip.ttl(0))));
  }

  private static FrameBuilder segment(int flags, long sequence, long acknowledgment) {
    return tcp4()
        .between(A4, B4)
        .ports(80, 4_000)
        .tcp(tcp ->
            tcp.flags(flags)
                .sequenceNumber(sequence)
                .acknowledgmentNumber(acknowledgment)
                .window(1_000));
  }

  /** From inside to port 80, as far as the second SYN is acknowledged. */
  private static List<byte[]> opened() {
    FrameBuilder out = tcp4().between(B4, A4).ports(4_000, 80);
    return List.of(out.tcp(tcp -> tcp.flags(Tcp.SYN).sequenceNumber(100).window(1_000)).toBytes());
  }

  private static Row afterSyn(String name, FrameBuilder... frames) {
    return new Row(name, opened(), Arrays.asList(FrameBuilder.bytesOf(frames)));
  }

  /** The second segment comes from the server, when the SYN of the client has passed. */
  private static List<Row> connections() {
    FrameBuilder synAck = segment(Tcp.SYN | Tcp.ACK, 500, 101);
    return List.of(
        afterSyn("the answer to a SYN from inside", synAck),
        afterSyn("an answer with a wrong acknowledgment", segment(Tcp.SYN | Tcp.ACK, 500, 99)),
        afterSyn("a reset with a wrong acknowledgment", segment(Tcp.RST | Tcp.ACK, 0, 5_000)),
        afterSyn("data within the window", synAck, segment(Tcp.ACK, 501, 101).payload(20)),
        afterSyn("data behind the window", synAck, segment(Tcp.ACK, 501 + 70_000, 101).payload(20)),
        afterSyn("a reset behind the window", synAck, segment(Tcp.RST, 501 + 70_000, 101)),
        afterSyn("SYN and FIN", segment(Tcp.SYN | Tcp.FIN, 500, 101)),
        row("ACK of no connection", segment(Tcp.ACK, 500, 101).payload(20)),
        row("no flags at all", segment(0, 500, 0)),
        row("an answer over UDP that nobody asked for", udp4().ports(53, 4_000).payload(40)),
        row("TCP over IPv6, opening", tcp6().ports(4_000, FORBIDDEN).tcp(tcp -> tcp.flags(2))));
  }

  private static List<String> tables() {
    List<String> lines = new ArrayList<>();
    String names = COLUMNS.stream().map(Column::name).collect(Collectors.joining(" | "));
    sections()
        .forEach((section, rows) -> {
          lines.add("## " + section);
          lines.add("| packet | " + names + " |");
          lines.add("|---".repeat(COLUMNS.size() + 1) + "|");
          rows.forEach(row -> lines.add(text(row)));
        });
    lines.addAll(NameEvasion.lines(EvasionTest::firewall));
    return lines;
  }

  private static String text(Row row) {
    return COLUMNS.stream()
        .map(column -> fate(column, row))
        .collect(Collectors.joining(" | ", "| " + row.name + " | ", " |"));
  }

  /** Of the page, what is neither prose nor its title. */
  @Test
  void shouldBeWhatThePageSays() throws Exception {
    List<String> page =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("|") || line.startsWith("## "))
            .toList();
    assertThat(page).containsExactlyElementsOf(tables());
  }
}
