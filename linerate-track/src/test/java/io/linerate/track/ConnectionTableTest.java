package io.linerate.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.testkit.Soak;
import io.linerate.wire.FlowKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTableTest {
  private static final long SECOND = 1_000_000_000;
  private static final long START = -5 * SECOND;

  private final SplittableRandom random = new SplittableRandom(Soak.seed(14));
  private final FlowKey flow = new FlowKey();
  private final FlowKey reply = new FlowKey();

  /** A flow and where it leads to, for the oracle. */
  private record Known(long id, long expiresNs) {}

  private void choose(long id) {
    flow.protocol((id & 1) == 0 ? 4 : 6, 17);
    flow.source(0, id & 0xFFFF, (int) (id >>> 16) & 0xFFFF);
    flow.destination((id & 1) == 0 ? 0 : id >>> 32, (id >>> 32) & 0xFFFF_FFFFL, 80);
    reply.reverseOf(flow);
  }

  private ConnectionTable table(int capacity) {
    return new ConnectionTable(capacity, START, random);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 60, 1_000})
  @Tag("sampled")
  void shouldKnowWhatAMapKnows(int capacity) {
    ConnectionTable table = table(capacity);
    Map<Long, Known> known = new HashMap<>();
    Map<Integer, Long> ids = new HashMap<>();
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < 2 * capacity; i++) {
      all.add(random.nextLong());
    }
    long now = START;
    for (int i = Soak.times(100_000, 20_000_000); i > 0; i--) {
      now += random.nextLong(SECOND / 20);
      long id = all.get(random.nextInt(all.size()));
      choose(id);
      int place = table.find(flow);
      assertThat(place != ConnectionTable.NONE).isEqualTo(known.containsKey(id));
      assertThat(table.find(reply)).isEqualTo(place == ConnectionTable.NONE ? place : place + 1);
      if (place == ConnectionTable.NONE) {
        long expires = now + random.nextLong(3_000 * SECOND);
        int number = table.add(flow, reply, now, expires);
        if (table.evicted() > 0) {
          forgetEvicted(table, known, ids);
        }
        known.put(id, new Known(number, expires));
        ids.put(number, id);
      } else if (random.nextInt(4) == 0) {
        table.remove(place / 2);
        known.remove(id);
        ids.remove(place / 2);
      } else {
        long expires = now + random.nextLong(3_000 * SECOND);
        table.expireAt(place / 2, expires);
        known.put(id, new Known(place / 2, expires));
      }
      if (random.nextInt(50) == 0) {
        now += random.nextLong(1_000 * SECOND);
        expireAll(table, now, known, ids);
      }
      assertThat(table.size()).isEqualTo(known.size());
    }
    assertThat(table.added())
        .isEqualTo(table.size() + table.expired() + table.evicted() + removedByHand(table));
  }

  private static long removedByHand(ConnectionTable table) {
    return table.added() - table.size() - table.expired() - table.evicted();
  }

  /** Those that have made room are of the map no longer: any that no find finds. */
  private void forgetEvicted(
      ConnectionTable table, Map<Long, Known> known, Map<Integer, Long> ids) {
    FlowKey added = new FlowKey();
    added.reverseOf(reply);
    known
        .entrySet()
        .removeIf(entry -> {
          choose(entry.getKey());
          return table.find(flow) == ConnectionTable.NONE;
        });
    flow.reverseOf(added);
    reply.reverseOf(flow);
    flow.reverseOf(reply);
    ids.values().retainAll(known.keySet());
  }

  /** Within a second of its time, and never before. */
  private void expireAll(
      ConnectionTable table, long now, Map<Long, Known> known, Map<Integer, Long> ids) {
    while (table.expire(now, 7) > 0) {
      // The rest.
    }
    known
        .entrySet()
        .removeIf(entry -> {
          choose(entry.getKey());
          boolean isThere = table.find(flow) != ConnectionTable.NONE;
          long expires = entry.getValue().expiresNs;
          if (!isThere) {
            assertThat(expires).isLessThanOrEqualTo(now);
          } else {
            assertThat(expires).isGreaterThan(now - 2 * SECOND);
          }
          return !isThere;
        });
    ids.values().retainAll(known.keySet());
  }

  @Test
  void shouldKeepAssuredConnectionsWhenItIsFull() {
    ConnectionTable table = table(64);
    for (int i = 0; i < 64; i++) {
      choose(i);
      int number = table.add(flow, reply, START, START + 100 * SECOND);
      if (i != 20) {
        table.records().set(number, ConnectionRecords.ASSURED);
      }
    }
    int refused = 0;
    for (int i = 100; i < 200; i++) {
      choose(i);
      int number = table.add(flow, reply, START, START + 100 * SECOND);
      refused += number == ConnectionTable.NONE ? 1 : 0;
    }
    assertThat(table.size()).isEqualTo(64);
    assertThat(refused).isLessThan(100);
    assertThat(table.evicted()).isEqualTo(100 - refused);
    for (int i = 0; i < 64; i++) {
      choose(i);
      assertThat(table.find(flow) != ConnectionTable.NONE).isEqualTo(i != 20);
    }
  }

  @Test
  void shouldFindTranslatedConnectionsByBothFlows() {
    ConnectionTable table = table(8);
    choose(5);
    FlowKey translated = new FlowKey();
    translated.reverseOf(flow);
    translated.destination(0, 0xC0A8_0001L, 40_000);
    int number = table.add(flow, translated, START, START + SECOND);
    assertThat(table.find(flow)).isEqualTo(2 * number);
    assertThat(table.find(translated)).isEqualTo(2 * number + 1);
    assertThat(table.find(reply)).isEqualTo(ConnectionTable.NONE);
    table.remove(number);
    assertThat(table.find(flow)).isEqualTo(ConnectionTable.NONE);
    assertThat(table.find(translated)).isEqualTo(ConnectionTable.NONE);
  }

  @Test
  void shouldKeepWhatIsKnownOfAConnection() {
    ConnectionTable table = table(8);
    ConnectionRecords records = table.records();
    choose(0x1234_5678_9ABCL);
    int number = table.add(flow, reply, START + 1, START + SECOND);
    records.userFlags(number, -7);
    records.phase(number, Phase.UDP_ANSWERED);
    records.set(number, ConnectionRecords.ASSURED);
    records.mark(number, -9);
    records.count(2 * number, 60);
    records.count(2 * number + 1, 1_500);
    records.count(2 * number + 1, 1_500);
    for (int place : List.of(2 * number, 2 * number + 1)) {
      records.range(place, -1 - place, Integer.MIN_VALUE + place);
      records.acknowledged(place, -3 - place);
      records.window(place, 0xFFFF - place);
      records.tcpFlags(place, 0xFF - place);
      records.scale(place, 14 - place);
    }
    for (int place : List.of(2 * number, 2 * number + 1)) {
      assertThat(records.end(place)).isEqualTo(-1 - place);
      assertThat(records.most(place)).isEqualTo(Integer.MIN_VALUE + place);
      assertThat(records.acknowledged(place)).isEqualTo(-3 - place);
      assertThat(records.window(place)).isEqualTo(0xFFFF - place);
      assertThat(records.tcpFlags(place)).isEqualTo(0xFF - place);
      assertThat(records.scale(place)).isEqualTo(14 - place);
    }
    assertThat(records.userFlags(number)).isEqualTo(-7);
    assertThat(records.mark(number)).isEqualTo(-9);
    assertThat(records.phase(number)).isEqualTo(Phase.UDP_ANSWERED);
    assertThat(records.isAssured(number)).isTrue();
    assertThat(records.isReplied(number)).isFalse();
    assertThat(records.packets(2 * number)).isEqualTo(1);
    assertThat(records.bytes(2 * number + 1)).isEqualTo(3_000);
    assertThat(records.beganNs(number)).isEqualTo(START + 1);
    assertThat(records.sourcePort(2 * number)).isEqualTo(0x5678);
    assertThat(records.destinationPort(2 * number + 1)).isEqualTo(0x5678);
    assertThat(records.destinationLow(2 * number + 1)).isEqualTo(0x9ABC);
  }

  @Test
  void shouldSayWhatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table(7))
        .withMessageContainingAll("capacity=7", "8 to 67108864");
    ConnectionTable table = table(8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> table.remove(3))
        .withMessageContaining("no such connection: number=3");
    assertThatIllegalArgumentException().isThrownBy(() -> table.remove(8));
    assertThatIllegalArgumentException().isThrownBy(() -> table.remove(-1));
  }

  /** So that a search ends soon: after 1.2 words on average (Knuth 3, section 6.4). */
  @Test
  void shouldSpreadNeighboursOverTheIndex() {
    ConnectionTable table = table(65_536);
    int[] used = new int[256];
    for (int i = 0; i < 65_536; i++) {
      choose(i);
      used[(int) (table.hash(flow) >>> 32) & 0xFF]++;
    }
    for (int count : used) {
      assertThat(count).isBetween(128, 384); // 256 are expected, with a deviation of 16.
    }
  }
}
