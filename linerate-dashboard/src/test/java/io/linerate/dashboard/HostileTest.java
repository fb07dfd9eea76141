package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.testkit.Soak;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that nobody should make: they are refused and counted, and nothing else happens. */
class HostileTest {
  private static final int MANY = 10_000;
  private static final long HUGE_BYTES = 100L << 20;

  /** Every change that there is, as good as it can be. */
  private static final List<String[]> CHANGES =
      List.of(
          new String[] {"POST", "/api/workers", "{}"},
          new String[] {"DELETE", "/api/workers/0", ""},
          new String[] {
            "POST", "/api/queues/move", "{\"port\": \"in\", \"queue\": 0, \"worker\": 0}"
          },
          new String[] {"POST", "/api/queues/spread", "{}"},
          new String[] {"POST", "/api/stop", "{}"},
          new String[] {"PUT", "/api/handlers/count/packets", "{\"value\": \"1\"}"},
          new String[] {
            "POST",
            "/api/taps",
            "{\"edge\": {\"from\": \"from\", \"output\": \"out\", \"to\": \"count\", \"input\": \"in\"},"
                + " \"packets\": 1000}"
          });

  @TempDir Path folder;
  private WatchedRun run;
  private long refusedBefore;

  @BeforeEach
  void start() throws Exception {
    run = new WatchedRun(folder);
    refusedBefore = refused();
  }

  @AfterEach
  void end() {
    run.close();
  }

  private long http(String name) throws Exception {
    return run.state().getAsJsonObject("http").get(name).getAsLong();
  }

  private long refused() throws Exception {
    return http("refused");
  }

  /** The program is as it was, and all its packets are accounted for. */
  private void assertThatNothingHappened(long refusals) throws Exception {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    do {
      Thread.sleep(1_100); // A state is served again for a second.
    } while (refused() - refusedBefore < refusals && System.nanoTime() < endNs);
    assertThat(refused() - refusedBefore).isEqualTo(refusals);
    JsonObject state = run.state();
    assertThat(state.getAsJsonArray("elements")).hasSize(3);
    assertThat(state.getAsJsonArray("workers")).hasSize(1);
    assertThat(state.getAsJsonArray("taps")).isEmpty();
    assertThat(run.engine.queues().getFirst().worker()).isZero();
    run.engine.stop();
    assertThat(run.engine.awaitEnd(60_000)).isTrue();
    PacketCounts packets = run.engine.summary().packets();
    assertThat(packets.isConserved()).isTrue();
    assertThat(packets.dropped()).containsOnlyKeys("consumed");
    assertThat(run.engine.summary().failures()).isEmpty();
  }

  @Test
  void shouldRefuseChangesWithoutTheToken() throws Exception {
    for (String[] change : CHANGES) {
      HttpRequest.Builder request = run.request(change[0], change[1], change[2]);
      assertThat(run.send(request).statusCode()).as(change[1]).isEqualTo(401);
      for (String wrong : List.of("Bearer", "Basic " + run.dashboard.token().reveal())) {
        request = run.request(change[0], change[1], change[2]).header("Authorization", wrong);
        assertThat(run.send(request).statusCode()).as(change[1]).isEqualTo(401);
      }
      String nearly = "Bearer " + run.dashboard.token().reveal().substring(1);
      request = run.request(change[0], change[1], change[2]).header("Authorization", nearly);
      assertThat(run.send(request).statusCode()).as(change[1]).isEqualTo(403);
    }
    assertThatNothingHappened(4L * CHANGES.size());
  }

  @Test
  void shouldRefuseWhatAPageOfAnotherOriginAsksFor() throws Exception {
    String token = "Bearer " + run.dashboard.token().reveal();
    for (String[] change : CHANGES) {
      for (String origin : List.of("http://evil.example", "null", "https://127.0.0.1")) {
        HttpResponse<String> response =
            run.send(
                run.request(change[0], change[1], change[2])
                    .header("Authorization", token)
                    .header("Origin", origin));
        assertThat(response.statusCode()).as(change[1]).isEqualTo(403);
      }
    }
    HttpResponse<String> read =
        run.send(
            HttpRequest.newBuilder(run.uri("/api/state")).header("Origin", "http://evil.example"));
    assertThat(read.statusCode()).isEqualTo(403);
    assertThat(read.headers().map()).doesNotContainKey("access-control-allow-origin");
    assertThatNothingHappened(3L * CHANGES.size() + 1);
  }

  @Test
  void shouldNotAnswerToANameThatIsNotItsOwn() throws Exception {
    String request = "GET /api/state HTTP/1.1\r\n%sConnection: close\r\n\r\n";
    assertThat(raw(request.formatted("Host: evil.example\r\n"))).startsWith("HTTP/1.1 421 ");
    assertThat(raw(request.formatted("Host: 127.0.0.1.evil.example:80\r\n")))
        .startsWith("HTTP/1.1 421 ");
    assertThat(raw(request.formatted(""))).startsWith("HTTP/1.1 421 ");
    assertThat(raw(request.formatted("Host: a\r\nHost: b\r\n"))).startsWith("HTTP/1.1 400 ");
    assertThat(raw(request.formatted("Host: localhost:1\r\n"))).startsWith("HTTP/1.1 200 ");
    assertThat(raw(request.formatted("Host: [::1]\r\n"))).startsWith("HTTP/1.1 200 ");
    assertThatNothingHappened(4);
  }

  @Test
  void shouldRefuseWhatIsNoJson() throws Exception {
    String token = "Bearer " + run.dashboard.token().reveal();
    HttpRequest.Builder form =
        HttpRequest.newBuilder(run.uri("/api/workers"))
            .header("Authorization", token)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("{}"));
    assertThat(run.send(form).statusCode()).isEqualTo(415);
    List<String> bodies =
        List.of("", "null", "[]", "{", "{} {}", "{\"a\": 1}", "[".repeat(50_000), "\u0000");
    for (String body : bodies) {
      HttpResponse<String> response = run.change("POST", "/api/workers", body);
      assertThat(response.statusCode()).as(body).isEqualTo(400);
      assertThat(response.body()).doesNotContain("Exception", "\\tat ", "gson");
    }
    assertThatNothingHappened(1L + bodies.size());
  }

  @Test
  void shouldNotReadAHundredMegabytes() throws Exception {
    long before = usedBytes();
    for (String path : List.of("POST /api/workers", "PUT /api/handlers/count/packets")) {
      for (String token : List.of("nobody", run.dashboard.token().reveal())) {
        String head =
            path
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer "
                + token
                + "\r\n";
        assertThat(sentOf(head + "Content-Length: " + HUGE_BYTES + "\r\n\r\n", HUGE_BYTES))
            .isLessThan(HUGE_BYTES / 2);
        assertThat(sentOf(head + "Transfer-Encoding: chunked\r\n\r\n6400000\r\n", HUGE_BYTES))
            .isLessThan(HUGE_BYTES / 2);
      }
    }
    assertThat(usedBytes() - before).isLessThan(HUGE_BYTES / 2);
    assertThatNothingHappened(8);
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Sends bytes until the server does not want more; returns how many it let itself be sent. */
  private long sentOf(String head, long bytes) throws IOException {
    byte[] some = new byte[1 << 16];
    long sent = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), run.uri("/").getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.UTF_8));
      while (sent < bytes) {
        out.write(some);
        sent += some.length;
      }
    } catch (IOException e) {
      // It has closed the connection: that is what is wanted.
    }
    return sent;
  }

  @Test
  @Tag("sampled")
  void shouldSurviveRandomBytes() throws Exception {
    Random random = new Random(Soak.seed(6));
    long before = http("unreadable");
    int tries = Soak.times(300, 10_000);
    for (int i = 0; i < tries; i++) {
      byte[] bytes = new byte[1 + random.nextInt(400)];
      random.nextBytes(bytes);
      raw(bytes);
      raw(
          ("GET " + new String(bytes, StandardCharsets.ISO_8859_1) + " HTTP/1.1\r\n\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      raw(
          ("POST /api/workers HTTP/1.1\r\n" + new String(bytes, StandardCharsets.ISO_8859_1))
              .getBytes(StandardCharsets.ISO_8859_1));
    }
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    long counted = 0;
    while (counted < 3L * tries && System.nanoTime() < endNs) {
      Thread.sleep(10); // A client sees the end before it is counted.
      counted = http("unreadable") - before + refused() - refusedBefore;
    }
    assertThat(counted).isGreaterThanOrEqualTo(3L * tries);
    Thread.sleep(1_100);
    refusedBefore = refused();
    assertThatNothingHappened(0);
  }

  @Test
  void shouldRefuseTenThousandInARow() throws Exception {
    Set<Integer> statuses = new TreeSet<>();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int request = 0; request < MANY / 4; request++) {
                  String status =
                      status(
                          "POST /api/workers HTTP/1.1\r\nHost: localhost\r\n"
                              + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
                  synchronized (statuses) {
                    statuses.add(Integer.parseInt(status));
                  }
                }
              }));
    }
    for (Thread client : clients) {
      client.join(TimeUnit.SECONDS.toMillis(600));
    }
    assertThat(statuses).isSubsetOf(401, 429).contains(401);
    Thread.sleep(1_100); // It lets more in again.
    assertThatNothingHappened(MANY);
  }

  private String status(String request) {
    try {
      return raw(request).substring(9, 12);
    } catch (IOException e) {
      return "0";
    }
  }

  private String raw(String request) throws IOException {
    return raw(request.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends bytes, and reads all that comes. */
  private String raw(byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), run.uri("/").getPort())) {
      socket.getOutputStream().write(request);
      socket.shutdownOutput();
      try (InputStream in = socket.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      }
    } catch (SocketException e) {
      return ""; // It was cut off.
    }
  }
}
