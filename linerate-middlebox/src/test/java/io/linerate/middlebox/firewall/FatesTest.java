package io.linerate.middlebox.firewall;

import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.ElementPort;
import io.linerate.graph.element.CheckEthernet;
import io.linerate.graph.element.CheckIpv4;
import io.linerate.graph.element.CheckIpv6;
import io.linerate.graph.element.DecrementTtl;
import io.linerate.graph.element.FixChecksums;
import io.linerate.graph.element.FlowTable;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.Reassemble;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.Packets;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of packets of all kinds: the tables of {@code docs/fates.md}, cell by cell. */
class FatesTest {
  private static final Path PAGE = Path.of("../docs/fates.md");

  /** Drops UDP from the senders of {@link FrameBuilder}'s frames. */
  private static final Direction DIRECTION = new Direction("in", "out");

  private static final RuleBook RULES =
      RuleBook.of(
          RulesFile.parse("fates", "drop 192.0.2.1 udp\ndrop 2001:db8::1 udp\n", _ -> {}),
          List.of(DIRECTION));

  private static final int BUFFERS = 64;
  private static final int HOPS = IpProtocol.HOPOPT;
  private static final int ROUTE = IpProtocol.IPV6_ROUTE;
  private static final int OPTIONS = IpProtocol.IPV6_OPTS;

  /**
   * A column of the tables.
   *
   * @param fate of frames that come one after the other
   */
  private record Column(String name, Function<List<byte[]>, String> fate) {}

  /** A row of the tables. */
  private record Row(String name, List<byte[]> frames) {}

  private final List<Column> columns =
      List.of(
          new Column(
              "firewall",
              frames -> fate(new RuleFilter(RULES, DIRECTION, true, Optional.empty()), frames)),
          new Column("`CheckEthernet`", frames -> fate(new CheckEthernet(), frames)),
          new Column("`CheckIpv4`, `CheckIpv6`", this::checked),
          new Column("`DecrementTtl`", frames -> fate(new DecrementTtl(), frames)),
          new Column("`FixChecksums`", FatesTest::summed),
          new Column("`FlowTable`, `HashSwitch`", FatesTest::flow),
          new Column("`Fragment(68)`", frames -> fate(new Fragment(68), frames)),
          new Column("`Reassemble`", FatesTest::reassembled),
          new Column("`IcmpError`", this::told));

  /** Of elements that keep nothing of a packet. */
  private final Map<Element, ElementHarness> harnesses = new HashMap<>();

  @AfterEach
  void closeHarnesses() {
    harnesses.values().forEach(ElementHarness::close);
  }

  private static ElementHarness harness(Element element) {
    ElementHarness harness = new ElementHarness(element, BUFFERS);
    element.shape().outputs().stream()
        .filter(ElementPort::isOptional)
        .forEach(output -> harness.disconnect(output.name()));
    return harness;
  }

  private String fate(Element element, List<byte[]> frames) {
    return fate(harnesses.computeIfAbsent(element, FatesTest::harness), frames);
  }

  /** What goes on, and why the rest is dropped where nobody takes what does not go on. */
  private static String fate(ElementHarness harness, List<byte[]> frames) {
    Map<String, Long> before = harness.drops();
    frames.forEach(harness::push);
    List<String> parts = new ArrayList<>();
    add(parts, harness.out("out").size(), "out");
    harness
        .drops()
        .forEach(
            (reason, packets) -> add(parts, packets - before.getOrDefault(reason, 0L), reason));
    return String.join(", ", parts);
  }

  private static void add(List<String> parts, long packets, String what) {
    if (packets > 0) {
      parts.add(packets == 1 ? what : packets + " " + what);
    }
  }

  private String checked(List<byte[]> frames) {
    HeaderScanner scanner = new HeaderScanner();
    try (Packets packets = new Packets(1)) {
      scanner.scan(packets.of(frames.getFirst()));
    }
    boolean isIpv6 = scanner.etherType() == EtherType.IPV6;
    return fate(isIpv6 ? new CheckIpv6() : new CheckIpv4(), frames);
  }

  private String told(List<byte[]> frames) {
    String fate = fate(IcmpError.timeExceeded("203.0.113.1", "2001:db8:ffff::1"), frames);
    return fate.replaceFirst("^([0-9]+ )?out, ", "").replace("reported", "told");
  }

  private static String reassembled(List<byte[]> frames) {
    try (var harness = harness(new Reassemble())) {
      String fate = fate(harness, frames);
      String waiting = harness.counts().held() > 0 ? "waits" : "";
      return waiting.isEmpty() || fate.isEmpty() ? waiting + fate : waiting + ", " + fate;
    }
  }

  /** Which of the checksums are right behind the element that were broken before it. */
  private static String summed(List<byte[]> frames) {
    List<String> fates = new ArrayList<>();
    HeaderScanner scanner = new HeaderScanner();
    for (byte[] frame : frames) {
      try (var harness = new ElementHarness(new FixChecksums(), BUFFERS);
          Packets packets = new Packets(16)) {
        Packet packet = packets.of(frame);
        boolean hasHeader = scanner.scan(packet) && scanner.ipVersion() == 4;
        if (hasHeader) {
          packet.u8(scanner.l3Offset() + 10, 0x5A ^ packet.u8(scanner.l3Offset() + 10));
        }
        harness.push(packet.toBytes());
        packet = harness.packet("out");
        boolean isLeft = harness.read("unsummed").equals("1");
        boolean isSummed = scanner.l4Fits() && !isLeft && InternetChecksum.verify(packet, scanner);
        boolean isRight =
            hasHeader && InternetChecksum.verifyIpv4Header(packet, scanner.l3Offset());
        String header = isRight ? "IP header" : "";
        String upper = isSummed ? "upper layer" : isLeft ? "unsummed" : "";
        String both = header.isEmpty() || upper.isEmpty() ? header + upper : header + ", " + upper;
        fates.add(both.isEmpty() ? "as it came" : both);
      }
    }
    return fates.stream().distinct().count() == 1 ? fates.getFirst() : String.join("; ", fates);
  }

  /** What the flow is known by: the protocol, and ports if they are not 0. */
  private static String flow(List<byte[]> frames) {
    try (var harness = new ElementHarness(new FlowTable(64), BUFFERS)) {
      frames.forEach(harness::push);
      return harness
          .read("top")
          .lines()
          .map(line -> line.split(" ", 2)[0] + (line.contains(":0 >") ? "" : ", ports"))
          .distinct()
          .reduce((one, other) -> one + "; " + other)
          .orElse("no flow");
    }
  }

  private static Row row(String name, FrameBuilder... frames) {
    return new Row(name, Arrays.asList(FrameBuilder.bytesOf(frames)));
  }

  private static Row cut(String name, int length, FrameBuilder frame) {
    return new Row(name, List.of(Arrays.copyOf(frame.toBytes(), length)));
  }

  private static FrameBuilder part4(int offset, boolean isMore, int bytes) {
    return ipv4().protocol(IpProtocol.UDP).fragment(9, offset, isMore).payload(bytes);
  }

  private static FrameBuilder part6(int offset, boolean isMore, int bytes) {
    return ipv6().protocol(IpProtocol.UDP).fragment(9, offset, isMore).payload(bytes);
  }

  private static FrameBuilder extended(int... types) {
    FrameBuilder frame = ipv6();
    for (int type : types) {
      frame = frame.extension(type, type == ROUTE ? new int[] {0, 0} : new int[] {1, 4});
    }
    return frame.udp(_ -> {}).payload(20);
  }

  private static byte[] ip(FrameBuilder frame) {
    byte[] bytes = frame.toBytes();
    return Arrays.copyOfRange(bytes, 14, bytes.length);
  }

  private static byte[] hex(int... bytes) {
    byte[] result = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      result[i] = (byte) bytes[i];
    }
    return result;
  }

  private static Map<String, List<Row>> sections() {
    Map<String, List<Row>> sections = new LinkedHashMap<>();
    sections.put("Whole packets", whole());
    sections.put("Fragments", fragments());
    sections.put("Options of IPv4", options());
    sections.put("Extension headers of IPv6", extensions());
    sections.put("Tunnels", tunnels());
    sections.put("Tags and other link layers", links());
    sections.put("Lengths, checksums and addresses", lies());
    sections.put("Headers that are cut off", cuts());
    return sections;
  }

  private static List<Row> whole() {
    return List.of(
        row("UDP over IPv4", udp4().payload(20)),
        row("the same, padded", udp4().payload(2).padding(16)),
        row("UDP over IPv6", udp6().payload(20)),
        row("TCP over IPv4", tcp4().payload(20)),
        row("ICMP echo request", icmp4().payload(20)),
        row("ARP request", FrameBuilder.arp(1, MAC_A, "192.0.2.1", MAC_B, "192.0.2.2")),
        row("100 bytes over IPv4", udp4().payload(100)),
        row(
            "100 bytes over IPv4, which must not be cut",
            udp4().ipv4(ip -> ip.dontFragment(true)).payload(100)),
        row("100 bytes over IPv6", udp6().payload(100)));
  }

  private static List<Row> fragments() {
    FrameBuilder first4 = part4(0, true, 48);
    FrameBuilder last4 = part4(48, false, 20);
    FrameBuilder first6 = part6(0, true, 48);
    FrameBuilder last6 = part6(48, false, 20);
    FrameBuilder tcp = ipv4().protocol(IpProtocol.TCP);
    return List.of(
        row("first of IPv4", first4),
        row("later of IPv4", last4),
        row("both of IPv4", first4, last4),
        row("both of IPv4, the later before", last4, first4),
        row("the first of IPv4 twice", first4, first4),
        row("both of IPv4, overlapping", first4, part4(40, false, 28)),
        row("of IPv4, another last one", first4, part4(64, false, 8), part4(56, false, 8)),
        row("first of IPv4, of 8 bytes of TCP", tcp.fragment(9, 0, true).payload(8)),
        row("later of IPv4, from byte 8 of TCP on", tcp.fragment(9, 8, false).payload(32)),
        row("first of IPv4, of 13 bytes", part4(0, true, 13)),
        row("later of IPv4, up to byte 65,544", part4(65_528, false, 16)),
        row("first of IPv6", first6),
        row("later of IPv6", last6),
        row("both of IPv6", first6, last6),
        row("both of IPv6, overlapping", first6, part6(40, false, 28)),
        row(
            "later of IPv6, options behind its header",
            ipv6().fragment(9, 48, false).protocol(OPTIONS).payload(20)),
        row(
            "the only one of IPv6 (RFC 6946)",
            ipv6().fragment(9, 0, false).udp(_ -> {}).payload(20)),
        row(
            "fragment header of IPv6 twice",
            ipv6().fragment(9, 0, true).fragment(8, 0, false).udp(_ -> {}).payload(20)));
  }

  private static List<Row> options() {
    return List.of(
        row("router alert", ipv4().options(148, 4, 0, 0).udp(_ -> {}).payload(20)),
        row("record route", ipv4().options(7, 7, 4, 0, 0, 0, 0).udp(_ -> {}).payload(20)),
        row(
            "loose source route, a stop ahead",
            ipv4().options(131, 7, 4, 192, 0, 2, 9).udp(_ -> {}).payload(20)),
        row(
            "loose source route, used up",
            ipv4().options(131, 7, 8, 192, 0, 2, 9).udp(_ -> {}).payload(20)),
        row("40 bytes of options", ipv4().options(new int[40]).udp(_ -> {}).payload(20)),
        row(
            "an option longer than the header",
            ipv4().options(7, 40, 4, 0).udp(_ -> {}).payload(20)),
        row("an option of length 0", ipv4().options(7, 0, 0, 0).udp(_ -> {}).payload(20)));
  }

  private static List<Row> extensions() {
    int[] eight = new int[8];
    Arrays.fill(eight, OPTIONS);
    int[] nine = new int[9];
    Arrays.fill(nine, OPTIONS);
    return List.of(
        row("hop-by-hop options", extended(HOPS)),
        row("destination options", extended(OPTIONS)),
        row("routing header, used up", extended(ROUTE)),
        row("routing header, a stop ahead", ipv6().extension(ROUTE, 0, 1).udp(_ -> {}).payload(20)),
        row(
            "authentication header",
            ipv6()
                .extension(IpProtocol.AH, 0, 0, 0, 0, 0, 1)
                .udp(_ -> {})
                .payload(20)
                .bytes(55, 0)),
        row("all in the order of RFC 8200", extended(HOPS, OPTIONS, ROUTE, OPTIONS)),
        row("in another order", extended(ROUTE, OPTIONS, HOPS)),
        row(
            "fragment header before options",
            ipv6().fragment(9, 0, true).extension(OPTIONS, 1, 4).udp(_ -> {}).payload(20)),
        row("8 headers", extended(eight)),
        row("9 headers", extended(nine)),
        row("no next header (59)", ipv6().protocol(IpProtocol.IPV6_NONXT)),
        row("ESP", ipv6().protocol(IpProtocol.ESP).payload(40)),
        row("mobility header", ipv6().protocol(IpProtocol.MOBILITY_HEADER).payload(40)),
        row("an unknown next header (253)", ipv6().protocol(253).payload(40)),
        row(
            "a jumbogram's length (RFC 2675)",
            ipv6()
                .extension(HOPS, 0xC2, 4, 0, 1, 0, 0)
                .ipv6(ip -> ip.payloadLength(0))
                .udp(_ -> {})
                .payload(20)));
  }

  private static List<Row> tunnels() {
    byte[] inner4 = ip(tcp4().payload(20));
    byte[] inner6 = ip(tcp6().payload(20));
    byte[] vxlan = {8, 0, 0, 0, 0, 0, 7, 0};
    byte[] l4 = Arrays.copyOfRange(udp4().payload(20).toBytes(), 34, 62);
    return List.of(
        row("IPv4 in IPv4", ipv4().protocol(IpProtocol.IPIP).payload(inner4)),
        row("IPv6 in IPv4 (6in4)", ipv4().protocol(IpProtocol.IPV6).payload(inner6)),
        row("IPv4 in IPv6", ipv6().protocol(IpProtocol.IPIP).payload(inner4)),
        row("GRE over IPv4", ipv4().protocol(IpProtocol.GRE).payload(hex(0, 0, 8, 0), inner4)),
        row("VXLAN over IPv4", udp4().ports(50_000, 4789).payload(vxlan, tcp4().toBytes())),
        row("ESP over IPv4", ipv4().protocol(IpProtocol.ESP).payload(40)),
        row(
            "AH over IPv4",
            ipv4()
                .protocol(IpProtocol.AH)
                .payload(hex(IpProtocol.UDP, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1), l4)));
  }

  private static List<Row> links() {
    byte[] inner = ip(udp4().payload(20));
    FrameBuilder frame = udp4().payload(20);
    return List.of(
        row("one tag", frame.vlan(5)),
        row("a tag of priority alone (VID 0)", frame.vlan(0)),
        row("two tags", frame.vlan(5).vlan(EtherType.PROVIDER_BRIDGE, tag -> tag.vid(6))),
        row("three tags", frame.vlan(5).vlan(6).vlan(7)),
        row("LLC (spanning tree)", ethernet(38).payload(hex(0x42, 0x42, 3), new byte[35])),
        row(
            "LLC and SNAP, IPv4",
            ethernet(8 + inner.length).payload(hex(0xAA, 0xAA, 3, 0, 0, 0, 8, 0), inner)),
        row("a length that is more than there is", ethernet(100).payload(40)),
        row("neither length nor type (1501)", ethernet(1501).payload(40)),
        row(
            "PPPoE, IPv4",
            ethernet(0x8864).payload(hex(0x11, 0, 0, 7, 0, inner.length + 2, 0, 0x21), inner)),
        row("MPLS, IPv4", ethernet(0x8847).payload(hex(0, 1, 1, 64), inner)),
        row("LLDP", ethernet(0x88CC).payload(40)),
        row("a group as source", frame.bytes(6, 1)));
  }

  private static List<Row> lies() {
    FrameBuilder four = udp4().payload(20);
    FrameBuilder six = udp6().payload(20);
    return List.of(
        row("IPv4 total length 1 more than there is", four.ipv4(ip -> ip.totalLength(49))),
        row("IPv4 total length 19", four.ipv4(ip -> ip.totalLength(19))),
        row("IPv4 total length within the UDP header", four.ipv4(ip -> ip.totalLength(27))),
        row("IHL 4", four.bytes(14, 0x44)),
        row("IHL 15, and the packet ends before", four.bytes(14, 0x4F)),
        row("version 5", four.bytes(14, 0x55)),
        row("version 6 in IPv4's ether type", four.bytes(14, 0x65)),
        row("wrong checksum of the IPv4 header", four.bytes(24, 0x12, 0x34)),
        row("IPv6 payload length 1 more than there is", six.ipv6(ip -> ip.payloadLength(29))),
        row("IPv6 payload length within the UDP header", six.ipv6(ip -> ip.payloadLength(7))),
        row("version 4 in IPv6's ether type", six.bytes(14, 0x45)),
        row("UDP length 7", four.udp(udp -> udp.length(7))),
        row("UDP length 1 more than there is", four.udp(udp -> udp.length(29))),
        row("wrong UDP checksum", four.bytes(40, 0x12, 0x34)),
        row("no UDP checksum over IPv4", four.bytes(40, 0, 0)),
        row("no UDP checksum over IPv6", six.bytes(60, 0, 0)),
        row("TCP data offset 4", tcp4().payload(20).bytes(46, 0x40)),
        row("TCP data offset 15, and the packet ends before", tcp4().payload(20).bytes(46, 0xF0)),
        row("IPv4 source 127.0.0.1", udp4().between("127.0.0.1", "192.0.2.2").payload(20)),
        row("IPv4 source 224.0.0.1", udp4().between("224.0.0.1", "192.0.2.2").payload(20)),
        row("IPv6 source ff02::1", udp6().between("ff02::1", "2001:db8::2").payload(20)),
        row("IPv6 destination ::1", udp6().between("2001:db8::1", "::1").payload(20)),
        row("TTL 1", four.ipv4(ip -> ip.ttl(1))),
        row("hop limit 0", six.ipv6(ip -> ip.hopLimit(0))));
  }

  private static List<Row> cuts() {
    FrameBuilder four = udp4().payload(20);
    FrameBuilder six = udp6().payload(20);
    return List.of(
        cut("nothing at all", 0, four),
        cut("Ethernet, after 13 bytes", 13, four),
        cut("a tag, after 2 bytes", 16, four.vlan(5)),
        cut("IPv4, after 19 bytes", 14 + 19, four),
        cut("IPv4, within its options", 14 + 22, ipv4().options(148, 4, 0, 0).udp(_ -> {})),
        cut("IPv6, after 39 bytes", 14 + 39, six),
        cut("an extension header, after 7 bytes", 54 + 7, extended(HOPS)),
        cut("UDP, after 7 bytes", 34 + 7, four),
        cut("TCP, after 19 bytes", 34 + Tcp.HEADER_BYTES - 1, tcp4()),
        cut("ICMP, after 7 bytes", 34 + 7, icmp4()),
        cut("the payload", 34 + 20, four));
  }

  private List<String> tables() {
    List<String> lines = new ArrayList<>();
    String names = columns.stream().map(Column::name).collect(Collectors.joining(" | "));
    sections()
        .forEach((section, rows) -> {
          lines.add("## " + section);
          lines.add("| packet | " + names + " |");
          lines.add("|---".repeat(columns.size() + 1) + "|");
          rows.forEach(row -> lines.add(text(row)));
        });
    return lines;
  }

  private String text(Row row) {
    return columns.stream()
        .map(column -> column.fate.apply(row.frames))
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
