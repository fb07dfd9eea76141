package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients can cost the server. */
class WebServerTest {
  private static final ServerLimits USUAL = ServerLimits.usual();
  private static final int MIB = 1 << 20;
  private static final int BODY_BYTES = 8 * MIB;

  /** More than there are places for requests, and fewer than connections. */
  private static final int MANY = 600;

  private final AccessToken token = AccessToken.random();
  private final RequestCounts counts = new RequestCounts();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Socket> sockets = new ArrayList<>();
  private final SharedAnswer shared = new SharedAnswer(() -> new byte[BODY_BYTES], () -> 0);
  private WebServer server;

  private void start(ServerLimits limits) {
    List<Route> routes =
        List.of(
            Route.get("/small", "", Call::done),
            Route.get("/shared", "", call -> call.json(shared)),
            Route.get("/own", "", call -> call.json(200, new byte[BODY_BYTES])),
            Route.get("/deep", "", call -> call.json(200, new byte[deep(1)])),
            Route.get(
                "/full",
                "",
                _ -> {
                  throw new OutOfMemoryError("no room");
                }));
    server =
        WebServer.start(
            new HttpAddress("127.0.0.1", 0), null, token, counts, routes, () -> {}, limits);
  }

  private static int deep(int depth) {
    return depth < 0 ? 0 : depth + deep(depth + 1) % 7;
  }

  private static ServerLimits limits(
      long answersBytes, long requestNs, long sliceNs, long othersPerS) {
    return new ServerLimits(USUAL.requestsAtOnce(), answersBytes, requestNs, sliceNs, othersPerS);
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    client.shutdownNow();
    client.close();
    server.close();
  }

  private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url()).resolve(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  /** Asks for something, and reads no more than the status. */
  private int ask(String path) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(1); // As small as the kernel lets it be.
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().port()));
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                .formatted(path)
                .getBytes(StandardCharsets.US_ASCII));
    return status(socket);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean() && System.nanoTime() < endNs) {
      Thread.sleep(10);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void shouldCompressWhatManyGetForThoseWhoTakeIt() throws Exception {
    start(USUAL);
    HttpResponse<byte[]> small = get("/shared", "Accept-Encoding", "br, gzip;q=0.5");
    assertThat(small.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(small.headers().firstValue("Vary")).hasValue("Accept-Encoding");
    assertThat(small.body()).hasSizeLessThan(BODY_BYTES / 100);
    try (InputStream whole = new GZIPInputStream(new ByteArrayInputStream(small.body()))) {
      assertThat(whole.readAllBytes()).isEqualTo(new byte[BODY_BYTES]);
    }
    for (String[] headers : new String[][] {{}, {"Accept-Encoding", "br, gzip;q=0"}}) {
      HttpResponse<byte[]> plain = get("/shared", headers);
      assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
      assertThat(plain.body()).hasSize(BODY_BYTES);
    }
    assertThat(get("/own", "Accept-Encoding", "gzip").body()).hasSize(BODY_BYTES);
  }

  @Test
  void shouldNotSendAgainWhatAClientHas() throws Exception {
    start(USUAL);
    for (String path : List.of("/shared", "/view/page.js")) {
      String tag = get(path).headers().firstValue("ETag").orElseThrow();
      HttpResponse<byte[]> again = get(path, "If-None-Match", "\"other\", " + tag);
      assertThat(again.statusCode()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.headers().firstValue("ETag")).hasValue(tag);
      assertThat(get(path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }
    assertThat(get("/shared").headers().firstValue("ETag"))
        .isNotEqualTo(get("/view/page.js").headers().firstValue("ETag"));
  }

  @Test
  void shouldServeOnWhateverAnAnswerRunsInto() throws Exception {
    start(USUAL);
    for (int i = 0; i < 3; i++) {
      HttpResponse<byte[]> deep = get("/deep");
      assertThat(deep.statusCode()).isEqualTo(500);
      assertThat(new String(deep.body(), StandardCharsets.UTF_8)).doesNotContain("StackOverflow");
      assertThat(get("/full").statusCode()).isEqualTo(503);
      assertThat(get("/small").statusCode()).isEqualTo(200);
    }
    assertThat(counts.refused()).isEqualTo(6);
  }

  @Test
  void shouldServeTheOwnerOfTheTokenWhenOthersAskTooMuch() throws Exception {
    start(limits(USUAL.answersBytes(), USUAL.requestNs(), USUAL.sliceNs(), 2));
    for (String wrong : List.of("Bearer", "Bearer wrong", "Bearer " + token.reveal() + "x")) {
      int status = 0;
      for (int i = 0; i < 1_000 && status != 429; i++) {
        status = get("/small", "Authorization", wrong).statusCode();
      }
      assertThat(status).isEqualTo(429);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(get("/small", "Authorization", "Bearer " + token.reveal()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void shouldSendManyTheSameBytes() throws Exception {
    start(limits(2L * BODY_BYTES, USUAL.requestNs(), USUAL.sliceNs(), USUAL.othersPerS()));
    get("/shared");
    long before = usedBytes();
    for (int i = 0; i < 100; i++) {
      assertThat(ask("/shared")).isEqualTo(200);
    }
    assertThat(server.heldBytes()).isEqualTo(BODY_BYTES);
    assertThat(usedBytes() - before).isLessThan(24L * MIB);
  }

  @Test
  void shouldBoundTheBytesThatNobodyReads() throws Exception {
    start(limits(4L * BODY_BYTES, USUAL.requestNs(), USUAL.sliceNs(), USUAL.othersPerS()));
    int refused = 0;
    for (int i = 0; i < 12; i++) {
      refused += ask("/own") == 503 ? 1 : 0;
      assertThat(server.heldBytes()).isLessThanOrEqualTo(3L * BODY_BYTES);
    }
    assertThat(refused).isEqualTo(9);
    HttpResponse<byte[]> owner = get("/own", "Authorization", "Bearer " + token.reveal());
    assertThat(owner.body()).hasSize(BODY_BYTES);
    for (Socket socket : sockets) {
      socket.close();
    }
    await(() -> server.heldBytes() == 0);
    assertThat(get("/own").body()).hasSize(BODY_BYTES);
  }

  @Test
  void shouldCutOffWhoDoesNotRead() throws Exception {
    start(limits(USUAL.answersBytes(), 3_000_000_000L, 3_000_000_000L, USUAL.othersPerS()));
    for (int i = 0; i < 100; i++) {
      assertThat(ask("/shared")).isEqualTo(200);
    }
    assertThat(ask("/shared")).isEqualTo(200);
    InputStream slow = sockets.getLast().getInputStream();
    Thread reader =
        Thread.ofVirtual()
            .start(() -> {
              try {
                while (slow.read() >= 0) {
                  Thread.sleep(1_000);
                }
              } catch (IOException | InterruptedException e) {
                // Its end.
              }
            });
    assertThat(get("/shared").body()).hasSize(BODY_BYTES); // Who reads is served meanwhile.
    await(() -> {
      server.enforceDeadlines();
      return counts.cutOff() == 101 && server.heldBytes() == 0;
    });
    assertThat(get("/shared").body()).hasSize(BODY_BYTES);
    reader.interrupt();
    reader.join();
  }

  /** As another user of the machine can: none of them is late yet. */
  @Test
  void shouldServeWhoAsksHoweverManySendHalfARequest() throws Exception {
    start(USUAL);
    for (int i = 0; i < MANY; i++) {
      send("GET /small HTTP/1.1\r\nHost: localhost\r\nX: ");
    }
    for (int i = 0; i < 50; i++) {
      assertThat(status("/small", "Authorization: Bearer " + token.reveal() + "\r\n"))
          .isEqualTo(200);
      assertThat(status("/small", "")).isEqualTo(200);
    }
    await(() -> {
      server.enforceDeadlines();
      return counts.cutOff() >= MANY - USUAL.requestsAtOnce();
    });
  }

  /** Each that is cut off comes again at once. */
  @Test
  void shouldServeTheOwnerHoweverManyConnectAgainAndAgain() throws Exception {
    start(USUAL);
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicLong connections = new AtomicLong();
    List<Thread> flood = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      flood.add(
          Thread.ofVirtual()
              .start(() -> {
                while (!isOver.get()) {
                  hold(connections);
                }
              }));
    }
    await(() -> connections.get() >= MANY);
    for (int i = 0; i < 43; i++) {
      server.enforceDeadlines();
      assertThat(status("/small", "Authorization: Bearer " + token.reveal() + "\r\n"))
          .as("request %d, connections=%d", i, connections.get())
          .isEqualTo(200);
    }
    isOver.set(true);
    server.close();
    for (Thread one : flood) {
      one.join();
    }
  }

  /** Sends half a request, and waits until the connection is closed. */
  private void hold(AtomicLong connections) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
      socket.getOutputStream().write("GET /small HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
      connections.incrementAndGet();
      int _ = socket.getInputStream().read();
    } catch (IOException e) {
      // It was cut off.
    }
  }

  @Test
  void shouldServeWhoAsksHoweverManyReadNothing() throws Exception {
    start(USUAL);
    for (int i = 0; i < MANY; i++) {
      assertThat(status("/shared", "")).isEqualTo(200);
    }
    assertThat(status("/small", "Authorization: Bearer " + token.reveal() + "\r\n")).isEqualTo(200);
    assertThat(status("/small", "")).isEqualTo(200);
  }

  @Test
  void shouldServeWhoAsksHoweverManyKeepTheBodyOfARefusedRequest() throws Exception {
    start(USUAL);
    for (int i = 0; i < MANY; i++) {
      Socket socket = send("POST /small HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n");
      assertThat(status(socket)).isEqualTo(405);
    }
    assertThat(status("/small", "Authorization: Bearer " + token.reveal() + "\r\n")).isEqualTo(200);
    assertThat(status("/small", "")).isEqualTo(200);
  }

  @Test
  void shouldCloseConnectionsOnWhichNothingComes() throws Exception {
    start(USUAL);
    Socket socket = send("");
    socket.setSoTimeout(25_000); // The JDK's own bound is 30 s.
    assertThat(socket.getInputStream().read()).isEqualTo(-1);
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port());
    sockets.add(socket);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** What a whole request on a connection of its own is answered with. */
  private int status(String path, String headers) throws IOException {
    return status(send("GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(path, headers)));
  }

  private static int status(Socket socket) throws IOException {
    byte[] status = socket.getInputStream().readNBytes(12);
    return Integer.parseInt(new String(status, StandardCharsets.US_ASCII).substring(9));
  }

  @Test
  void shouldCutOffWhoDoesNotAsk() throws Exception {
    start(limits(USUAL.answersBytes(), 200_000_000L, 3_000_000_000L, USUAL.othersPerS()));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
      socket.getOutputStream().write("GET /small HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
      await(() -> {
        server.enforceDeadlines();
        return counts.cutOff() == 1;
      });
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }
}
