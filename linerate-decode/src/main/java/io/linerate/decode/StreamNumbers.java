package io.linerate.decode;

import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Numbers what the ends of one protocol over IP say to each other, from 0 on in the order in which
 * they appear. The same two ends have one number, unless {@link #renumber} gives them a new one. It
 * grows with the ends that it knows, 60 bytes each, and knows {@link #MOST} at most: 250 MB. Two
 * ends more take the same time however many there are: nothing is copied, and one bucket is split
 * (linear hashing, W. Litwin, 1980). The longest step makes a piece of {@link #PIECE} records.
 *
 * <pre>
 *   of each pair of ends, the lower end first:
 *   0, 1: address   2, 3: address of the other   4: 16 bits port, 16 port of the other,
 *   8 IP version, 8 what is known of it   5: 32 bits number, 32 the next record of the bucket
 *   and one more   6: 32 bits of each end
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
  private static final long NUMBERS = 0xFFFF_FFFFL;
  private static final int PIECE_BITS = 10;
  private static final int PIECE = 1 << PIECE_BITS;

  private final long secret = new SecureRandom().nextLong() | 1;
  private final long[][] records = new long[MOST / PIECE][];

  /** By bucket the first record and one more; 0: none. There is a bucket for each record. */
  private final int[][] buckets = new int[MOST / PIECE][];

  private int bucketCount = 1;
  private int size;
  private int next;

  // The key that is looked for, and whether its lower end is the destination.
  private final long[] key = new long[KEY_WORDS];
  private long ports;
  private boolean isSwapped;

  StreamNumbers() {
    buckets[0] = new int[PIECE];
  }

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
    long hash = hash(key[0], key[1], key[2], key[3], ports);
    int bucket = bucket(hash);
    for (int one = first(bucket); one != 0; one = following(one - 1)) {
      if (isKey(one - 1)) {
        return one - 1;
      }
    }
    return size == MOST ? NONE : add(bucket);
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

  private long hash(long a, long b, long c, long d, long e) {
    long hash = secret;
    hash = mixed(hash ^ a);
    hash = mixed(hash ^ b);
    hash = mixed(hash ^ c);
    hash = mixed(hash ^ d);
    return mixed(hash ^ e);
  }

  /** The finalizer of MurmurHash3, with the secret between its steps. */
  private long mixed(long value) {
    long hash = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = ((hash ^ (hash >>> 33)) + secret) * 0xC4CEB9FE1A85EC53L;
    return hash ^ (hash >>> 33);
  }

  private boolean isKey(int record) {
    long[] piece = piece(record);
    int at = at(record);
    return piece[at] == key[0]
        && piece[at + 1] == key[1]
        && piece[at + 2] == key[2]
        && piece[at + 3] == key[3]
        && (piece[at + PORTS] & ~FACTS) == ports;
  }

  private long[] piece(int record) {
    return records[record >>> PIECE_BITS];
  }

  private static int at(int record) {
    return WORDS * (record & (PIECE - 1));
  }

  private int add(int bucket) {
    int record = size++;
    if ((record & (PIECE - 1)) == 0) {
      records[record >>> PIECE_BITS] = new long[WORDS * PIECE];
    }
    long[] piece = piece(record);
    int at = at(record);
    System.arraycopy(key, 0, piece, at, KEY_WORDS);
    piece[at + PORTS] = ports;
    piece[at + NUMBER] = next++ & NUMBERS;
    link(bucket, record);
    if (size > bucketCount) {
      split();
    }
    return record;
  }

  /** By as many bits as there are buckets for: those that are not split yet have one bit less. */
  private int bucket(long hash) {
    int half = Integer.highestOneBit(bucketCount);
    int bucket = (int) hash & (2 * half - 1);
    return bucket < bucketCount ? bucket : bucket - half;
  }

  private int first(int bucket) {
    return buckets[bucket >>> PIECE_BITS][bucket & (PIECE - 1)];
  }

  private void first(int bucket, int first) {
    buckets[bucket >>> PIECE_BITS][bucket & (PIECE - 1)] = first;
  }

  private int following(int record) {
    return (int) (piece(record)[at(record) + NUMBER] >>> Integer.SIZE);
  }

  private void link(int bucket, int record) {
    long[] piece = piece(record);
    int at = at(record) + NUMBER;
    piece[at] = (piece[at] & NUMBERS) | ((long) first(bucket) << Integer.SIZE);
    first(bucket, record + 1);
  }

  /** One bucket more, which has what another one had of it. */
  private void split() {
    int old = bucketCount - Integer.highestOneBit(bucketCount);
    if ((bucketCount & (PIECE - 1)) == 0) {
      buckets[bucketCount >>> PIECE_BITS] = new int[PIECE];
    }
    bucketCount++;
    int one = first(old);
    first(old, 0);
    while (one != 0) {
      int record = one - 1;
      one = following(record);
      link(bucket(hash(record)), record);
    }
  }

  private long hash(int record) {
    long[] piece = piece(record);
    int at = at(record);
    return hash(piece[at], piece[at + 1], piece[at + 2], piece[at + 3], piece[at + PORTS] & ~FACTS);
  }

  /** Whether the source that was looked for last is the higher end. */
  boolean isSwapped() {
    return isSwapped;
  }

  long number(int record) {
    return piece(record)[at(record) + NUMBER] & NUMBERS;
  }

  /** The ends have something new to say: nothing is known of it. */
  void renumber(int record) {
    long[] piece = piece(record);
    int at = at(record);
    piece[at + NUMBER] = (piece[at + NUMBER] & ~NUMBERS) | (next++ & NUMBERS);
    piece[at + PORTS] &= ~FACTS;
  }

  /** Eight bits that are known. */
  int facts(int record) {
    return (int) ((piece(record)[at(record) + PORTS] & FACTS) >>> FACTS_SHIFT);
  }

  void facts(int record, int facts) {
    long[] piece = piece(record);
    int at = at(record) + PORTS;
    piece[at] = (piece[at] & ~FACTS) | ((long) facts << FACTS_SHIFT);
  }

  /** 32 bits of one end. */
  int base(int record, boolean isHigher) {
    return (int) (piece(record)[at(record) + BASES] >>> (isHigher ? Integer.SIZE : 0));
  }

  void base(int record, boolean isHigher, int base) {
    int shift = isHigher ? Integer.SIZE : 0;
    long[] piece = piece(record);
    int at = at(record) + BASES;
    piece[at] = (piece[at] & ~(0xFFFF_FFFFL << shift)) | ((base & 0xFFFF_FFFFL) << shift);
  }
}
