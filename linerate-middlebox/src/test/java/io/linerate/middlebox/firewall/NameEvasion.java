package io.linerate.middlebox.firewall;

import static io.linerate.middlebox.firewall.Client.bytes;
import static io.linerate.middlebox.firewall.Client.dns;
import static io.linerate.middlebox.firewall.Client.http;
import static io.linerate.middlebox.firewall.Client.inRecords;
import static io.linerate.middlebox.firewall.Client.tls;
import static io.linerate.middlebox.firewall.Client.withLength;

import io.linerate.graph.Graph;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.Tcp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** What becomes of connections that hide which host they ask for: a table of the page. */
final class NameEvasion {
  static final String RULES = "drop name evil.example,*.evil.example\nnonip pass";

  private static final String EVIL = "evil.example";
  private static final String GOOD = "good.example";

  private static final Client WEB = new Client(80);
  private static final Client TLS = new Client(443);
  private static final Client DNS = new Client(53);

  private NameEvasion() {}

  /**
   * A row of the table.
   *
   * @param before what opens the connection: by turns from inside and from outside
   * @param frames what comes from inside then; empty ones: the server acknowledges all
   */
  private record Row(String name, List<byte[]> before, List<byte[]> frames) {}

  private static Row opened(String name, Client client, byte[]... frames) {
    return new Row(
        name, List.of(client.syn(), client.synAck(0), client.ack()), Arrays.asList(frames));
  }

  private static Row row(String name, byte[]... frames) {
    return new Row(name, List.of(), Arrays.asList(frames));
  }

  private static byte[] request(String lines) {
    return bytes(lines.replace("|", "\r\n") + "\r\n\r\n");
  }

  private static Row asks(String name, byte[] request) {
    return opened(name, WEB, WEB.data(0, request));
  }

  private static Row asks(String name, Client client, byte[] bytes) {
    return opened(name, client, client.data(0, bytes));
  }

  /** One byte each, in an order. */
  private static byte[][] each(byte[] bytes, boolean isBackwards) {
    byte[][] frames = new byte[bytes.length][];
    for (int i = 0; i < bytes.length; i++) {
      int at = isBackwards ? bytes.length - 1 - i : i;
      frames[i] = WEB.data(bytes, at, at + 1);
    }
    return frames;
  }

  private static List<Row> rows() {
    return Stream.of(open(), segments(), decoys(), requests(), hellos(), questions(), beyond())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Row> open() {
    return List.of(
        asks("HTTP", http(EVIL)),
        asks("TLS", TLS, tls(EVIL)),
        asks("DNS over TCP", DNS, withLength(dns(EVIL))),
        row("DNS over UDP", DNS.datagram(dns(EVIL))),
        asks("HTTP, another name, for comparison", http(GOOD)),
        asks("HTTP on the port of TLS", TLS, http(EVIL)),
        asks("TLS on port 2222", new Client(2_222), tls(EVIL)),
        asks("DNS over TCP on port 5353", new Client(5_353), withLength(dns(EVIL))),
        asks("mixed case", http("eViL.eXaMpLe")),
        asks("a dot at the end", http("evil.example.")),
        asks("a name below", http("a.b.evil.example")));
  }

  private static List<Row> segments() {
    byte[] request = http(EVIL);
    byte[] hello = tls(EVIL);
    return List.of(
        opened("38 segments of a byte", WEB, each(request, false)),
        opened("38 segments of a byte, the last first", WEB, each(request, true)),
        opened("TLS in two", TLS, TLS.data(hello, 0, 90), TLS.data(hello, 90, hello.length)),
        opened(
            "TLS in two, the second before",
            TLS,
            TLS.data(hello, 90, hello.length),
            TLS.data(hello, 0, 90)),
        opened(
            "overlapping with the same bytes",
            WEB,
            WEB.data(request, 0, 30),
            WEB.data(request, 20, request.length)),
        opened(
            "again, when it was refused",
            WEB,
            WEB.data(0, request),
            WEB.data(0, request),
            WEB.data(0, http(GOOD))),
        new Row("in the SYN (TCP Fast Open: RFC 7413)", List.of(), List.of(WEB.syn(request))));
  }

  private static List<Row> decoys() {
    byte[] request = http(EVIL);
    byte[] other = http(GOOD);
    byte[] wrong = WEB.segment(0, other).tcp(tcp -> tcp.checksum(0x1234)).toBytes();
    byte[] urgent =
        WEB.segment(0, bytes("GET / HTTP/1.1\r\nHost: evilX.example\r\n\r\n"))
            .tcp(tcp -> tcp.flags(Tcp.ACK | Tcp.URG).urgentPointer(27))
            .toBytes();
    return List.of(
        opened(
            "overlapping with other bytes",
            WEB,
            WEB.data(other, 0, 30),
            WEB.data(request, 20, request.length)),
        opened(
            "beyond a gap other bytes before",
            WEB,
            WEB.data(other, 20, other.length),
            WEB.data(0, request)),
        opened(
            "another name before, which never gets there (low TTL, old timestamps)",
            WEB,
            WEB.data(0, other),
            WEB.data(0, request)),
        opened(
            "another protocol before, which never gets there",
            WEB,
            WEB.data(0, bytes("SSH-2.0-x\r\n")),
            WEB.data(0, request)),
        opened("another name before, with a wrong checksum", WEB, wrong, WEB.data(0, request)),
        opened(
            "another name before, outside of the window",
            WEB,
            WEB.data(-70_000, other),
            WEB.data(0, request)),
        opened("a byte that is urgent, and taken out", WEB, urgent),
        new Row(
            "another name before, in a SYN with another number",
            List.of(),
            List.of(WEB.syn(other), WEB.withIsn(90).syn(request))),
        row("of a connection that has not begun", WEB.data(0, request)));
  }

  private static List<Row> requests() {
    return List.of(
        asks("HTTP, a whole URI", request("GET http://evil.example/ HTTP/1.1|Host: evil.example")),
        asks("HTTP, CONNECT", request("CONNECT evil.example:443 HTTP/1.1|Host: evil.example:443")),
        asks("HTTP, blanks and empty lines", request("||GET  /  HTTP/1.1|HOST :  evil.example ")),
        asks("HTTP, Host twice", request("GET / HTTP/1.1|Host: good.example|Host: evil.example")),
        asks(
            "HTTP, a URI and another Host",
            request("GET http://evil.example/ HTTP/1.1|Host: good.example")),
        asks("HTTP, a line that goes on", request("GET / HTTP/1.1|Host:| evil.example")),
        asks("HTTP, a CR alone", request("GET / HTTP/1.1|X: y\rHost: evil.example")),
        asks("HTTP, a user before the host", request("GET http://x@evil.example/ HTTP/1.0")),
        asks("HTTP, percent encoding", request("GET / HTTP/1.1|Host: evil%2eexample")),
        opened("HTTP, Host behind 16 KiB", WEB, parts(bytes("GET / HTTP/1.1\r\nX: "))));
  }

  /** More than is looked at, in segments of 1,000 bytes, with this at the begin. */
  private static byte[][] parts(byte[] start) {
    byte[] all = new byte[17_000];
    Arrays.fill(all, (byte) 'x');
    System.arraycopy(start, 0, all, 0, start.length);
    byte[][] frames = new byte[17][];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = WEB.data(all, 1_000 * i, 1_000 * (i + 1));
    }
    return frames;
  }

  private static List<Row> hellos() {
    byte[] hello = tls(EVIL);
    byte[] alert = {21, 3, 1, 0, 2, 1, 90};
    byte[] late = new byte[alert.length + hello.length];
    System.arraycopy(alert, 0, late, 0, alert.length);
    System.arraycopy(hello, 0, late, alert.length, hello.length);
    return List.of(
        asks("TLS, in records of 20 bytes", TLS, inRecords(hello, 20)),
        asks("TLS, in records of a byte", TLS, inRecords(hello, 1)),
        asks("TLS, behind an alert", TLS, late),
        opened(
            "TLS, longer than 16 KiB",
            TLS,
            TLS.data(0, new byte[] {22, 3, 1, 64, 0, 1, 0, 80, 0})));
  }

  private static List<Row> questions() {
    byte[] pointer = dns("evil");
    pointer[17] = (byte) 0xC0; // In the place of the zero, and of the type's first byte.
    pointer[18] = 0x40;
    byte[] two = dns(GOOD);
    two[5] = 2;
    byte[] dot = dns(EVIL);
    dot[12] = (byte) EVIL.length(); // One label.
    dot[17] = '.';
    return List.of(
        row("DNS, a pointer forward", DNS.datagram(pointer)),
        row("DNS, two questions", DNS.datagram(two)),
        row("DNS, a dot within a label", DNS.datagram(dot)),
        asks("DNS over TCP, a dot within a label", DNS, withLength(dot)),
        row("DNS, a question cut off", DNS.datagram(Arrays.copyOf(dns(EVIL), 20))),
        opened(
            "DNS over TCP, its length alone",
            DNS,
            DNS.data(withLength(dns(EVIL)), 0, 2),
            DNS.data(withLength(dns(EVIL)), 2, 32)));
  }

  /** What is not looked at: see the page. */
  private static List<Row> beyond() {
    byte[] first = http(GOOD);
    return List.of(
        opened(
            "a second request in the same connection",
            WEB,
            WEB.data(0, first),
            new byte[0],
            WEB.data(first.length, http(EVIL))),
        asks("TLS without a name (or with an encrypted one)", TLS, tls("")),
        asks("HTTP/2 without TLS", request("PRI * HTTP/2.0||SM")),
        row("QUIC", TLS.datagram(bytes("\303\0\0\0\1evil.example"))));
  }

  private static String fate(Function<String, Graph> firewall, Row row) {
    try (ElementHarness harness = new ElementHarness(firewall.apply(RULES))) {
      for (int i = 0; i < row.before.size(); i++) {
        harness.pushTo(i % 2 == 0 ? "lan" : "wan", row.before.get(i));
      }
      harness.out("wan");
      Map<String, Long> before = harness.drops();
      int acknowledged = 0;
      for (byte[] frame : row.frames) {
        if (frame.length == 0) {
          harness.pushTo("wan", WEB.serverAck(acknowledged));
        } else {
          harness.pushTo("lan", frame);
          acknowledged += frame.length - 54;
        }
      }
      List<String> parts = new ArrayList<>();
      add(parts, harness.out("wan").size(), "out");
      harness
          .drops()
          .forEach(
              (reason, packets) -> add(parts, packets - before.getOrDefault(reason, 0L), reason));
      return String.join(", ", parts);
    }
  }

  private static void add(List<String> parts, long packets, String what) {
    if (packets > 0) {
      parts.add(packets == 1 ? what : packets + " " + what);
    }
  }

  /** The table. */
  static List<String> lines(Function<String, Graph> firewall) {
    List<String> lines = new ArrayList<>(List.of("## Names", "| packet | name |", "|---|---|"));
    rows().forEach(row -> lines.add("| " + row.name + " | " + fate(firewall, row) + " |"));
    return lines;
  }
}
