package io.linerate.apps.standby;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.replication.Primary;
import io.linerate.fabric.replication.TableLayout;
import io.linerate.program.run.Console;
import io.linerate.testkit.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StandbyRoleTest {
  private static final TableLayout LAYOUT = StandbyTables.layout("test", 1, 100);
  private static final Duration SOON = Duration.ofSeconds(30);

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
  private final Console console = new Console("test", print, print);

  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  private static FabricAddress free() {
    return FabricAddress.parse("fabric:tcp:127.0.0.1:" + FreePorts.inARow(1));
  }

  private StandbyRole role(FabricAddress address) {
    return new StandbyRole(address, LAYOUT, console, () -> {});
  }

  private static Primary primary(FabricAddress address) {
    return Primary.open(address, LAYOUT, new byte[Long.BYTES], _ -> {}, () -> {}).orElseThrow();
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private void awaitSaid(String text) throws InterruptedException {
    long start = System.nanoTime();
    while (!said().contains(text)) {
      assertThat(System.nanoTime() - start)
          .as("ns waited, said=%s", said())
          .isLessThan(SOON.toNanos());
      Thread.sleep(10);
    }
  }

  private static CompletableFuture<Optional<StandbyTables>> start(StandbyRole role) {
    return CompletableFuture.supplyAsync(
        role::awaitPrimary, task -> Thread.ofPlatform().daemon().start(task));
  }

  @Test
  void shouldTakeOverWhenThePrimaryHasEnded() throws InterruptedException {
    FabricAddress address = free();
    CompletableFuture<Optional<StandbyTables>> waiting;
    try (Primary _ = primary(address)) {
      waiting = start(role(address));
      awaitSaid("is a standby, in step with the primary");
    }
    try (StandbyTables tables = waiting.join().orElseThrow()) {
      assertThat(said()).contains("takes over: connections=0, primary=");
      assertThat(said()).doesNotContain("is old", "works without a standby");
      assertThat(tables.failures()).isEmpty();
    }
  }

  @Test
  void shouldNotTakeOverWhenItIsStopped() throws InterruptedException {
    FabricAddress address = free();
    try (Primary _ = primary(address)) {
      StandbyRole role = role(address);
      CompletableFuture<Optional<StandbyTables>> waiting = start(role);
      awaitSaid("is a standby, in step with the primary");
      role.stop();
      assertThat(waiting.join()).isEmpty();
      assertThat(said()).doesNotContain("takes over");
    }
  }

  /** Where the address is another host's, and nobody is there: reasons come in turns. */
  @Test
  void shouldSayOnceThatItWaitsForAPrimary() throws InterruptedException {
    StandbyRole role = role(FabricAddress.parse("fabric:tcp:192.0.2.7:7000"));
    CompletableFuture<Optional<StandbyTables>> waiting = start(role);
    awaitSaid("waits for a primary: address=fabric:tcp:192.0.2.7:7000");
    Thread.sleep(5_000); // Several rounds.
    role.stop();
    assertThat(waiting.join()).isEmpty();
    assertThat(said()).containsOnlyOnce("waits for a primary");
  }
}
