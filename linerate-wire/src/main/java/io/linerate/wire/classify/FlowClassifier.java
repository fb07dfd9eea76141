package io.linerate.wire.classify;

import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The first of many rules that matches a packet's addresses, protocol and ports. Which one that is
 * was found out when the tables were made: a packet costs some twenty reads for 100 rules as for
 * 10,000, and more only since tables of many rules do not fit the caches.
 *
 * <pre>{@code
 * FlowClassifier classifier = new FlowClassifier(rules, rules.size());
 * FlowBatch batch = new FlowBatch(32);
 * ...
 * batch.clear();
 * for (Packet packet : burst) {
 *   int ports = isTcpOrUdp && !isLaterFragment ? packet.i32(l4) : 0;
 *   batch.add(packet.u64(ip + 12), packet.u8(ip + 9), ports);
 * }
 * classifier.match(batch);
 * }</pre>
 *
 * <p>Tables grow with the combinations of addresses, and of ports, that rules make. Where they
 * would pass 256 MiB, or rules name more than 4,096 combinations of protocol and ports, or some 500
 * rules each name a port of their own on both sides, the rules are halved, and each half has tables
 * of its own, which costs a packet as much again: {@link #tables} says how many there are. Making
 * them takes several times their memory.
 *
 * <p>For sources and protocols only, {@link SourceClassifier} is faster. Immutable: any thread.
 */
public final class FlowClassifier {
  private static final long MOST_INTS = 1 << 26;

  private final FlowTables[] tables;
  private final int noMatch;
  private final int version;

  /**
   * @param rules in any order, of one version of IP
   * @param noMatch the answer when none matches: no rule's number
   * @throws IllegalArgumentException if it is one, or rules are of both versions of IP
   */
  public FlowClassifier(List<FlowRule> rules, int noMatch) {
    this(rules, noMatch, MOST_INTS);
  }

  FlowClassifier(List<FlowRule> rules, int noMatch, long mostInts) {
    rules.forEach(rule -> SourceClassifier.requireOther(rule.number(), noMatch));
    this.noMatch = noMatch;
    version = rules.isEmpty() ? 4 : rules.getFirst().source().version();
    if (rules.stream().anyMatch(rule -> rule.source().version() != version)) {
      throw new IllegalArgumentException(
          "rules of both versions of IP: rules=%d; make a classifier for each"
              .formatted(rules.size()));
    }
    List<FlowTables> parts = new ArrayList<>();
    if (!rules.isEmpty()) {
      build(rules, mostInts, parts);
    }
    tables = parts.toArray(FlowTables[]::new);
  }

  private void build(List<FlowRule> rules, long mostInts, List<FlowTables> parts) {
    int half = rules.size() / 2;
    Optional<FlowTables> all =
        FlowTables.of(
            version == 4 ? Ipv4Prefix.ANY : Ipv6Prefix.ANY,
            rules,
            half == 0 ? Long.MAX_VALUE : mostInts);
    if (all.isPresent()) {
      parts.add(all.get());
    } else {
      build(rules.subList(0, half), mostInts, parts);
      build(rules.subList(half, rules.size()), mostInts, parts);
    }
  }

  /**
   * Finds the number of the first rule for each flow of a batch.
   *
   * @throws IllegalStateException if the rules are of the other version of IP
   */
  public void match(FlowBatch batch) {
    if (tables.length > 0) {
      batch.requireVersion(version);
    }
    int[] numbers = batch.numbers;
    int count = batch.count();
    Arrays.fill(numbers, 0, count, FlowTables.NONE);
    for (FlowTables some : tables) {
      some.match(batch);
    }
    for (int i = 0; i < count; i++) {
      numbers[i] = numbers[i] == FlowTables.NONE ? noMatch : numbers[i];
    }
  }

  /** How many sets of tables there are: each costs a packet as much as the first. */
  public int tables() {
    return tables.length;
  }

  /** How many bytes the tables have. */
  public long bytes() {
    return Arrays.stream(tables).mapToLong(FlowTables::bytes).sum();
  }
}
