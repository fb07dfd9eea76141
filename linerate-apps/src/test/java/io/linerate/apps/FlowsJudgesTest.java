package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other programs say of flows. */
class FlowsJudgesTest {
  private static final long TIMEOUT_S = 120;
  private static final int IPFIX_PORT = 4_739;
  private static final int END = 0;

  /** Elements of each direction, and what tshark calls them. */
  private static final Map<String, String> OF_DIRECTION =
      Map.of(
          "packetDeltaCount", "cflow.packets",
          "octetDeltaCount", "cflow.octets",
          "layer2OctetDeltaCount", "cflow.layer2_octet_delta_count",
          "tcpControlBits", "cflow.tcpflags",
          "ipClassOfService", "cflow.tos",
          "minimumTTL", "cflow.ttl_min",
          "maximumTTL", "cflow.ttl_max");

  @TempDir Path folder;

  private static String upper(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private static void require(String program) {
    boolean isThere =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    assumeTrue(isThere, "skipped: needs the program " + program);
  }

  private String run(Object... words) throws Exception {
    Path out = folder.resolve("out.txt");
    Process process =
        new ProcessBuilder(Stream.of(words).map(Object::toString).toList())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(out);
  }

  /** Packets and bytes of frames by the two ends, of TCP and UDP, by tshark's own key. */
  @Test
  void shouldCountWhatTsharkCounts() throws Exception {
    require("tshark");
    for (String protocol : List.of("tcp", "udp")) {
      String fields =
          run(
              "tshark",
              "-n",
              "-r",
              FlowsTest.MIXED,
              "-Y",
              protocol
                  + " && !icmp && !icmpv6 && !ipv6.fraghdr && !ip.fragment"
                  + " && ip.flags.mf != 1 && !(ip.frag_offset > 0) || "
                  + protocol
                  + " && ipv6 && !icmpv6 && !ipv6.fraghdr",
              "-T",
              "fields",
              "-E",
              "separator=|",
              "-e",
              "ip.src",
              "-e",
              "ipv6.src",
              "-e",
              protocol + ".srcport",
              "-e",
              "ip.dst",
              "-e",
              "ipv6.dst",
              "-e",
              protocol + ".dstport",
              "-e",
              "frame.len");
      Map<String, List<Long>> theirs = new TreeMap<>();
      for (String line : fields.lines().toList()) {
        String[] f = line.split("\\|", -1);
        add(
            theirs,
            f[0] + f[1] + " " + f[2] + " " + f[3] + f[4] + " " + f[5],
            1,
            Long.parseLong(f[6]));
      }
      assertThat(theirs).hasSizeGreaterThan(50);
      assertThat(ours(protocol.equals("tcp") ? 6 : 17)).isEqualTo(theirs);
    }
  }

  private static void add(Map<String, List<Long>> all, String key, long packets, long octets) {
    if (packets > 0) {
      all.merge(
          key,
          List.of(packets, octets),
          (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
    }
  }

  private static Map<String, List<Long>> ours(int protocol) {
    Map<String, List<Long>> ours = new TreeMap<>();
    for (JsonObject flow : FlowsTest.flows(Run.of("flows", FlowsTest.MIXED, "--json"))) {
      if (flow.get("protocolIdentifier").getAsInt() != protocol
          || !flow.has("sourceTransportPort")) {
        continue;
      }
      String version = flow.has("sourceIPv4Address") ? "IPv4Address" : "IPv6Address";
      String source = text(flow, "source" + version) + " " + text(flow, "sourceTransportPort");
      String destination =
          text(flow, "destination" + version) + " " + text(flow, "destinationTransportPort");
      add(
          ours,
          source + " " + destination,
          number(flow, "packetDeltaCount"),
          number(flow, "layer2OctetDeltaCount"));
      add(
          ours,
          destination + " " + source,
          number(flow, "reversePacketDeltaCount"),
          number(flow, "reverseLayer2OctetDeltaCount"));
    }
    return ours;
  }

  private static String text(JsonObject flow, String name) {
    return flow.get(name).getAsString();
  }

  private static long number(JsonObject flow, String name) {
    return flow.has(name) ? flow.get(name).getAsLong() : 0;
  }

  /** Each value of each record, as tshark's dissector of IPFIX reads it. */
  @Test
  void shouldSendWhatTsharkReads() throws Exception {
    require("tshark");
    List<byte[]> frames = new ArrayList<>();
    List<JsonObject> flows;
    try (DatagramSocket collector = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      collector.setReceiveBufferSize(1 << 20);
      flows =
          FlowsTest.flows(
              Run.of(
                  "flows",
                  FlowsTest.MIXED,
                  "--json",
                  "--ipfix",
                  "127.0.0.1:" + collector.getLocalPort()));
      collector.setSoTimeout(300);
      receive(collector, frames);
    }
    Path file = PcapFile.write(folder.resolve("messages.pcap"), frames);
    String json = run("tshark", "-n", "-r", file, "-T", "json", "--no-duplicate-keys");
    List<JsonObject> records = records(JsonParser.parseString(json).getAsJsonArray());
    assertThat(records).hasSameSizeAs(flows);
    for (int i = 0; i < flows.size(); i++) {
      compare(flows.get(i), records.get(i));
    }
  }

  private static void receive(DatagramSocket collector, List<byte[]> frames) throws IOException {
    DatagramPacket datagram = new DatagramPacket(new byte[0xFFFF], 0xFFFF);
    try {
      while (true) {
        datagram.setLength(0xFFFF);
        collector.receive(datagram);
        assertThat(datagram.getLength()).isLessThanOrEqualTo(1_400);
        frames.add(frame(datagram.getData(), datagram.getLength()));
      }
    } catch (SocketTimeoutException e) {
      assertThat(frames).isNotEmpty();
    }
  }

  /** A message in UDP, IPv4 and Ethernet, without checksums. */
  private static byte[] frame(byte[] message, int length) {
    return ByteBuffer.allocate(42 + length)
        .position(12)
        .putShort((short) 0x0800)
        .putShort((short) 0x4500)
        .putShort((short) (28 + length))
        .putInt(0)
        .putShort((short) 0x4011)
        .putShort((short) 0)
        .putInt(0x7F00_0001)
        .putInt(0x7F00_0001)
        .putShort((short) IPFIX_PORT)
        .putShort((short) IPFIX_PORT)
        .putShort((short) (8 + length))
        .putShort((short) 0)
        .put(message, 0, length)
        .array();
  }

  private static List<JsonObject> records(JsonArray packets) {
    List<JsonObject> records = new ArrayList<>();
    for (JsonElement packet : packets) {
      JsonObject layers =
          packet.getAsJsonObject().getAsJsonObject("_source").getAsJsonObject("layers");
      assertThat(layers.keySet()).doesNotContain("_ws.malformed");
      for (Map.Entry<String, JsonElement> set : layers.getAsJsonObject("cflow").entrySet()) {
        if (set.getKey().startsWith("Set ")) {
          for (Map.Entry<String, JsonElement> one : set.getValue().getAsJsonObject().entrySet()) {
            if (one.getKey().startsWith("Flow ")) {
              records.add(one.getValue().getAsJsonObject());
            }
          }
        }
      }
    }
    return records;
  }

  private static void compare(JsonObject flow, JsonObject record) {
    boolean isIpv4 = flow.has("sourceIPv4Address");
    String version = isIpv4 ? "IPv4Address" : "IPv6Address";
    same(flow, "source" + version, record, isIpv4 ? "cflow.srcaddr" : "cflow.srcaddrv6", END);
    same(flow, "destination" + version, record, isIpv4 ? "cflow.dstaddr" : "cflow.dstaddrv6", END);
    same(flow, "sourceTransportPort", record, "cflow.srcport", END);
    same(flow, "destinationTransportPort", record, "cflow.dstport", END);
    same(flow, "protocolIdentifier", record, "cflow.protocol", END);
    same(flow, "flowEndReason", record, "cflow.flow_end_reason", END);
    same(flow, "biflowDirection", record, "cflow.biflow_direction", END);
    same(flow, "vlanId", record, "cflow.vlanid", END);
    for (int direction = 0; direction < 2; direction++) {
      for (Map.Entry<String, String> one : OF_DIRECTION.entrySet()) {
        String name = direction == 0 ? one.getKey() : "reverse" + upper(one.getKey());
        same(flow, name, record, one.getValue(), direction);
      }
    }
    assertThat(record.toString()).contains(tsharkTime(text(flow, "flowStartNanoseconds")));
    assertThat(record.toString()).contains(tsharkTime(text(flow, "flowEndNanoseconds")));
  }

  /** As {@code Nov 21, 2026 21:19:11.050695356 UTC}. */
  private static String tsharkTime(String time) {
    return DateTimeFormatter.ofPattern("MMM ppd, uuuu HH:mm:ss.nnnnnnnnn 'UTC'", Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(Instant.parse(time));
  }

  private static void same(
      JsonObject flow, String name, JsonObject record, String field, int direction) {
    String ours = String.valueOf(flow.has(name) ? text(flow, name) : 0);
    JsonElement theirs = record.get(field);
    if (theirs == null || (theirs.isJsonPrimitive() && direction == 1)) {
      assertThat(ours).as(name + " " + record).isEqualTo("0");
      return;
    }
    String value =
        theirs.isJsonArray()
            ? theirs.getAsJsonArray().get(direction).getAsString()
            : theirs.getAsString();
    assertThat(value.startsWith("0x") ? Long.decode(value).toString() : value)
        .as(name + " " + flow)
        .isEqualTo(ours);
  }

  /** RFC 7011, section 10.4: messages follow each other, templates stand in the first. */
  @Test
  void shouldSendTheSameOverTcp() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<byte[]> all =
          CompletableFuture.supplyAsync(() -> {
            try (Socket socket = server.accept()) {
              return socket.getInputStream().readAllBytes();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      Run run =
          Run.of(
              "flows", FlowsTest.MIXED, "--ipfix", "127.0.0.1:" + server.getLocalPort() + ",tcp");
      assertThat(run.status()).as(run.err()).isZero();
      ByteBuffer bytes = ByteBuffer.wrap(all.get(TIMEOUT_S, TimeUnit.SECONDS));
      int messages = 0;
      while (bytes.hasRemaining()) {
        assertThat(bytes.getShort(bytes.position())).isEqualTo((short) 10);
        assertThat(bytes.getShort(bytes.position() + 16) == 2).isEqualTo(messages == 0);
        bytes.position(bytes.position() + (bytes.getShort(bytes.position() + 2) & 0xFFFF));
        messages++;
      }
      assertThat(messages).isGreaterThan(10);
    }
  }

  @Test
  void shouldBeTakenByNfcapd() throws Exception {
    require("nfcapd");
    int port;
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path log = folder.resolve("nfcapd.log");
    Process nfcapd =
        new ProcessBuilder(
                "nfcapd",
                "-w",
                folder.toString(),
                "-b",
                "127.0.0.1",
                "-p",
                "" + port,
                "-B",
                "4000000")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      await(log, "Startup nfcapd");
      assertThat(Run.of("flows", FlowsTest.MIXED, "--ipfix", "127.0.0.1:" + port).status())
          .isZero();
      TimeUnit.SECONDS.sleep(1);
    } finally {
      nfcapd.destroy();
      nfcapd.waitFor(TIMEOUT_S, TimeUnit.SECONDS);
      nfcapd.destroyForcibly();
    }
    assertThat(Files.readString(log))
        .contains("Flows: 268, Packets: 2921, Bytes: 846303, Sequence Errors: 0, Bad Packets: 0");
  }

  private static void await(Path log, String text) throws Exception {
    for (int i = 0; i < 100 * TIMEOUT_S && !Files.readString(log).contains(text); i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  /** Packets that scapy makes, of flows that are known. */
  private static final String KNOWN =
      """
      import sys
      from scapy.all import *
      packets = []
      def add(packet):
          packet = Ether(src='02:00:00:00:00:01', dst='02:00:00:00:00:02') / packet
          packet.time = 1700000000 + len(packets) / 1000
          packets.append(packet)
      for i in range(20):
          there = lambda flags, load='': IP(src='10.0.0.1', dst='10.0.0.2', ttl=60) / TCP(
              sport=1000 + i, dport=80, flags=flags) / Raw(load)
          back = lambda flags, load='': IP(src='10.0.0.2', dst='10.0.0.1', ttl=50) / TCP(
              sport=80, dport=1000 + i, flags=flags) / Raw(load)
          add(there('S')); add(back('SA')); add(there('A'))
          for k in range(i):
              add(there('PA', 'x' * 10)); add(back('A', 'y' * 1000))
          add(there('FA')); add(back('FA')); add(there('A'))
      for i in range(4):
          add(IP(src='10.0.0.1', dst='10.0.0.9') / ICMP(id=7, seq=i) / Raw('p' * 56))
          add(IP(src='10.0.0.9', dst='10.0.0.1') / ICMP(type=0, id=7, seq=i) / Raw('p' * 56))
      add(Dot1Q(vlan=42) / IPv6(src='2001:db8::1', dst='2001:db8::2') / UDP(sport=5000) / Raw('q'))
      lost = IP(src='10.0.0.1', dst='10.0.0.77') / UDP(sport=9, dport=9)
      add(lost); add(IP(src='10.0.0.254', dst='10.0.0.1') / ICMP(type=3, code=1) / lost)
      for part in fragment(IP(src='10.1.1.1', dst='10.1.1.2') / UDP() / Raw('z' * 3000), 1000):
          add(part)
      add(ARP())
      wrpcap(sys.argv[1], packets, nano=True)
      """;

  @Test
  void shouldKnowTheFlowsThatScapyMakes() throws Exception {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(
        Files.exists(Path.of("/usr/lib/python3/dist-packages/scapy")), "skipped: needs scapy");
    Path file = folder.resolve("known.pcap");
    run(python, "-c", KNOWN, file);
    Run run = Run.of("flows", file, "--json");
    assertThat(run.err()).contains("25 flows of ", " 1 packets not IP, 0 malformed");
    Map<String, JsonObject> flows = new TreeMap<>();
    for (JsonObject flow : FlowsTest.flows(run)) {
      flows.put(known(flow), flow);
    }
    for (int i = 0; i < 20; i++) {
      JsonObject flow = flows.get("10.0.0.1:" + (1000 + i));
      assertThat(number(flow, "packetDeltaCount")).isEqualTo(4 + i);
      assertThat(number(flow, "reversePacketDeltaCount")).isEqualTo(2 + i);
      assertThat(number(flow, "octetDeltaCount")).isEqualTo(40L * (4 + i) + 10L * i);
      assertThat(number(flow, "reverseOctetDeltaCount")).isEqualTo(40L * (2 + i) + 1000L * i);
      assertThat(number(flow, "tcpControlBits")).isEqualTo(i == 0 ? 0x13 : 0x1B);
      assertThat(number(flow, "minimumTTL")).isEqualTo(60);
      assertThat(number(flow, "reverseMaximumTTL")).isEqualTo(50);
      assertThat(number(flow, "flowEndReason")).isEqualTo(3);
    }
    assertThat(number(flows.get("10.0.0.1:10.0.0.9"), "icmpTypeCodeIPv4")).isEqualTo(0x800);
    assertThat(number(flows.get("10.0.0.1:10.0.0.9"), "reversePacketDeltaCount")).isEqualTo(4);
    assertThat(number(flows.get("2001:db8::1:5000"), "vlanId")).isEqualTo(42);
    assertThat(number(flows.get("10.0.0.254:10.0.0.1"), "icmpTypeCodeIPv4")).isEqualTo(0x301);
    assertThat(number(flows.get("10.1.1.1:10.1.1.2"), "octetDeltaCount")).isEqualTo(3008 + 4 * 20);
  }

  /** Its source and port, or without ports both ends. */
  private static String known(JsonObject flow) {
    String version = flow.has("sourceIPv4Address") ? "IPv4Address" : "IPv6Address";
    return text(flow, "source" + version)
        + ":"
        + text(
            flow,
            flow.has("sourceTransportPort") ? "sourceTransportPort" : "destination" + version);
  }

  /** As people do who analyse: sums over the columns of both. */
  @Test
  void shouldBeReadByPython() throws Exception {
    require("python3");
    Path lines = folder.resolve("flows.json");
    Files.writeString(
        lines, Run.of("flows", FlowsTest.MIXED, "--json").out(), StandardCharsets.UTF_8);
    String sums =
        run(
            "python3",
            "-c",
            """
            import json, sys
            flows = [json.loads(line) for line in open(sys.argv[1])]
            print(len(flows), *[sum(f.get(n, 0) for f in flows) for n in
                ('packetDeltaCount', 'reversePacketDeltaCount', 'octetDeltaCount', 'reverseOctetDeltaCount')])
            """,
            lines);
    Path parquet = folder.resolve("flows.parquet");
    assertThat(Run.of("flows", FlowsTest.MIXED, "--parquet", parquet).status()).isZero();
    String theirs =
        run(
            "python3",
            "-c",
            """
            import sys
            try:
                import pyarrow.parquet as parquet
            except ImportError:
                sys.exit(0)
            t = parquet.read_table(sys.argv[1])
            print(t.num_rows, *[sum(t[n].to_pylist()) for n in
                ('packetDeltaCount', 'reversePacketDeltaCount', 'octetDeltaCount', 'reverseOctetDeltaCount')])
            """,
            parquet);
    assertThat(sums).startsWith("268 ");
    assumeTrue(!theirs.isEmpty(), "skipped: needs pyarrow in Python");
    assertThat(theirs).isEqualTo(sums);
  }
}
