package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.SampleUnit;
import io.linerate.core.statistics.PacketCounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred look on, and one of them reads a byte a second. */
class ManyClientsTest {
  private static final int CLIENTS = 100;
  private static final int EVENTS = 3;
  private static final long MOST_BYTES = 48L << 20;

  private static final int RULES = 20_000;
  private static final int SILENT = 300;

  private static final byte[] STATE_REQUEST =
      "GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] REQUEST =
      "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  @Test
  void shouldServeAllWithinBoundsWhateverOneOfThemDoes() throws Exception {
    List<Thread> clients = new ArrayList<>();
    CountDownLatch served = new CountDownLatch(CLIENTS);
    try (WatchedRun run = new WatchedRun(folder);
        Socket slow = new Socket()) {
      run.state(); // What is loaded once does not count.
      long before = usedBytes();
      slow.setReceiveBufferSize(1); // As small as the kernel lets it be.
      slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(run)));
      slow.getOutputStream().write(REQUEST);
      clients.add(Thread.ofVirtual().start(() -> readSlowly(slow)));
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Thread.ofVirtual().start(() -> readEvents(port(run), served)));
      }
      assertThat(served.await(300, TimeUnit.SECONDS)).as("%s left", served).isTrue();
      assertThat(run.state().getAsJsonObject("http").get("clients").getAsInt()).isPositive();
      assertThat(usedBytes() - before).isLessThan(MOST_BYTES);
      run.engine.stop();
      assertThat(run.engine.awaitEnd(60_000)).isTrue();
      PacketCounts packets = run.engine.summary().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.dropped()).containsOnlyKeys("consumed");
    }
    for (Thread client : clients) {
      client.join(TimeUnit.SECONDS.toMillis(120));
      assertThat(client.isAlive()).isFalse();
    }
  }

  /** Each of the answers is some MB long; without bounds they would take a gigabyte. */
  @Test
  void shouldHoldOneStateForAllWhoDoNotReadIt() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try (WatchedRun run = new WatchedRun(folder)) {
      run.engine.source(sink -> {
        for (int i = 0; i < RULES; i++) {
          String rule = "drop 10.%d.%d.%d".formatted(i >> 16, i >> 8 & 0xFF, i & 0xFF);
          String index = String.valueOf(i);
          sink.counter(
              "linerate_rule_hits_total",
              SampleUnit.PACKETS,
              i,
              "index",
              index,
              "line",
              index,
              "fixed",
              "false",
              "rule",
              rule);
        }
      });
      assertThat(run.state().getAsJsonArray("rules")).hasSize(RULES);
      long before = usedBytes();
      for (int i = 0; i < SILENT; i++) {
        Socket socket = new Socket();
        silent.add(socket);
        socket.setReceiveBufferSize(1);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(run)));
        boolean isLive = i % 2 == 0;
        socket.getOutputStream().write(isLive ? REQUEST : STATE_REQUEST);
        assertThat(socket.getInputStream().readNBytes(12)).isNotEmpty();
      }
      assertThat(usedBytes() - before).isLessThan(MOST_BYTES);
      assertThat(run.state().getAsJsonArray("rules")).hasSize(RULES);
      run.engine.stop();
      assertThat(run.engine.awaitEnd(60_000)).isTrue();
      PacketCounts packets = run.engine.summary().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.dropped()).containsOnlyKeys("consumed");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private static int port(WatchedRun run) {
    return run.uri("/").getPort();
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void readSlowly(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      while (in.read() >= 0) {
        Thread.sleep(1_000);
      }
    } catch (IOException | InterruptedException e) {
      // Its end.
    }
  }

  private static void readEvents(int port, CountDownLatch served) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      socket.getOutputStream().write(REQUEST);
      int events = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("event: state") && ++events == EVENTS) {
          served.countDown();
        }
      }
    } catch (IOException e) {
      // The server has gone.
    }
  }
}
