package io.linerate.middlebox.rule;

import io.linerate.track.Relation;
import io.linerate.wire.classify.FlowBatch;
import java.util.Arrays;
import java.util.Objects;

/**
 * Finds the rules of a burst's packets together, by a {@link RuleMatcher}. One thread's own; what
 * it needs for bursts of one size it makes once.
 *
 * <pre>{@code
 * lookup.begin(burst.size());
 * for (Packet packet : burst) {
 *   lookup.addIpv4(packet.index(), relation, vlan, flags, addresses, protocol, ports);
 * }
 * lookup.match();
 * int rule = lookup.number(packet.index());
 * }</pre>
 */
public final class RuleLookup {
  private final RuleMatcher matcher;
  private final Group[] ipv4;
  private final Group[] ipv6;
  private final Group[] active;
  private int activeCount;
  private int count;
  private int[] numbers = {};

  /** Packets that ask the same list. */
  private static final class Group {
    private final RuleList list;
    private final int version;
    private FlowBatch batch;
    private int[] places;

    Group(RuleList list, int version, int capacity) {
      this.list = list;
      this.version = version;
      batch = batch(capacity);
      places = new int[capacity];
    }

    private FlowBatch batch(int capacity) {
      return version == 4 ? new FlowBatch(capacity) : FlowBatch.ofIpv6(capacity);
    }

    void require(int capacity) {
      if (places.length < capacity) {
        batch = batch(capacity);
        places = new int[capacity];
      }
    }
  }

  public RuleLookup(RuleMatcher matcher) {
    this.matcher = matcher;
    ipv4 = new Group[matcher.lists()];
    ipv6 = new Group[matcher.lists()];
    active = new Group[2 * matcher.lists()];
  }

  /**
   * Forgets all packets.
   *
   * @param places how many packets there may be next: their places are below
   */
  public void begin(int places) {
    count = places;
    if (places > numbers.length) {
      numbers = new int[places];
    }
    Arrays.fill(numbers, 0, places, RuleList.NONE);
    for (int i = 0; i < activeCount; i++) { // Of a burst that ended in a failure.
      active[i].batch.clear();
    }
    activeCount = 0;
  }

  private Group group(Group[] groups, RuleList list, int version) {
    Group group = groups[list.place];
    if (group == null) {
      group = new Group(list, version, numbers.length);
      groups[list.place] = group;
    }
    if (group.batch.count() == 0) {
      group.require(numbers.length);
      active[activeCount++] = group;
    }
    return group;
  }

  /** Takes a number if it is lower. */
  private void take(int place, int number) {
    numbers[place] = Math.min(numbers[place], number);
  }

  /**
   * Adds a packet of IPv4.
   *
   * @param place below what {@link #begin} was told
   * @param vlan identifier of the outermost tag, or {@link RulePacket#UNTAGGED}
   * @param flags of TCP, 8 bits
   * @param addresses source, then destination
   * @param ports as {@link RulePacket} has them
   */
  public void addIpv4(
      int place, Relation relation, int vlan, int flags, long addresses, int protocol, int ports) {
    addIpv4(place, matcher.general(relation), addresses, protocol, ports);
    addIpv4(place, matcher.special(relation, vlan, flags), addresses, protocol, ports);
  }

  private void addIpv4(int place, RuleList list, long addresses, int protocol, int ports) {
    if (list.isKnown(4)) {
      take(place, list.known(4));
      return;
    }
    Group group = group(ipv4, list, 4);
    group.places[group.batch.count()] = place;
    group.batch.add(addresses, protocol, ports);
  }

  /** As {@link #addIpv4}, of IPv6. */
  public void addIpv6(
      int place,
      Relation relation,
      int vlan,
      int flags,
      long sourceHigh,
      long sourceLow,
      long destinationHigh,
      long destinationLow,
      int protocol,
      int ports) {
    RuleList list = matcher.general(relation);
    addIpv6(place, list, sourceHigh, sourceLow, destinationHigh, destinationLow, protocol, ports);
    list = matcher.special(relation, vlan, flags);
    addIpv6(place, list, sourceHigh, sourceLow, destinationHigh, destinationLow, protocol, ports);
  }

  private void addIpv6(
      int place,
      RuleList list,
      long sourceHigh,
      long sourceLow,
      long destinationHigh,
      long destinationLow,
      int protocol,
      int ports) {
    if (list.isKnown(6)) {
      take(place, list.known(6));
      return;
    }
    Group group = group(ipv6, list, 6);
    group.places[group.batch.count()] = place;
    group.batch.addIpv6(sourceHigh, sourceLow, destinationHigh, destinationLow, protocol, ports);
  }

  /** Adds a packet that is not IP. */
  public void addOther(int place, int vlan, int etherType) {
    take(place, matcher.decideOther(vlan, etherType));
  }

  /** Finds the rules of all that were added. */
  public void match() {
    for (int i = 0; i < activeCount; i++) {
      Group group = active[i];
      group.list.classifier(group.version).match(group.batch);
      for (int j = 0; j < group.batch.count(); j++) {
        take(group.places[j], group.batch.number(j));
      }
      group.batch.clear();
    }
    activeCount = 0;
  }

  /** Whether a rule decides about a packet, and not the default. */
  public boolean isDecided(int place) {
    return numbers[Objects.checkIndex(place, count)] != RuleList.NONE;
  }

  /** The number of the rule or policy that decides about a packet, in its set. */
  public int number(int place) {
    int number = numbers[Objects.checkIndex(place, count)];
    return number == RuleList.NONE ? matcher.defaultIndex() : number;
  }
}
