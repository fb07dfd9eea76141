package io.linerate.apps.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricException;
import io.linerate.fabric.Waiting;
import io.linerate.fabric.channel.ChannelHost;
import io.linerate.fabric.channel.ChannelSettings;
import io.linerate.program.run.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client and a server of one process, on a thread each. */
class FabricClientTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final FabricAddress address =
      FabricAddress.parse(
          "shm:lr-client-%d-%d".formatted(ProcessHandle.current().pid(), NAMES.incrementAndGet()));
  private final AtomicBoolean isStopped = new AtomicBoolean();
  private final AtomicBoolean isServerStopped = new AtomicBoolean();
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Console console =
      new Console(
          "test",
          new PrintStream(said, true, StandardCharsets.UTF_8),
          new PrintStream(said, true, StandardCharsets.UTF_8));
  private final List<SizeRow> rows = new ArrayList<>();
  private final List<Throwable> thrown = new ArrayList<>();
  private Thread server = new Thread(() -> {});

  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  @AfterEach
  void stop() throws InterruptedException {
    isServerStopped.set(true);
    server.join();
    assertThat(thrown).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMeasureWithTheSmallestWindow(boolean isPing) throws InterruptedException {
    serve(settings(2, 4096));
    client(2, 4096, SHORT, LONG).measure(isPing, List.of(4, 4096), rows);
    assertThat(rows).extracting(SizeRow::bytes).containsExactly(4, 4096);
    assertThat(rows).allSatisfy(row -> assertThat(row.messages()).isPositive());
  }

  /** The peer looks whether anybody is there, and answers nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldEndWhenStoppedWhileThePeerIsSilent(boolean isPing) throws InterruptedException {
    CountDownLatch accepted = new CountDownLatch(1);
    start(ready -> {
      try (ChannelHost host = ChannelHost.open(address, settings(4, 64)).listen()) {
        ready.countDown();
        while (!isServerStopped.get()) {
          host.await(Duration.ofMillis(10));
          host.accept().ifPresent(_ -> accepted.countDown());
        }
      }
    });
    Thread.ofPlatform()
        .start(() -> {
          try {
            accepted.await();
            isStopped.set(true);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    client(4, 64, SHORT, LONG).measure(isPing, List.of(64), rows);
    assertThat(rows).isEmpty();
  }

  @Test
  void shouldEndWithAMessageWhenThePeerStaysSilent() throws InterruptedException {
    start(ready -> {
      try (ChannelHost host = ChannelHost.open(address, settings(4, 64)).listen()) {
        ready.countDown();
        while (!isServerStopped.get()) {
          host.await(Duration.ofMillis(10));
        }
      }
    });
    assertThatThrownBy(() -> client(4, 64, SHORT, LONG).measure(true, List.of(64), rows))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("the peer does not answer: address=" + address + ", silent=");
    assertThat(said.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("warning: the peer does not answer: address=" + address);
  }

  @Test
  void shouldRefuseSizesThatThePeerHasNoMemoryForBeforeItMeasures() throws InterruptedException {
    serve(settings(4, 1024));
    FabricClient client = client(4, 4096, SHORT, LONG);
    assertThatThrownBy(() -> client.measure(true, List.of(4, 4096), rows))
        .isInstanceOf(FabricException.class)
        .hasMessage(
            "a message is too long for the peer: size=4096, limit=1024; leave it out of --sizes, or start 'linerate fabric serve' with --sizes 4096");
    assertThat(rows).isEmpty();
  }

  @Test
  void shouldMeasureTheLongestSize() throws InterruptedException {
    int longest = 16 << 20;
    serve(settings(64, longest));
    client(64, longest, SHORT, LONG).measure(false, List.of(longest), rows);
    assertThat(rows).extracting(SizeRow::bytes).containsExactly(longest);
  }

  /** A time for each size that is longer than all is cut, so that there is a result. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMeasureInTheTimeThereIs(boolean isPing) throws InterruptedException {
    serve(settings(64, 1024));
    client(64, 1024, LONG, Duration.ofSeconds(3)).measure(isPing, List.of(4, 1024), rows);
    assertThat(rows).extracting(SizeRow::bytes).containsExactly(4);
    assertThat(rows.getFirst().seconds()).isLessThan((double) LONG.toSeconds());
  }

  @Test
  void shouldKeepWhatWasMeasuredWhenThePeerEnds() throws InterruptedException {
    serve(settings(4, 64));
    FabricClient client = client(4, 64, Duration.ofMillis(20), LONG);
    List<Integer> sizes = java.util.Collections.nCopies(1_000_000, 4);
    Thread ending =
        Thread.ofPlatform()
            .start(() -> {
              while (client.done() < 2) {
                Thread.onSpinWait();
              }
              isServerStopped.set(true);
            });
    assertThatThrownBy(() -> client.measure(true, sizes, rows))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("the peer has ended the measurement: address=" + address);
    ending.join();
    assertThat(rows).hasSizeGreaterThanOrEqualTo(2);
  }

  private FabricClient client(int window, int longest, Duration each, Duration most) {
    MeasureLimit limit = new MeasureLimit(isStopped, System.nanoTime(), most);
    return new FabricClient(address, settings(window, longest), each, limit, console);
  }

  private static ChannelSettings settings(int window, int longest) {
    return FabricClient.settings(window, longest, Waiting.ADAPTIVE);
  }

  private void serve(ChannelSettings settings) throws InterruptedException {
    start(ready -> {
      MeasureLimit limit = new MeasureLimit(isServerStopped, System.nanoTime(), LONG);
      PrintStream out =
          new PrintStream(said, true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
              super.println(line);
              ready.countDown();
            }
          };
      new FabricServer(address, settings, limit, new Console("server", out, out)).serve(false);
    });
  }

  private interface Work {
    void run(CountDownLatch ready);
  }

  private void start(Work work) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    server =
        Thread.ofPlatform()
            .start(() -> {
              try {
                work.run(ready);
              } catch (RuntimeException e) {
                thrown.add(e);
              } finally {
                ready.countDown();
              }
            });
    ready.await();
  }
}
