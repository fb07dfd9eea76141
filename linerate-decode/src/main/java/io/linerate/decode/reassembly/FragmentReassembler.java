package io.linerate.decode.reassembly;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.MappedBuffer;
import io.linerate.core.memory.Packet;
import io.linerate.wire.FragmentDefect;
import io.linerate.wire.FragmentView;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Puts datagrams of IPv4 (RFC 791, section 3.2) and IPv6 (RFC 8200, section 4.5) together from
 * their fragments, in whichever order they come. What they carry is read as one buffer over the
 * fragments; nothing is copied.
 *
 * <pre>{@code
 * var reassembler = new FragmentReassembler(FragmentSettings.DEFAULT, worker.hold(32_767, 0), random);
 * ...
 * if (scanner.scanAny(packet) && reassembler.add(packet, scanner, now) == FragmentResult.COMPLETE) {
 *   read(reassembler.protocol(), reassembler.datagram());
 *   reassembler.release();
 * }
 * }</pre>
 *
 * <p>Fragments that wait are taken out of their burst, and dropped as consumed when their datagram
 * was read or given up: where fragments overlap (RFC 5722), after a time, or as the oldest where
 * there is no room. All others, the one that completes a datagram too, stay where they are. One
 * thread's own.
 */
public final class FragmentReassembler {
  /** Datagrams whose time is over that are given up for each packet, of each version. */
  private static final int EXPIRED_AT_ONCE = 4;

  /** No number of a packet: those begin with 1. */
  private static final long NOT_HELD = 0;

  private final int datagrams;
  private final long ipv4TimeoutNs;
  private final long ipv6TimeoutNs;
  private final HeldPackets held;
  private final FragmentView fragment;
  private final DatagramTable table;
  private final MappedBuffer buffer = new MappedBuffer();

  /** The one that is complete, until it is released. */
  private @Nullable Datagram whole;

  /** That of the fragment that was looked at last, if that waits. */
  private @Nullable Datagram unsettled;

  private long reassembled;
  private long expired;
  private long evicted;

  /**
   * @param held where fragments wait: its time-out has to be 0, and nothing else may drop them.
   *     Best it is for them alone: where it is full, the oldest datagrams go
   * @param random makes the secret of the table's hash
   */
  public FragmentReassembler(FragmentSettings settings, HeldPackets held, RandomGenerator random) {
    this.held = held;
    datagrams = settings.datagrams();
    ipv4TimeoutNs = settings.ipv4Timeout().toNanos();
    ipv6TimeoutNs = settings.ipv6Timeout().toNanos();
    fragment = new FragmentView(random.nextLong());
    table = new DatagramTable(datagrams, settings.fragments());
  }

  /** Datagrams that wait for fragments now. */
  public int size() {
    return table.size();
  }

  /** Datagrams that were complete. */
  public long reassembled() {
    return reassembled;
  }

  /** Datagrams whose time was over. */
  public long expired() {
    return expired;
  }

  /** Datagrams that were given up for others, because there was no room. */
  public long evicted() {
    return evicted;
  }

  /**
   * Takes a fragment. A datagram that was complete before is released.
   *
   * @param scanner has scanned the packet
   * @param nowNs when the packet came, of the clock that all times here are of
   * @return what became of it; null if the packet is no fragment
   */
  public @Nullable FragmentResult add(Packet packet, HeaderScanner scanner, long nowNs) {
    FragmentResult result = look(packet, scanner, nowNs);
    return settle(packet) ? result : FragmentResult.NO_ROOM;
  }

  /**
   * As {@link #add}, but that a fragment that waits is in its burst until {@link #settle}, which
   * has to follow.
   */
  public @Nullable FragmentResult look(Packet packet, HeaderScanner scanner, long nowNs) {
    release();
    if (unsettled != null) {
      end(unsettled); // Who looked at the last fragment has thrown: it is gone.
      unsettled = null;
    }
    expire(nowNs, EXPIRED_AT_ONCE);
    if (scanner.defect() == HeaderDefect.NESTED_FRAGMENT) {
      return FragmentResult.NESTED;
    }
    return scanner.isFragment() ? addFragment(packet, scanner, nowNs) : null;
  }

  private FragmentResult addFragment(Packet packet, HeaderScanner scanner, long nowNs) {
    if (!scanner.defect().soundUpToL3()) {
      return FragmentResult.MALFORMED;
    }
    FragmentDefect defect = fragment.read(packet, scanner);
    if (defect != FragmentDefect.NONE) {
      return defect == FragmentDefect.TRUNCATED
          ? FragmentResult.TRUNCATED
          : FragmentResult.MALFORMED;
    }
    Datagram datagram = datagram(nowNs);
    return switch (datagram.pieces.fit(fragment)) {
      case REPETITION -> FragmentResult.REPETITION;
      case CONTRADICTION -> refuse(datagram, FragmentResult.CONTRADICTION);
      case NO_ROOM -> refuse(datagram, FragmentResult.TOO_MANY);
      case NEW -> addNew(datagram, packet);
    };
  }

  /** The datagram of the fragment. */
  private Datagram datagram(long nowNs) {
    Datagram datagram = table.find(fragment);
    if (datagram != null && isOver(datagram, nowNs)) {
      expired++;
      end(datagram);
      datagram = null;
    }
    if (datagram != null) {
      return datagram;
    }
    if (table.size() == datagrams) {
      evictOldest();
    }
    return table.begin(fragment, nowNs);
  }

  private FragmentResult refuse(Datagram datagram, FragmentResult why) {
    end(datagram);
    return why;
  }

  private FragmentResult addNew(Datagram datagram, Packet packet) {
    int number = datagram.pieces.count();
    datagram.packets[number] = NOT_HELD;
    if (datagram.pieces.add(fragment)) {
      return datagram.pieces.isTooLong()
          ? refuse(datagram, FragmentResult.TOO_LONG)
          : complete(datagram, packet);
    }
    unsettled = datagram;
    return FragmentResult.WAITS;
  }

  /**
   * Holds the fragment that {@link #look} was given last, if it waits.
   *
   * @return false if there is no room for it: its datagram is given up
   */
  public boolean settle(Packet packet) {
    Datagram datagram = unsettled;
    unsettled = null;
    if (datagram == null) {
      return true;
    }
    while (held.size() == held.capacity()) {
      Datagram oldest = table.oldest();
      evictOldest();
      if (oldest == datagram) {
        return false;
      }
    }
    if (!held.add(packet)) {
      end(datagram);
      return false;
    }
    datagram.packets[datagram.pieces.count() - 1] = held.lastNumber();
    return true;
  }

  private FragmentResult complete(Datagram datagram, Packet last) {
    table.remove(datagram);
    whole = datagram;
    for (int i = 0; i < datagram.pieces.count(); i++) {
      int number = datagram.pieces.inOrder(i);
      long heldAs = datagram.packets[number];
      Packet packet = heldAs == NOT_HELD ? last : packet(heldAs);
      buffer.append(packet, datagram.pieces.payloadOffset(number), datagram.pieces.bytes(number));
    }
    reassembled++;
    return FragmentResult.COMPLETE;
  }

  private Packet packet(long number) {
    Packet packet = held.packet(number);
    if (packet == null) {
      throw new IllegalStateException(
          "fragment of a datagram is not held any more: number=%d; leave packets of a reassembler to it"
              .formatted(number));
    }
    return packet;
  }

  /**
   * What the datagram carries, behind its IP headers, after {@link #add} has answered {@link
   * FragmentResult#COMPLETE}: until {@link #release}, the next packet that is added, or the end of
   * the burst of the packet that completed it. Empty at any other time.
   */
  public MappedBuffer datagram() {
    return buffer;
  }

  /**
   * What {@link #datagram} begins with, see {@link io.linerate.wire.IpProtocol}: as its first
   * fragment says. Of IPv6 it may be an extension header.
   *
   * @throws IllegalStateException if no datagram is complete
   */
  public int protocol() {
    return complete().pieces.protocol();
  }

  /**
   * What its fragments have in common: 16 bits of IPv4, 32 of IPv6.
   *
   * @throws IllegalStateException if no datagram is complete
   */
  public long identification() {
    return complete().identification;
  }

  /**
   * 4 or 6.
   *
   * @throws IllegalStateException if no datagram is complete
   */
  public int ipVersion() {
    return complete().isIpv4 ? Ipv4.VERSION : Ipv6.VERSION;
  }

  /**
   * How many fragments it came in.
   *
   * @throws IllegalStateException if no datagram is complete
   */
  public int fragments() {
    return complete().pieces.count();
  }

  /**
   * When its first fragment came.
   *
   * @throws IllegalStateException if no datagram is complete
   */
  public long sinceNs() {
    return complete().sinceNs;
  }

  private Datagram complete() {
    if (whole == null) {
      throw new IllegalStateException(
          "no datagram is complete; ask after add has answered COMPLETE, before release");
    }
    return whole;
  }

  /** Lets go of the datagram that is complete, if one is: it has been read. */
  public void release() {
    Datagram read = whole;
    if (read != null) {
      whole = null;
      buffer.clear();
      drop(read);
    }
  }

  private void end(Datagram datagram) {
    table.remove(datagram);
    drop(datagram);
  }

  private void drop(Datagram datagram) {
    for (int i = 0; i < datagram.pieces.count(); i++) {
      Packet packet = held.packet(datagram.packets[i]);
      if (packet != null) {
        packet.drop(DropReason.CONSUMED);
      }
    }
    table.recycle(datagram);
  }

  private void evictOldest() {
    Datagram oldest = table.oldest();
    if (oldest != null) {
      evicted++;
      end(oldest);
    }
  }

  /** Gives datagrams up that wait for fragments for too long. */
  public void expire(long nowNs) {
    expire(nowNs, Integer.MAX_VALUE);
  }

  private void expire(long nowNs, int limit) {
    expire(true, nowNs, limit);
    expire(false, nowNs, limit);
  }

  private void expire(boolean isIpv4, long nowNs, int limit) {
    Datagram oldest = table.oldest(isIpv4);
    for (int i = 0; i < limit && oldest != null && isOver(oldest, nowNs); i++) {
      expired++;
      end(oldest);
      oldest = table.oldest(isIpv4);
    }
  }

  private boolean isOver(Datagram datagram, long nowNs) {
    return nowNs - datagram.sinceNs >= (datagram.isIpv4 ? ipv4TimeoutNs : ipv6TimeoutNs);
  }

  /** Gives all datagrams up: nothing more is added. */
  public void close() {
    release();
    Datagram oldest = table.oldest();
    while (oldest != null) {
      end(oldest);
      oldest = table.oldest();
    }
  }
}
