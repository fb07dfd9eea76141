package io.linerate.middlebox.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.middlebox.rule.RulePacket;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.middlebox.rule.RulesFile;
import io.linerate.testkit.Soak;
import io.linerate.track.Relation;
import io.linerate.wire.Ipv4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables by source decide as a scan from the first rule to the last does. */
class SourceTableTest {
  private static final int PROTOCOL_SHIFT = 48;
  private static final int[] PROTOCOLS = {0, 6, 17, 255};

  private final Random random = new Random(Soak.seed(7));

  private static RuleSet parse(List<String> lines) {
    return RulesFile.parse("rules", String.join("\n", lines), _ -> {});
  }

  private static SourceTable table(RuleSet rules) {
    return SourceTable.of(rules).orElseThrow();
  }

  /** Few enough to be met again, near each other and far apart. */
  private int address(int size) {
    return (random.nextInt(4) == 0 ? 0x0A00_0000 : 0xC0A8_0000) + random.nextInt(2 * size);
  }

  private int protocol() {
    return PROTOCOLS[random.nextInt(PROTOCOLS.length)];
  }

  /**
   * @param prefixes one in so many names a prefix; 0: none does
   * @param protocols one in so many is for all protocols; 0: all are
   */
  private RuleSet rules(int size, int prefixes, int protocols) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      boolean isExact = prefixes == 0 || random.nextInt(prefixes) > 0;
      boolean isForAll = protocols == 0 || random.nextInt(protocols) > 0;
      String rule = random.nextInt(20) == 0 ? "drop 2001:db8::1" : "drop " + line(size, isExact);
      lines.add(rule + (isForAll ? "" : " proto " + protocol()));
    }
    return parse(lines);
  }

  private String line(int size, boolean isExact) {
    int bits = isExact ? 32 : random.nextInt(10) == 0 ? random.nextInt(25) : 24 + random.nextInt(8);
    return Ipv4Address.format(address(size)) + "/" + bits;
  }

  private static RulePacket packet(long key) {
    int protocol = (int) (key >>> PROTOCOL_SHIFT);
    return new RulePacket(
        "",
        "",
        RulePacket.UNTAGGED,
        0x0800,
        4,
        0,
        key & 0xFFFF_FFFFL,
        0,
        1,
        protocol,
        0,
        0,
        Relation.UNTRACKED);
  }

  private void check(RuleSet rules) {
    SourceTable table = table(rules);
    int count = 64;
    int rounds = Soak.times(10, 1_000);
    for (int round = 0; round < rounds; round++) {
      long[] keys = new long[count];
      for (int i = 0; i < count; i++) {
        boolean isKnown = random.nextInt(8) == 0;
        int address = address(rules.rules().size());
        keys[i] =
            isKnown ? -7 : Integer.toUnsignedLong(address) | ((long) protocol() << PROTOCOL_SHIFT);
      }
      int[] verdicts = new int[count];
      table.match(keys, count, verdicts);
      for (int i = 0; i < count; i++) {
        int expected = keys[i] < 0 ? -7 : rules.decide(packet(keys[i]));
        assertThat(verdicts[i]).as("key=%x", keys[i]).isEqualTo(expected);
      }
    }
  }

  @Test
  @Tag("sampled")
  void shouldDecideAsTheScanDoes() {
    for (int size : new int[] {1, 2, 8, 16, 17, 30, 100, 500}) {
      check(rules(size, 0, 3));
      check(rules(size, 0, 0));
      check(rules(size, 3, 3));
      check(rules(size, 2, 0));
    }
  }

  @Test
  void shouldFindEachOfManyAddressesAndNoOther() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      lines.add(Ipv4Address.format(2 * i));
    }
    SourceTable table = table(parse(lines));
    long[] keys = new long[256];
    int[] verdicts = new int[keys.length];
    for (int start = 0; start < 100_096; start += keys.length) {
      for (int i = 0; i < keys.length; i++) {
        keys[i] = (start + i) | 17L << PROTOCOL_SHIFT;
      }
      table.match(keys, keys.length, verdicts);
      for (int i = 0; i < keys.length; i++) {
        int address = start + i;
        boolean isNamed = address % 2 == 0 && address < 100_000;
        assertThat(verdicts[i]).isEqualTo(isNamed ? address / 2 : lines.size());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop to 10.0.0.1",
        "drop tcp port 80",
        "drop 10.0.0.1 tcp,udp",
        "pass in left",
        "pass vlan 1",
        "pass state new",
        "nonip pass arp",
        "drop ip6",
        "drop flags S/S",
      })
  void shouldLeaveRulesAboutMoreToOthers(String rule) {
    assertThat(SourceTable.of(parse(List.of("drop 10.0.0.1", rule)))).isEmpty();
  }
}
