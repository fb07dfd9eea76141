package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real HTTP client and a real server on a {@link Wire}, and a firewall to put between them. */
final class HttpLab implements AutoCloseable {
  static final String PAGE = "page.txt";

  /** File beside the pages: while it is there, they are sent at 25 kB/s. */
  static final String SLOWLY = "slowly";

  /**
   * Python's own command lets five wait, and forgets others on a slow machine; it also asks for its
   * name, which nobody answers. While there is a file {@link #SLOWLY}, pages are sent slowly.
   */
  private static final String FILES =
      """
      import functools, http.server, os, socket, socketserver, sys, time
      class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 1024
        address_family = socket.AF_INET6 if ':' in sys.argv[1] else socket.AF_INET
        def server_bind(self):
          socketserver.TCPServer.server_bind(self)
          self.server_name, self.server_port = self.server_address[:2]
      class Files(http.server.SimpleHTTPRequestHandler):
        def copyfile(self, source, out):
          more = True
          while more:
            slowly = os.path.exists(os.path.join(*sys.argv[2:]))
            more = source.read(4096 if slowly else 65536)
            out.write(more)
            time.sleep(0.16 if slowly else 0)
      files = functools.partial(Files, directory=sys.argv[2])
      server = Server((sys.argv[1], 8000), files)
      print('serving', file=sys.stderr, flush=True)
      server.serve_forever()
      """;

  private static final int ATTEMPTS = 150;
  private static final String URL = "http://" + Wire.SERVER_ADDRESS + ":8000/" + PAGE;

  final Wire wire;
  private final Path folder;
  private final Command server;

  /** Starts the server, which has one page. */
  HttpLab(Path folder, Wire.Offloads offloads, String content) {
    this.folder = folder;
    Lab.write(folder.resolve(PAGE), content);
    wire = new Wire(offloads);
    try {
      server = serve(wire.server, Wire.SERVER_ADDRESS);
    } catch (RuntimeException | AssertionError e) {
      wire.close();
      throw e;
    }
  }

  private Command serve(String namespace, String address) {
    return serve(namespace, address, folder);
  }

  /** Serves the files of a folder at port 8000 to as many as ask at once. */
  static Command serve(String namespace, String address, Path folder) {
    List<String> words = List.of("python3", "-u", "-c", FILES, address, folder.toString(), SLOWLY);
    Command server = Command.start(Command.in(namespace, words));
    server.awaitError(said -> said.contains("serving"));
    return server;
  }

  /** The same page at the client. */
  Command serveAtTheClient() {
    return serve(wire.client, Wire.CLIENT_ADDRESS);
  }

  /** Starts a firewall in the middle, that need not be up when this returns. */
  Command startFirewall(String left, String right, List<String> settings, String... rules) {
    Path rulesFile = Lab.write(folder.resolve("rules"), rules);
    List<String> lines =
        new ArrayList<>(List.of("ports=left=" + left + "; right=" + right, "rules=" + rulesFile));
    lines.addAll(settings);
    Path config = Lab.write(folder.resolve("firewall.properties"), lines.toArray(new String[0]));
    return Command.start(
        Command.in(wire.middle, Command.linerate("firewall", config.toString(), "--json")));
  }

  /** Fetches the page, trying again while the firewall and the server start. */
  String fetch() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (curlStatus("30") == 0) {
        List<String> words = List.of("curl", "-s", "-S", "--max-time", "120", URL);
        return Command.run(Command.in(wire.client, words).toArray(new String[0]));
      }
      Command.pause(200);
    }
    throw new AssertionError("client never reached the server: url=" + URL);
  }

  /** What curl says of an attempt: 28 is a timeout. */
  int curlStatus(String maxTimeSeconds) {
    return curlStatus(wire.client, Wire.SERVER_ADDRESS, maxTimeSeconds);
  }

  /** Of an attempt of the server, which the page of {@link #serveAtTheClient} would answer. */
  int curlStatusOfTheServer() {
    return curlStatus(wire.server, Wire.CLIENT_ADDRESS, "10");
  }

  /** Of an attempt of the client at its own page. */
  int curlStatusInside() {
    return curlStatus(wire.client, Wire.CLIENT_ADDRESS, "10");
  }

  private static int curlStatus(String namespace, String address, String maxTimeSeconds) {
    List<String> words =
        List.of(
            "curl",
            "-s",
            "-o",
            "/dev/null",
            "--connect-timeout",
            "2",
            "--max-time",
            maxTimeSeconds,
            "http://" + address + ":8000/" + PAGE);
    return Command.status(Command.in(namespace, words).toArray(new String[0]));
  }

  /**
   * Pings the server until it answers: ping itself gives up when nobody answers its ARP request.
   */
  void ping() {
    List<String> words = List.of("ping", "-q", "-c", "1", "-W", "1", Wire.SERVER_ADDRESS);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (Command.status(Command.in(wire.client, words).toArray(new String[0])) == 0) {
        return;
      }
      Command.pause(200);
    }
    throw new AssertionError("client never reached the server: address=" + Wire.SERVER_ADDRESS);
  }

  boolean isServing() {
    return server.isAlive();
  }

  /** Ends a firewall in good order. */
  static Summary stop(Command firewall) {
    firewall.terminate();
    assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
    return new Summary(firewall.output());
  }

  @Override
  public void close() {
    try (wire) {
      server.close();
    }
  }
}
