package io.linerate.track.flow;

import java.util.Arrays;

/**
 * What is known of flows, by place as {@link io.linerate.track.ConnectionRecords} has it: twice the
 * number of the connection, and one more for the reverse direction. Beside the records of
 * connections, which middleboxes use without this.
 *
 * <p>{@value #WORDS} words of 64 bits for each direction, one line of the cache:
 *
 * <pre>
 *   word
 *    0     packets
 *    1     octets of IP, as the headers claim
 *    2     octets of frames, as they were on the wire
 *    3     time of the first packet, ns since the epoch
 *    4     time of the last packet
 *    5     ICMP type and code of the first packet 16 | 0 (8) | class of service of the first packet 8 |
 *          largest TTL 8 | smallest TTL 8 | flags of TCP, all together 16
 *    6     forward: when the flow began, ns since the epoch; reverse: VLAN 32, -1: none | state 32
 *    7     0
 * </pre>
 */
final class FlowColumns {
  static final int WORDS = 8;

  static final int PACKETS = 0;
  static final int OCTETS = 1;
  static final int FRAME_OCTETS = 2;
  static final int FIRST = 3;
  static final int LAST = 4;
  static final int HEADERS = 5;
  private static final int BEGAN = 6;
  private static final int VLAN_STATE = WORDS + 6;

  /** State: it is not known which end has begun. */
  static final int IS_ARBITRARY = 1;

  /** State: FIN was seen of the forward direction; twice that: of the reverse one. */
  static final int FIN = 1 << 1;

  static final int BOTH_FINS = FIN | (FIN << 1);

  /** State: RST was seen. */
  static final int RESET = 1 << 3;

  private final long[] words;

  FlowColumns(int maxFlows) {
    words = new long[Math.multiplyExact(maxFlows, 2 * WORDS)];
  }

  /** Forgets what was counted, and keeps what the flow is. */
  void begin(int number, long timeNs, int vlan, int state) {
    int at = 2 * number * WORDS;
    Arrays.fill(words, at, at + 2 * WORDS, 0);
    words[at + BEGAN] = timeNs;
    words[at + VLAN_STATE] = ((long) vlan << 32) | (state & 0xFFFF_FFFFL);
  }

  /**
   * Counts a packet.
   *
   * @param headers as word 5, of this packet
   */
  void count(int place, long timeNs, int octets, int frameOctets, long headers) {
    long[] all = words;
    int at = place * WORDS;
    if (all[at + PACKETS]++ == 0) {
      all[at + FIRST] = timeNs;
      all[at + LAST] = timeNs;
      all[at + HEADERS] = headers;
    } else {
      all[at + FIRST] = Math.min(all[at + FIRST], timeNs);
      all[at + LAST] = Math.max(all[at + LAST], timeNs);
      all[at + HEADERS] = together(all[at + HEADERS], headers);
    }
    all[at + OCTETS] += octets & 0xFFFF_FFFFL;
    all[at + FRAME_OCTETS] += frameOctets;
  }

  private static long together(long before, long headers) {
    long most = Math.max(before & 0xFF00_0000L, headers & 0xFF00_0000L);
    long least = Math.min(before & 0xFF_0000L, headers & 0xFF_0000L);
    return (before & ~0xFFFF_0000L) | (headers & 0xFFFF) | most | least;
  }

  /** Word 5 of a packet. */
  static long headers(int icmpTypeCode, int classOfService, int ttl, int tcpFlags) {
    return ((long) icmpTypeCode << 48)
        | ((long) classOfService << 32)
        | ((long) ttl << 24)
        | ((long) ttl << 16)
        | tcpFlags;
  }

  long word(int place, int word) {
    return words[place * WORDS + word];
  }

  long beganNs(int number) {
    return words[2 * number * WORDS + BEGAN];
  }

  /** 0 to 4095; -1: none. */
  int vlan(int number) {
    return (int) (words[2 * number * WORDS + VLAN_STATE] >>> 32);
  }

  int state(int number) {
    return (int) words[2 * number * WORDS + VLAN_STATE];
  }

  void addState(int number, int bits) {
    words[2 * number * WORDS + VLAN_STATE] |= bits;
  }

  static boolean isClosed(int state) {
    return (state & RESET) != 0 || (state & BOTH_FINS) == BOTH_FINS;
  }
}
