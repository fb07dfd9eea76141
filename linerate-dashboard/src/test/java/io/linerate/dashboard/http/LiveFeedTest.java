package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Those who look on at several feeds of one server. */
class LiveFeedTest {
  private static final int MOST_OF_OTHERS = 192;

  private final AccessToken token = AccessToken.random();
  private final LivePlaces places = new LivePlaces();
  private final List<LiveFeed> feeds = List.of(new LiveFeed(places), new LiveFeed(places));
  private final List<Socket> sockets = new ArrayList<>();
  private final SharedAnswer state = new SharedAnswer(() -> new byte[] {'{', '}'});
  private final WebServer server =
      WebServer.start(
          new HttpAddress("127.0.0.1", 0),
          null,
          token,
          new RequestCounts(),
          List.of(
              Route.get("/0", "", call -> feeds.get(0).serve(call, false, state)),
              Route.get("/1", "", call -> feeds.get(1).serve(call, false, state)),
              Route.get("/2", "", call -> feeds.get(0).serve(call, true, state))),
          () -> {});

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.close();
  }

  private int look(int feed, String headers) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().port());
    sockets.add(socket);
    String request = "GET /%d HTTP/1.1\r\nHost: localhost\r\n%s\r\n".formatted(feed, headers);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    byte[] status = socket.getInputStream().readNBytes(12);
    return Integer.parseInt(new String(status, StandardCharsets.US_ASCII).substring(9));
  }

  /** Reads the events that a client is sent, as lines, until there are so many of them. */
  private static List<String> events(Socket socket, int count) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    List<String> events = new ArrayList<>();
    while (events.size() < count) {
      String line = lines.readLine();
      if (line.startsWith("event: ")) {
        events.add(
            line.substring("event: ".length())
                + " "
                + lines.readLine().substring("data: ".length()));
      }
    }
    return events;
  }

  @Test
  void shouldSendWhatHasChangedToThoseWhoTakeIt() throws Exception {
    look(2, "");
    look(0, "");
    await(() -> feeds.get(0).clients() == 2);
    for (String json :
        List.of("{\"a\":1,\"b\":[1,2]}", "{\"a\":2,\"b\":[1,2]}", "{\"a\":2,\"b\":[1,3]}")) {
      Thread.sleep(100); // For the clients to have read the one before.
      feeds.get(0).publish(new Body(json.getBytes(StandardCharsets.US_ASCII)));
    }
    assertThat(events(sockets.get(0), 4))
        .startsWith("state {}", "state {\"a\":1,\"b\":[1,2]}")
        .endsWith("change {\"b\":{\"1\":3}}");
    assertThat(events(sockets.get(1), 4)).allMatch(event -> event.startsWith("state "));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean() && System.nanoTime() < endNs) {
      Thread.sleep(10);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void shouldHaveOneBoundForAllFeedsOfAServer() throws Exception {
    for (int i = 0; i < MOST_OF_OTHERS; i++) {
      assertThat(look(i % 2, "")).isEqualTo(200);
    }
    assertThat(look(0, "")).isEqualTo(503);
    assertThat(look(1, "")).isEqualTo(503);
    assertThat(look(1, "Authorization: Bearer " + token.reveal() + "\r\n")).isEqualTo(200);
    assertThat(places.taken()).isEqualTo(MOST_OF_OTHERS + 1);

    feeds.get(0).close();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (places.taken() > MOST_OF_OTHERS / 2 + 1 && System.nanoTime() < endNs) {
      Thread.sleep(10);
    }
    assertThat(places.taken()).isEqualTo(MOST_OF_OTHERS / 2 + 1);
    assertThat(look(1, "")).isEqualTo(200);
  }
}
