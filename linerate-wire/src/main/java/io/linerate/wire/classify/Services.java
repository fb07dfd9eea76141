package io.linerate.wire.classify;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Protocols and ports. What the same rules name is one class: so the ports of each side and the
 * protocols get classes, and in two steps their combinations, of which few differ. Gupta and
 * McKeown, "Packet Classification on Multiple Fields", SIGCOMM 1999.
 */
final class Services {
  /** More are not combined: each set of them has a bit for each. */
  private static final int MOST_SERVICES = 4_096;

  private static final int MOST_COMBINATIONS = 1 << 18;

  /** A power of two; what is above 255 is a protocol that is not known. */
  private static final int PROTOCOLS = 512;

  private static final int PORTS = 1 << Character.SIZE;

  /** What rules say of protocol and ports. */
  private record Service(PortRange sources, PortRange destinations, int protocol) {
    static Service of(FlowRule rule) {
      return new Service(rule.sourcePorts(), rule.destinationPorts(), rule.protocol());
    }
  }

  /** Sets of services that differ, numbered as they come. */
  private static final class Classes {
    final List<BitSet> sets = new ArrayList<>();
    private final Map<BitSet, Integer> numbers = new HashMap<>();

    int number(BitSet set) {
      Integer known = numbers.putIfAbsent(set, sets.size());
      if (known != null) {
        return known;
      }
      sets.add(set);
      return sets.size() - 1;
    }
  }

  private final Map<Service, Integer> indexes = new HashMap<>();
  private final List<BitSet> columns = new ArrayList<>();
  private final char[] sourcePorts = new char[PORTS];
  private final char[] destinationPorts = new char[PORTS];
  private final int[] protocols = new int[PROTOCOLS];

  /**
   * By classes of protocol and destination port, and by those of the first step and source port.
   */
  private int[][] first = new int[0][];

  private int[][] second = new int[0][];

  private int classes;

  private Services() {}

  /** The services of rules; none if there are too many. */
  static Optional<Services> of(List<FlowRule> rules) {
    Services services = new Services();
    List<Service> distinct = rules.stream().map(Service::of).distinct().toList();
    return distinct.size() <= MOST_SERVICES && services.combine(distinct)
        ? Optional.of(services)
        : Optional.empty();
  }

  private boolean combine(List<Service> services) {
    Classes bySource = new Classes();
    Classes byDestination = new Classes();
    Classes byProtocol = new Classes();
    enterPorts(services, Service::sources, bySource, sourcePorts);
    enterPorts(services, Service::destinations, byDestination, destinationPorts);
    for (int protocol = 0; protocol < PROTOCOLS; protocol++) {
      BitSet set = new BitSet();
      for (int i = 0; i < services.size(); i++) {
        int own = services.get(i).protocol;
        set.set(i, own < 0 || own == protocol);
      }
      protocols[protocol] = byProtocol.number(set);
    }
    Classes both = new Classes();
    Classes all = new Classes();
    if (areTooMany(byProtocol, byDestination)) {
      return false;
    }
    first = combinations(byProtocol, byDestination, both);
    if (areTooMany(both, bySource)) {
      return false;
    }
    second = combinations(both, bySource, all);
    classes = all.sets.size();
    for (int i = 0; i < services.size(); i++) {
      indexes.put(services.get(i), i);
      columns.add(new BitSet());
    }
    for (int i = 0; i < classes; i++) {
      int column = i;
      all.sets.get(column).stream().forEach(service -> columns.get(service).set(column));
    }
    return true;
  }

  private static boolean areTooMany(Classes one, Classes other) {
    return (long) one.sets.size() * other.sets.size() > MOST_COMBINATIONS;
  }

  private static void enterPorts(
      List<Service> services, Function<Service, PortRange> field, Classes classes, char[] target) {
    NavigableSet<Integer> starts = new TreeSet<>(Set.of(0, PORTS));
    for (Service service : services) {
      starts.add(field.apply(service).first());
      starts.add(field.apply(service).last() + 1);
    }
    for (int start : starts.headSet(PORTS)) {
      BitSet set = new BitSet();
      for (int i = 0; i < services.size(); i++) {
        PortRange range = field.apply(services.get(i));
        set.set(i, range.first() <= start && start <= range.last());
      }
      int end = Objects.requireNonNull(starts.higher(start));
      Arrays.fill(target, start, end, (char) classes.number(set));
    }
  }

  private static int[][] combinations(Classes rows, Classes columns, Classes target) {
    int[][] combinations = new int[rows.sets.size()][columns.sets.size()];
    for (int row = 0; row < combinations.length; row++) {
      for (int column = 0; column < combinations[row].length; column++) {
        BitSet set = (BitSet) rows.sets.get(row).clone();
        set.and(columns.sets.get(column));
        combinations[row][column] = target.number(set);
      }
    }
    return combinations;
  }

  /** How many classes there are. */
  int classes() {
    return classes;
  }

  /** The classes that a rule names. */
  BitSet of(FlowRule rule) {
    return columns.get(indexes.getOrDefault(Service.of(rule), -1));
  }

  /** The class of each port of the source. */
  char[] sourcePorts() {
    return sourcePorts;
  }

  /** The class of each port of the destination. */
  char[] destinationPorts() {
    return destinationPorts;
  }

  /** Whether ports of the source make a difference. */
  boolean haveSourcePorts() {
    return second[0].length > 1;
  }

  /** How many ints {@link #write} takes. */
  int ints() {
    return first.length * first[0].length + second.length * second[0].length;
  }

  /**
   * Writes the steps from the classes of fields to those of services.
   *
   * @return for each protocol the place of a row; there stands, by the class of the destination's
   *     port, the place of another, where the answer stands by the class of the source's port; if
   *     such {@linkplain #haveSourcePorts make no difference}, the answer itself
   */
  int[] write(IntBuffer target) {
    int[] secondPlaces = new int[second.length];
    for (int i = 0; i < second.length; i++) {
      secondPlaces[i] = haveSourcePorts() ? target.position() : second[i][0];
      target.put(second[i]);
    }
    int[] firstPlaces = new int[first.length];
    for (int i = 0; i < first.length; i++) {
      firstPlaces[i] = target.position();
      target.put(Arrays.stream(first[i]).map(place -> secondPlaces[place]).toArray());
    }
    return Arrays.stream(protocols).map(protocol -> firstPlaces[protocol]).toArray();
  }
}
