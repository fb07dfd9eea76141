package io.linerate.track;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.ChecksumState;
import io.linerate.core.memory.Packet;
import io.linerate.wire.Ipv4;
import io.linerate.wire.PlainIpv4;
import java.util.function.Consumer;

/**
 * What a tracker wants to know of the packets of a burst that are {@link PlainIpv4#isTransport}, in
 * arrays: so that they are followed by a loop that reads no packet. By place in the burst.
 */
final class PlainFlows implements Consumer<Packet> {
  private static final int MOST_BYTES = 0xFFFF;
  private static final int SEQUENCE = PlainIpv4.HEADER_BYTES + 4;

  // By place, so many words: addresses and kind, as ConnectionRecords has them (kind 0: it is not
  // plain); of TCP sequence number 32 | acknowledgment number 32; first four bytes from the data
  // offset on 32 | payload 16 | length 16; 1 if its checksum is left to
  // who transmits it.
  private static final int WORDS = 5;
  private static final int KIND = 1;
  private static final int NUMBERS = 2;
  private static final int REST = 3;
  private static final int LEFT = 4;

  private final ConnectionTable table;
  private final ConnectionRecords records;
  private int size;
  private long[] words = {};
  private long[] hashes = {};

  /** Places of packets that are not plain. */
  private int[] others = {};

  private int otherCount;

  PlainFlows(ConnectionTable table) {
    this.table = table;
    records = table.records();
  }

  /** Reads all packets of a burst. */
  void read(Burst burst) {
    size = burst.size();
    if (size > hashes.length) {
      words = new long[size * WORDS];
      hashes = new long[size];
      others = new int[size];
    }
    otherCount = 0;
    burst.forEach(this);
  }

  @Override
  public void accept(Packet packet) {
    int place = packet.index();
    int at = place * WORDS;
    int length = packet.length();
    if (length < PlainIpv4.TRANSPORT_BYTES || length > MOST_BYTES) {
      addOther(place);
      return;
    }
    long typeWord = PlainIpv4.typeWord(packet);
    int fragmentWord = PlainIpv4.fragmentWord(packet);
    int tcpWord = PlainIpv4.dataOffsetWord(packet);
    boolean isChecksumLeft = packet.checksumState() == ChecksumState.NONE;
    if (!PlainIpv4.isTransport(length, typeWord, fragmentWord, tcpWord) || !packet.isEthernet()) {
      addOther(place);
      return;
    }
    long addresses = PlainIpv4.addresses(packet);
    long kind = ConnectionRecords.kind(fragmentWord & 0xFF, PlainIpv4.ports(packet));
    int headerBytes = Ipv4.HEADER_BYTES + 4 * (tcpWord >>> 28);
    int payloadBytes = PlainIpv4.totalLength(typeWord) - headerBytes;
    words[at] = addresses;
    words[at + KIND] = kind;
    words[at + NUMBERS] = packet.u64(SEQUENCE);
    words[at + REST] = ((long) tcpWord << 32) | ((payloadBytes & 0xFFFFL) << 16) | length;
    words[at + LEFT] = isChecksumLeft ? 1 : 0;
    hashes[place] = table.hash(addresses, kind);
  }

  private void addOther(int place) {
    words[place * WORDS + KIND] = 0;
    others[otherCount++] = place;
  }

  /**
   * As {@link ConnectionRecords#follow}, a packet of a connection that was found, if it was. Never
   * one that is not plain: its kind, 0, is that of records that are gone, which have no phase.
   */
  boolean follow(int place, int connection, long[] timeoutsNs, long nowNs) {
    int at = place * WORDS;
    long rest = words[at + REST];
    return connection != ConnectionTable.NONE
        && records.follow(
            connection,
            words[at],
            words[at + KIND],
            words[at + NUMBERS],
            (int) (rest >>> 32),
            (int) (rest >>> 16) & 0xFFFF,
            (int) rest & 0xFFFF,
            timeoutsNs,
            nowNs);
  }

  /** Whether a packet is of a connection that was found. */
  boolean isOf(int place, int connection) {
    return records.isFlow(connection, words[place * WORDS], words[place * WORDS + KIND]);
  }

  /** Packets of the burst, those that are gone included. */
  int size() {
    return size;
  }

  /** How many packets are not plain. */
  int others() {
    return otherCount;
  }

  /** The place of one. */
  int other(int index) {
    return others[index];
  }

  boolean isPlain(int place) {
    return words[place * WORDS + KIND] != 0;
  }

  /** Whether who transmits a plain packet has yet to make its checksum. */
  boolean isChecksumLeft(int place) {
    return words[place * WORDS + LEFT] != 0;
  }

  /** Hashes of flows; 0 of what is none. */
  long[] hashes() {
    return hashes;
  }

  long hash(int place) {
    return hashes[place];
  }

  void hash(int place, long hash) {
    hashes[place] = hash;
  }
}
