package io.linerate.bench.firewall;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Rules files, and the addresses that they are about. */
final class RuleLines {
  private static final int FIRST_LINEAR = 0xC0A8_0000; // 192.168.0.0
  private static final int FIRST_EXACT = 0x0A00_0000; // 10.0.0.0
  private static final int EXACT_MASK = 0x00FF_FFFF;

  /** An odd number, so that no address comes twice: addresses look like random ones. */
  private static final int STEP = 0x9E37_79B1;

  /** More often the lengths that are met more often. */
  private static final int[] LENGTHS = {
    12, 16, 16, 18, 19, 20, 21, 22, 22, 23, 24, 24, 24, 24, 24, 24, 26, 28, 30, 32, 32, 32
  };

  private static final String[] PROTOCOLS = {"", "", "", "", " tcp", " udp"};

  private RuleLines() {}

  /**
   * Rules of pairs of addresses, which only a scan can find.
   *
   * @param isForwarded whether packets from 10.0.0.0/8 pass, or are dropped by the last rule
   */
  static List<String> linear(int count, boolean isForwarded) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count - 1; i++) {
      lines.add("drop " + address(FIRST_LINEAR + 2 * i) + "/31 tcp");
    }
    lines.add(
        isForwarded
            ? "drop " + address(FIRST_LINEAR + 2 * (count - 1)) + "/31 tcp"
            : "drop " + address(FIRST_EXACT) + "/8 udp");
    return lines;
  }

  /** Rules of one address each, all of which pass; nothing else does. */
  static List<String> exact(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add("pass " + address(exactAddress(i)) + " udp");
    }
    lines.add("default drop");
    return lines;
  }

  /**
   * Prefixes as in tables of networks, half of them inside others, one protocol in three: the
   * longest first, so that each can be met. All pass, as does everything else.
   */
  static List<Prefix> prefixes(int count) {
    Random random = new Random(count);
    Set<Prefix> prefixes = new LinkedHashSet<>();
    List<Prefix> known = new ArrayList<>();
    while (prefixes.size() < count) {
      int bits = LENGTHS[random.nextInt(LENGTHS.length)];
      int address = random.nextInt();
      if (!known.isEmpty() && random.nextBoolean()) {
        Prefix around = known.get(random.nextInt(known.size()));
        address = around.address | (address & ~mask(Math.min(around.bits, bits)));
      }
      String protocol = PROTOCOLS[random.nextInt(PROTOCOLS.length)];
      Prefix prefix = new Prefix(address & mask(bits), bits, protocol);
      if (prefixes.add(prefix)) {
        known.add(prefix);
      }
    }
    return prefixes.stream().sorted(Comparator.comparingInt(prefix -> -prefix.bits)).toList();
  }

  /** A prefix of 1 to 32 bits; its protocol as a rules file has it, or nothing. */
  record Prefix(int address, int bits, String protocol) {
    String line() {
      return "pass " + RuleLines.address(address) + "/" + bits + protocol;
    }

    boolean has(int other) {
      return (other & mask(bits)) == address;
    }

    /** One of its addresses. */
    int any(Random random) {
      return address | (random.nextInt() & ~mask(bits));
    }
  }

  private static int mask(int bits) {
    return bits == 0 ? 0 : -1 << (Integer.SIZE - bits);
  }

  /** The address of an exact rule, by its number. */
  static int exactAddress(int i) {
    return FIRST_EXACT + (i * STEP & EXACT_MASK);
  }

  /** The first address of a linear rule, by its number. */
  static int linearAddress(int i) {
    return FIRST_LINEAR + 2 * i;
  }

  private static String address(int bits) {
    return (bits >>> 24)
        + "."
        + (bits >>> 16 & 0xFF)
        + "."
        + (bits >>> 8 & 0xFF)
        + "."
        + (bits & 0xFF);
  }
}
