package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that ask real servers by names, of which a firewall between them forbids some. */
class NamedFirewallTest {
  private static final String[] RULES = {
    "nonip pass arp",
    "reject name ads.example,*.ads.example",
    "pass state established,related",
    "pass in left state new",
    "default drop",
  };

  /** Answers each datagram by itself. */
  private static final String ECHO =
      """
      import socket
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.bind(('%s', 53))
      while True:
        data, sender = s.recvfrom(4096)
        s.sendto(data, sender)
      """
          .formatted(Wire.SERVER_ADDRESS);

  /**
   * Serves one connection after the other: one that was refused, and stayed open here, would keep
   * it from all others.
   */
  private static final String TLS_SERVER =
      """
      import http.server, ssl, sys
      class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
          self.send_response(200)
          self.send_header('Content-Length', '0')
          self.end_headers()
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[1], sys.argv[2])
      server = http.server.HTTPServer(('%s', 443), Handler)
      server.socket = context.wrap_socket(server.socket, server_side=True)
      server.serve_forever()
      """
          .formatted(Wire.SERVER_ADDRESS);

  private static final String QUESTION =
      """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.settimeout(5)
      s.connect(('%s', 53))
      name = b''.join(bytes([len(l)]) + l.encode() for l in sys.argv[1].split('.')) + b'\\0'
      try:
        s.send(b'\\1\\2\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0' + name + b'\\0\\1\\0\\1')
        print('answered' if s.recv(4096) else 'empty')
      except ConnectionRefusedError:
        print('refused')
      """
          .formatted(Wire.SERVER_ADDRESS);

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3", "openssl");
  }

  private Command startTls(HttpLab lab) {
    Path key = folder.resolve("key.pem");
    Path certificate = folder.resolve("certificate.pem");
    Command.run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=test",
        "-keyout",
        key.toString(),
        "-out",
        certificate.toString());
    List<String> words =
        List.of("python3", "-c", TLS_SERVER, certificate.toString(), key.toString());
    return Command.start(Command.in(lab.wire.server, words));
  }

  /** What curl says of an attempt by a name. */
  private static int curl(HttpLab lab, String scheme, String name, int port) {
    List<String> words =
        List.of(
            "curl",
            "-s",
            "-k",
            "-o",
            "/dev/null",
            "--max-time",
            "10",
            "--resolve",
            name + ":" + port + ":" + Wire.SERVER_ADDRESS,
            scheme + "://" + name + ":" + port + "/");
    return Command.status(Command.in(lab.wire.client, words).toArray(new String[0]));
  }

  private static String ask(HttpLab lab, String name) {
    List<String> words = List.of("python3", "-c", QUESTION, name);
    return Command.run(Command.in(lab.wire.client, words).toArray(new String[0])).strip();
  }

  private static void awaitTls(HttpLab lab) {
    for (int attempt = 0; curl(lab, "https", "good.example", 443) != 0; attempt++) {
      assertThat(attempt).as("attempts at the server of TLS").isLessThan(50);
      Command.pause(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"packet, 1", "packet, 2"})
  void shouldLetClientsAskForAllNamesButThoseThatAreForbidden(String scheme, int workers) {
    try (HttpLab lab = new HttpLab(folder, Wire.Offloads.ALL, "page");
        Command tls = startTls(lab);
        Command dns = Command.start(Command.in(lab.wire.server, List.of("python3", "-c", ECHO)));
        Command firewall =
            lab.startFirewall(
                scheme + ":" + Wire.LEFT,
                scheme + ":" + Wire.RIGHT,
                List.of("workers=" + workers),
                RULES)) {
      lab.ping();
      assertThat(lab.fetch()).isEqualTo("page\n");
      awaitTls(lab);
      List<Integer> good = new ArrayList<>();
      List<Integer> forbidden = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        good.add(curl(lab, "http", "good.example", 8_000));
        good.add(curl(lab, "https", "good.example", 443));
        forbidden.add(curl(lab, "http", "ADS.example", 8_000));
        forbidden.add(curl(lab, "https", "a.ads.example", 443));
        assertThat(ask(lab, "good.example")).isEqualTo("answered");
        assertThat(ask(lab, "b.ads.example")).isEqualTo("refused");
      }
      assertThat(good).containsOnly(0);
      assertThat(forbidden).as("resets: of HTTP 56, in TLS's handshake 35").containsOnly(56, 35);
      assertThat(tls.isAlive()).isTrue();
      assertThat(dns.isAlive()).isTrue();
      Summary summary = HttpLab.stop(firewall);
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      // Five of each protocol; of connections both ends are told.
      assertThat(summary.dropped().get("reported")).as(summary.json()).isEqualTo(25);
      assertThat(summary.dropped()).doesNotContainKeys("overlap", "name_hidden", "bad_checksum");
    }
  }
}
