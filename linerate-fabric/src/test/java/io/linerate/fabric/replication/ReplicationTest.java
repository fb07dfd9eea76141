package io.linerate.fabric.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Commands;
import io.linerate.fabric.Fabric;
import io.linerate.fabric.FabricAddress;
import io.linerate.fabric.FabricAddresses;
import io.linerate.fabric.OtherProgram;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.ChannelHost;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicationTest {
  private static final TableLayout LAYOUT = new TableLayout("test", 2, 3_000, 4);

  /** Takes longer to send than a thread needs to change some of it. */
  private static final TableLayout LARGE = new TableLayout("test", 1, 200_000, 4);

  private static final Duration SOON = Duration.ofSeconds(20);

  private static final byte[] NOTE = {1, 2, 3};

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final long[] words = new long[4];

  @BeforeEach
  void requireFabric() {
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  private Primary open(FabricAddress address) {
    return open(address, LAYOUT);
  }

  private Primary open(FabricAddress address, TableLayout layout) {
    return Primary.open(address, layout, NOTE, log::add, () -> {}).orElseThrow();
  }

  /** The third word follows from the others, so that one that is mixed of two is found. */
  private void write(Primary primary, int table, int record, long value) {
    words[0] = record;
    words[1] = value;
    words[2] = record * 31L + value * 7;
    words[3] = -1;
    primary.table(table).write(record, words);
  }

  private static Map<Integer, Long> read(Standby standby, int table) {
    Map<Integer, Long> read = new HashMap<>();
    standby.forEach(
        table,
        record -> {
          assertThat(record[2]).isEqualTo(record[0] * 31L + record[1] * 7);
          assertThat(record[3]).isEqualTo(-1);
          read.put((int) record[0], record[1]);
        });
    return read;
  }

  static void until(Standby standby, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as("ns waited").isLessThan(SOON.toNanos());
      standby.await(Duration.ofMillis(5));
    }
  }

  static void until(Standby standby, Standby.State state) {
    until(standby, () -> standby.await(Duration.ZERO) == state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp", "tcp+rxm"})
  void shouldHaveAllThatThePrimaryHasWritten(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    try (Standby standby = withAPrimaryThatEnds(address)) {
      until(standby, Standby.State.ALONE);
      assertThat(standby.hasData()).isTrue();
      assertThat(read(standby, 1)).hasSize(2_000).containsEntry(1_999, 6_999L);
    }
    String name = provider.equals("tcp+rxm") ? "" : "fabric:" + provider + ":[^~]+ from process ";
    assertThat(log).hasSize(1).first().asString().matches("a standby has come: " + name + ".+");
  }

  private Standby withAPrimaryThatEnds(FabricAddress address) {
    try (Primary primary = open(address)) {
      for (int i = 0; i < 1_000; i++) { // Before anybody is there.
        write(primary, i % 2, i, i);
      }
      Standby standby = Standby.open(address, LAYOUT);
      try {
        until(standby, Standby.State.IN_STEP);
        assertThat(standby.note()).isEqualTo(NOTE);
        assertThat(read(standby, 0)).hasSize(500).containsEntry(998, 998L);
        assertThat(read(standby, 1)).hasSize(500).containsEntry(999, 999L);
        for (int i = 0; i < 2_000; i++) {
          write(primary, 1, i, 5_000 + i);
        }
        until(standby, () -> read(standby, 1).getOrDefault(1_999, 0L) == 6_999);
        assertThat(read(standby, 1)).hasSize(2_000).containsEntry(0, 5_000L);
        assertThat(read(standby, 0)).hasSize(500);
        assertThat(primary.isInStep()).isTrue();
        return standby;
      } catch (AssertionError e) {
        standby.close();
        throw e;
      }
    }
  }

  /** Many more than can wait to be sent. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldCatchUpWithAPrimaryThatWritesFasterThanItIsSent(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    try (Primary primary = open(address);
        Standby standby = Standby.open(address, LAYOUT)) {
      until(standby, Standby.State.IN_STEP);
      for (int i = 0; i < 500_000; i++) {
        write(primary, 0, i % 3_000, i);
      }
      until(
          standby,
          () -> {
            Map<Integer, Long> all = read(standby, 0);
            return all.size() == 3_000 && all.values().stream().allMatch(value -> value >= 497_000);
          });
    }
  }

  /** Changes are under way all the time, and more than can wait. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldBeInStepWithAPrimaryThatNeverRests(String provider) throws InterruptedException {
    FabricAddress address = FabricAddresses.free(provider);
    AtomicBoolean isStopped = new AtomicBoolean();
    try (Primary primary = open(address, LARGE)) {
      for (int i = 0; i < LARGE.records(); i++) {
        write(primary, 0, i, i);
      }
      Thread writer =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                for (long i = 0; !isStopped.get(); i++) {
                  write(primary, 0, (int) (i % LARGE.records()), i);
                }
              });
      try (Standby standby = Standby.open(address, LARGE)) {
        until(standby, Standby.State.IN_STEP);
        assertThat(read(standby, 0)).hasSize(LARGE.records());
      } finally {
        isStopped.set(true);
        writer.join();
      }
    }
  }

  @Test
  void shouldTellThatTheAddressIsTaken() {
    for (String provider : List.of("shm", "tcp")) {
      FabricAddress address = FabricAddresses.free(provider);
      try (Primary _ = open(address)) {
        assertThat(Primary.open(address, LAYOUT, NOTE, log::add, () -> {})).isEmpty();
      }
      open(address).close(); // And that it is free again.
    }
  }

  @Test
  void shouldRefuseWhatIsSetOtherwise() {
    FabricAddress address = FabricAddresses.free("tcp");
    try (Primary _ = open(address);
        Standby standby = Standby.open(address, new TableLayout("test", 1, 3_000, 4))) {
      until(standby, Standby.State.REFUSED);
      assertThat(standby.reason())
          .isEqualTo(
              "the standby is not set as the primary is: tables of primary=2, of standby=1; give both the same");
      assertThat(standby.hasData()).isFalse();
    }
  }

  @Test
  void shouldHaveOneStandbyAtATime() {
    FabricAddress address = FabricAddresses.free("tcp");
    try (Primary primary = open(address)) {
      write(primary, 0, 1, 77);
      try (Standby one = Standby.open(address, LAYOUT)) {
        until(one, Standby.State.IN_STEP);
        try (Standby other = Standby.open(address, LAYOUT)) {
          until(other, Standby.State.BUSY);
          assertThat(other.reason()).startsWith("there is a standby: ");
        }
        assertThat(one.await(Duration.ZERO)).isEqualTo(Standby.State.IN_STEP);
      }
      long start = System.nanoTime();
      while (primary.isInStep()) {
        assertThat(System.nanoTime() - start).isLessThan(SOON.toNanos());
        Thread.onSpinWait();
      }
      try (Standby next = Standby.open(address, LAYOUT)) {
        until(next, Standby.State.IN_STEP);
        assertThat(read(next, 0)).containsEntry(1, 77L);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldCloseChannelsOfThoseWhoDoNotAsk(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    int channels = Primary.SETTINGS.channels();
    try (Primary _ = open(address);
        ChannelHost silent = ChannelHost.openTo(address, Primary.SETTINGS)) {
      List<Channel> all = Stream.generate(() -> silent.connect(address)).limit(channels).toList();
      long start = System.nanoTime();
      while (!all.stream().allMatch(each -> each.state() == Channel.State.ENDED)) {
        assertThat(System.nanoTime() - start).isLessThan(SOON.toNanos());
        silent.poll();
      }
      try (Standby standby = Standby.open(address, LAYOUT)) {
        until(standby, Standby.State.IN_STEP);
      }
    }
  }

  /** One process of this class writes and is killed, however it writes just then. */
  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void shouldHaveWholeRecordsOfAPrimaryThatWasKilled(String provider) {
    FabricAddress address = FabricAddresses.free(provider);
    try (OtherProgram primary = OtherProgram.start(ReplicationTest.class, address)) {
      primary.hear("writes");
      kill(primary, address);
    }
  }

  private void kill(OtherProgram primary, FabricAddress address) {
    try (Standby standby = Standby.open(address, LAYOUT)) {
      until(standby, Standby.State.IN_STEP);
      until(standby, () -> read(standby, 1).size() == 3_000);
      long before = read(standby, 1).get(2_999);
      primary.kill();
      primary.awaitEnd();
      until(standby, Standby.State.ALONE);
      Map<Integer, Long> last = read(standby, 1);
      assertThat(last).hasSize(3_000);
      assertThat(last.get(2_999)).isGreaterThanOrEqualTo(before);
      try (Primary next = open(address)) { // What it has left is in nobody's way.
        assertThat(next.isInStep()).isFalse();
      }
    }
  }

  /** Writes until it is killed. */
  public static void main(String[] args) {
    Commands _ = new Commands(); // It ends with the test.
    ReplicationTest test = new ReplicationTest();
    try (Primary primary = test.open(FabricAddress.parse(args[0]))) {
      System.out.println("writes");
      System.out.flush();
      for (long value = 0; value < Long.MAX_VALUE; value++) {
        test.write(primary, 1, (int) (value % 3_000), value);
        if (value % 100 == 0) {
          java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
      }
    }
  }
}
