package io.linerate.wire.classify;

import io.linerate.wire.IpPrefix;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tables of a {@link FlowClassifier}, or of some of its rules.
 *
 * <p>A list of rules about the same addresses becomes a row, with the number of the first rule for
 * each class of {@link Services}. Rules that name both addresses stand in rows of a table by source
 * and destination, those that name one in rows of that one, so that what two rules of different
 * kinds have in common needs no row of its own: a packet asks up to three rows, and the lowest
 * number wins.
 *
 * <pre>
 *   sources, destinations:  an address →  | row of the table, or column in it | row of its own rules |
 *                                         63                                 31                      0
 *   cells:  the steps of {@link Services}, the rows of rules, the table of rows by source and
 *           destination; both as {@link BlockRows} writes them
 * </pre>
 */
final class FlowTables {
  /** The number of no rule. */
  static final int NONE = Integer.MAX_VALUE;

  private final AddressTable sources;
  private final AddressTable destinations;

  private final char[] sourcePorts;
  private final char[] destinationPorts;
  private final boolean haveSourcePorts;

  /** By protocol: the place of a row of {@link Services} in {@link #cells}. */
  private final int[] protocols;

  /** Its length is a power of two, which spares each read a comparison. */
  private final int[] cells;

  private final boolean haveBoth;
  private final boolean haveSources;
  private final boolean haveDestinations;

  private FlowTables(Builder builder) {
    Services services = builder.services;
    sourcePorts = services.sourcePorts();
    destinationPorts = services.destinationPorts();
    haveSourcePorts = services.haveSourcePorts();
    haveBoth = !builder.both.isEmpty();
    haveSources = !builder.bySource.isEmpty();
    haveDestinations = !builder.byDestination.isEmpty();
    cells = new int[(int) Long.highestOneBit(2 * builder.ints() - 1)];
    IntBuffer target = IntBuffer.wrap(cells);
    protocols = services.write(target);
    int[] lists = builder.lists.write(target, number -> number);
    int[] pairs = builder.pairs.write(target, list -> lists[list]);
    sources =
        builder.sources.table(i -> word(pairs[builder.pairsOf[i]], lists[builder.sourceLists[i]]));
    destinations = builder.destinations.table(i -> word(i, lists[builder.destinationLists[i]]));
  }

  private static long word(int high, int low) {
    return (long) high << Integer.SIZE | low;
  }

  /**
   * The tables of rules; none if they would be too large.
   *
   * @param any all addresses of the rules' version
   * @param mostInts what is too large
   */
  static Optional<FlowTables> of(IpPrefix any, List<FlowRule> rules, long mostInts) {
    return Services.of(rules)
        .map(services -> new Builder(any, rules, services))
        .filter(builder -> builder.build(mostInts))
        .map(FlowTables::new);
  }

  private static final class Builder {
    private final Services services;
    private final PrefixTree sources;
    private final PrefixTree destinations;

    /** Rules by the number of a prefix: those that name no other address, and those that do. */
    private final Map<Integer, List<FlowRule>> bySource = new HashMap<>();

    private final Map<Integer, List<FlowRule>> byDestination = new HashMap<>();
    private final Map<Integer, List<FlowRule>> both = new HashMap<>();

    /** Lists of rules, as the number of the first by class of service. List 0 is empty. */
    private final BlockRows lists;

    /** By source the list by destination. */
    private final BlockRows pairs;

    /** By the number of a prefix. */
    private final int[] sourceLists;

    private final int[] destinationLists;
    private final int[] pairsOf;

    Builder(IpPrefix any, List<FlowRule> rules, Services services) {
      this.services = services;
      sources = new PrefixTree(any, rules.stream().map(FlowRule::source));
      destinations = new PrefixTree(any, rules.stream().map(FlowRule::destination));
      lists = new BlockRows(services.classes(), NONE);
      pairs = new BlockRows(destinations.size(), 0);
      sourceLists = new int[sources.size()];
      destinationLists = new int[destinations.size()];
      pairsOf = new int[sources.size()];
      for (FlowRule rule : rules) {
        int source = sources.number(rule.source());
        int destination = destinations.number(rule.destination());
        if (destination == 0) {
          bySource.computeIfAbsent(source, _ -> new ArrayList<>()).add(rule);
        } else if (source == 0) {
          byDestination.computeIfAbsent(destination, _ -> new ArrayList<>()).add(rule);
        } else {
          both.computeIfAbsent(source, _ -> new ArrayList<>()).add(rule);
        }
      }
      // Outer prefixes first: what they change is not yet in as many lists as later.
      both.values()
          .forEach(some ->
              some.sort(Comparator.comparingInt(rule -> destinations.number(rule.destination()))));
    }

    /** Returns whether it was not too much. */
    boolean build(long mostInts) {
      return enter(sources, bySource, sourceLists, mostInts)
          && enter(destinations, byDestination, destinationLists, mostInts)
          && enterPairs(mostInts);
    }

    private boolean enter(
        PrefixTree tree, Map<Integer, List<FlowRule>> rules, int[] target, long mostInts) {
      for (int i = 0; i < target.length && ints() <= mostInts; i++) {
        BlockRows.Draft list = lists.new Draft(target[tree.parent(i)]);
        for (FlowRule rule : rules.getOrDefault(i, List.of())) {
          list.change(services.of(rule), number -> Math.min(number, rule.number()));
        }
        target[i] = list.number();
      }
      return ints() <= mostInts;
    }

    private boolean enterPairs(long mostInts) {
      for (int i = 0; i < pairsOf.length; i++) {
        BlockRows.Draft row = pairs.new Draft(pairsOf[sources.parent(i)]);
        for (FlowRule rule : both.getOrDefault(i, List.of())) {
          enter(rule, row);
          if (ints() > mostInts) {
            return false;
          }
        }
        pairsOf[i] = row.number();
      }
      return ints() <= mostInts;
    }

    /** Adds a rule to a row of pairs. */
    private void enter(FlowRule rule, BlockRows.Draft row) {
      int destination = destinations.number(rule.destination());
      BitSet columns = new BitSet();
      columns.set(destination, destinations.end(destination));
      Map<Integer, Integer> known = new HashMap<>();
      row.change(columns, list -> known.computeIfAbsent(list, _ -> listWith(list, rule)));
    }

    private int listWith(int list, FlowRule rule) {
      return lists.changed(list, services.of(rule), number -> Math.min(number, rule.number()));
    }

    long ints() {
      return services.ints() + lists.ints() + pairs.ints();
    }
  }

  /** Puts the numbers of rules into a batch where they are lower than what stands there. */
  void match(FlowBatch batch) {
    sources.findSources(batch, batch.sources);
    destinations.findDestinations(batch, batch.destinations);
    if (haveSourcePorts) {
      findServices(batch);
    } else {
      findServicesWithoutSourcePorts(batch);
    }
    if (haveBoth) {
      findPairs(batch);
      takeLower(batch);
    }
    if (haveSources) {
      copyLow(batch.sources, batch);
      takeLower(batch);
    }
    if (haveDestinations) {
      copyLow(batch.destinations, batch);
      takeLower(batch);
    }
  }

  private void findServices(FlowBatch batch) {
    int[] all = cells;
    int last = all.length - 1;
    int count = batch.count();
    for (int i = 0; i < count; i++) {
      long service = batch.services[i];
      int place = firstStep(service, all, last);
      batch.classes[i] = all[place + sourcePorts[(int) service >>> Character.SIZE] & last];
    }
  }

  private void findServicesWithoutSourcePorts(FlowBatch batch) {
    int[] all = cells;
    int last = all.length - 1;
    int count = batch.count();
    for (int i = 0; i < count; i++) {
      batch.classes[i] = firstStep(batch.services[i], all, last);
    }
  }

  private int firstStep(long service, int[] all, int last) {
    int protocol = protocols[(int) (service >>> Integer.SIZE) & protocols.length - 1];
    return all[protocol + destinationPorts[(char) service] & last];
  }

  private void findPairs(FlowBatch batch) {
    int[] all = cells;
    int last = all.length - 1;
    int count = batch.count();
    for (int i = 0; i < count; i++) {
      int row = (int) (batch.sources[i] >>> Integer.SIZE);
      int column = (int) (batch.destinations[i] >>> Integer.SIZE);
      batch.places[i] = cell(all, last, row, column);
    }
  }

  private static void copyLow(long[] words, FlowBatch batch) {
    int count = batch.count();
    for (int i = 0; i < count; i++) {
      batch.places[i] = (int) words[i];
    }
  }

  private void takeLower(FlowBatch batch) {
    int[] all = cells;
    int last = all.length - 1;
    int count = batch.count();
    for (int i = 0; i < count; i++) {
      int number = cell(all, last, batch.places[i], batch.classes[i]);
      batch.numbers[i] = Math.min(batch.numbers[i], number);
    }
  }

  /** A column of a row of {@link BlockRows}. */
  private static int cell(int[] all, int last, int row, int column) {
    int block = all[row + (column >>> BlockRows.BLOCK_BITS) & last];
    return all[block + (column & BlockRows.BLOCK - 1) & last];
  }

  /** How many bytes the tables have. */
  long bytes() {
    return sources.bytes()
        + destinations.bytes()
        + (long) (cells.length + protocols.length) * Integer.BYTES
        + (long) (sourcePorts.length + destinationPorts.length) * Character.BYTES;
  }
}
