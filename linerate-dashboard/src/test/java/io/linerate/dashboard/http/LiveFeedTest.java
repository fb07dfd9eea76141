package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
              Route.get("/0", "", call -> feeds.get(0).serve(call, "state", state)),
              Route.get("/1", "", call -> feeds.get(1).serve(call, "state", state))),
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
