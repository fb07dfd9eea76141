package io.linerate.decode;

import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers what the ends of one protocol over IP say to each other, from 0 on in the order in which
 * they appear. The same two ends have one number, unless {@link #renumber} gives them a new one. It
 * grows with the ends that it knows, some 100 bytes each, and knows {@link #MOST} at most.
 *
 * <pre>
 *   of each pair of ends, the lower end first:
 *   0, 1: address   2, 3: address of the other   4: 16 bits port, 16 port of the other,
 *   8 IP version, 8 what is known of it   5: number   6: 32 bits of each end
 * </pre>
 */
final class StreamNumbers {
  /** Pairs of ends at most. */
  static final int MOST = 1 << 22;

  /** Of what is not numbered. */
  static final int NONE = -1;

  private static final int WORDS = 7;
  private static final int KEY_WORDS = 4;
  private static final int PORTS = 4;
  private static final int NUMBER = 5;
  private static final int BASES = 6;
  private static final int FACTS_SHIFT = 40;
  private static final long FACTS = 0xFFL << FACTS_SHIFT;
  private static final int FIRST_RECORDS = 256;

  private final long secret = new SecureRandom().nextLong() | 1;
  private long[] records = new long[WORDS * FIRST_RECORDS];

  /** Record of a key and one more, by its hash; 0: none. Half of it is empty at least. */
  private int[] index = new int[4 * FIRST_RECORDS];

  private int size;
  private int next;

  // The key that is looked for, and whether its lower end is the destination.
  private final long[] key = new long[KEY_WORDS];
  private long ports;
  private boolean isSwapped;

  /**
   * The record of two ends, which is made if there is none.
   *
   * @param ip layer that has their addresses
   * @return {@link #NONE} if it has none
   */
  int find(long source, long destination, @Nullable Layer ip) {
    if (ip == null || !readAddresses(ip)) {
      return NONE;
    }
    readPorts(source, destination, ip.is(Ipv4Protocol.IP) ? 4 : 6);
    int at = slot();
    while (index[at] != 0) {
      int record = index[at] - 1;
      if (isKey(WORDS * record)) {
        return record;
      }
      at = (at + 1) & (index.length - 1);
    }
    return size == MOST ? NONE : add(at);
  }

  private boolean readAddresses(Layer ip) {
    if (ip.is(Ipv4Protocol.IP)) {
      if (!ip.has(Ipv4Protocol.DESTINATION)) {
        return false;
      }
      key[0] = 0;
      key[1] = ip.value(Ipv4Protocol.SOURCE);
      key[2] = 0;
      key[3] = ip.value(Ipv4Protocol.DESTINATION);
      return true;
    }
    if (!ip.has(Ipv6Protocol.DESTINATION)) {
      return false;
    }
    key[0] = ip.high(Ipv6Protocol.SOURCE);
    key[1] = ip.low(Ipv6Protocol.SOURCE);
    key[2] = ip.high(Ipv6Protocol.DESTINATION);
    key[3] = ip.low(Ipv6Protocol.DESTINATION);
    return true;
  }

  private void readPorts(long source, long destination, int version) {
    int order = Long.compare(key[0], key[2]);
    order = order == 0 ? Long.compare(key[1], key[3]) : order;
    order = order == 0 ? Long.compare(source, destination) : order;
    isSwapped = order > 0;
    if (isSwapped) {
      swap(0, 2);
      swap(1, 3);
    }
    long first = isSwapped ? destination : source;
    long second = isSwapped ? source : destination;
    ports = first | (second << 16) | ((long) version << 32);
  }

  private void swap(int one, int other) {
    long value = key[one];
    key[one] = key[other];
    key[other] = value;
  }

  private int slot() {
    return slot(key[0], key[1], key[2], key[3], ports);
  }

  private int slot(long a, long b, long c, long d, long e) {
    long hash = secret;
    hash = mixed(hash ^ a);
    hash = mixed(hash ^ b);
    hash = mixed(hash ^ c);
    hash = mixed(hash ^ d);
    return (int) mixed(hash ^ e) & (index.length - 1);
  }

  /** The finalizer of MurmurHash3, with the secret between its steps. */
  private long mixed(long value) {
    long hash = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = ((hash ^ (hash >>> 33)) + secret) * 0xC4CEB9FE1A85EC53L;
    return hash ^ (hash >>> 33);
  }

  private boolean isKey(int at) {
    return records[at] == key[0]
        && records[at + 1] == key[1]
        && records[at + 2] == key[2]
        && records[at + 3] == key[3]
        && (records[at + PORTS] & ~FACTS) == ports;
  }

  private int add(int slot) {
    int record = size++;
    if (WORDS * size > records.length) {
      records = Arrays.copyOf(records, 2 * records.length);
    }
    System.arraycopy(key, 0, records, WORDS * record, KEY_WORDS);
    records[WORDS * record + PORTS] = ports;
    records[WORDS * record + NUMBER] = next++;
    index[slot] = record + 1;
    if (2 * size > index.length) {
      grow();
    }
    return record;
  }

  private void grow() {
    index = new int[2 * index.length];
    for (int i = 0; i < size; i++) {
      int at = WORDS * i;
      int slot =
          slot(
              records[at],
              records[at + 1],
              records[at + 2],
              records[at + 3],
              records[at + PORTS] & ~FACTS);
      while (index[slot] != 0) {
        slot = (slot + 1) & (index.length - 1);
      }
      index[slot] = i + 1;
    }
  }

  /** Whether the source that was looked for last is the higher end. */
  boolean isSwapped() {
    return isSwapped;
  }

  long number(int record) {
    return records[WORDS * record + NUMBER];
  }

  /** The ends have something new to say: nothing is known of it. */
  void renumber(int record) {
    records[WORDS * record + NUMBER] = next++;
    records[WORDS * record + PORTS] &= ~FACTS;
  }

  /** Eight bits that are known. */
  int facts(int record) {
    return (int) ((records[WORDS * record + PORTS] & FACTS) >>> FACTS_SHIFT);
  }

  void facts(int record, int facts) {
    int at = WORDS * record + PORTS;
    records[at] = (records[at] & ~FACTS) | ((long) facts << FACTS_SHIFT);
  }

  /** 32 bits of one end. */
  int base(int record, boolean isHigher) {
    return (int) (records[WORDS * record + BASES] >>> (isHigher ? Integer.SIZE : 0));
  }

  void base(int record, boolean isHigher, int base) {
    int shift = isHigher ? Integer.SIZE : 0;
    int at = WORDS * record + BASES;
    records[at] = (records[at] & ~(0xFFFF_FFFFL << shift)) | ((base & 0xFFFF_FFFFL) << shift);
  }
}
