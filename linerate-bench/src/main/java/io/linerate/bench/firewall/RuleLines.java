package io.linerate.bench.firewall;

import java.util.ArrayList;
import java.util.List;

/** Rules files, and the addresses that they are about. */
final class RuleLines {
  private static final int FIRST_LINEAR = 0xC0A8_0000; // 192.168.0.0
  private static final int FIRST_EXACT = 0x0A00_0000; // 10.0.0.0
  private static final int EXACT_MASK = 0x00FF_FFFF;

  /** An odd number, so that no address comes twice: addresses look like random ones. */
  private static final int STEP = 0x9E37_79B1;

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
