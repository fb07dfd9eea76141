package io.linerate.middlebox.firewall;

import io.linerate.core.memory.Packet;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.Rule;
import io.linerate.middlebox.rule.RuleLimit;
import io.linerate.middlebox.rule.RuleMeter;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.wire.EtherType;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What some rules ask for beside their decision: limits, and notes in the log. Any thread. */
final class RuleExtras {
  private static final System.Logger LOG = System.getLogger(RuleExtras.class.getName());

  /** Of one rule; more would cost whoever writes the log more than whoever sends packets. */
  private static final RuleLimit LOG_LIMIT =
      new RuleLimit(10, Duration.ofSeconds(1), 10, RuleLimit.Of.ALL);

  /** By rule; null: it has no limit. */
  private final @Nullable RuleMeter[] meters;

  /** By rule; null: it is not logged. */
  private final @Nullable Notes[] notes;

  /** What is written of one rule. */
  private static final class Notes {
    private final Rule rule;
    private final RuleMeter meter;
    private final AtomicLong left = new AtomicLong();

    Notes(Rule rule, long nowNs) {
      this.rule = rule;
      meter = new RuleMeter(LOG_LIMIT, 0, nowNs);
    }

    void write(
        Packet packet, Direction direction, HeaderScanner scanner, FlowKey flow, long nowNs) {
      if (!meter.allows(flow, nowNs)) {
        left.incrementAndGet();
        return;
      }
      long others = left.getAndSet(0);
      LOG.log(
          Level.INFO,
          "{0}: in={1}, out={2}, {3}, bytes={4}, rule={5}{6}",
          rule.action().word(),
          direction.in(),
          direction.out(),
          flow.ipVersion() != 0 ? text(flow) : "ethertype=" + EtherType.name(scanner.etherType()),
          String.valueOf(packet.length()),
          rule.text(),
          others == 0 ? "" : " (" + others + " more were not noted)");
    }
  }

  private static String text(FlowKey flow) {
    return "source=%s, destination=%s, protocol=%s"
        .formatted(
            endpoint(flow.ipVersion(), flow.sourceHigh(), flow.sourceLow(), flow.sourcePort()),
            endpoint(
                flow.ipVersion(),
                flow.destinationHigh(),
                flow.destinationLow(),
                flow.destinationPort()),
            IpProtocol.name(flow.protocol()));
  }

  private static String endpoint(int version, long high, long low, int port) {
    String address =
        version == Ipv4.VERSION ? Ipv4Address.format((int) low) : Ipv6Address.format(high, low);
    if (port == 0) {
      return address;
    }
    return (version == Ipv4.VERSION ? address : "[" + address + "]") + ":" + port;
  }

  private RuleExtras(int rules) {
    meters = new RuleMeter[rules];
    notes = new Notes[rules];
  }

  /**
   * Those of some rules; none if no rule asks for any.
   *
   * @param before those of the rules before, whose limits go on
   * @param indexBefore the number that a rule had there, by its number now; -1 if it was not there
   */
  static Optional<RuleExtras> of(
      RuleSet set, Optional<RuleExtras> before, IntUnaryOperator indexBefore, long nowNs) {
    if (set.rules().stream().noneMatch(rule -> rule.isLogged() || rule.limit().isPresent())) {
      return Optional.empty();
    }
    RuleExtras extras = new RuleExtras(set.size());
    long seed = new SecureRandom().nextLong();
    for (int i = 0; i < set.rules().size(); i++) {
      Rule rule = set.rules().get(i);
      int index = before.isPresent() ? indexBefore.applyAsInt(i) : -1;
      if (index >= 0) {
        extras.meters[i] = before.get().meters[index];
        extras.notes[i] = before.get().notes[index];
        continue;
      }
      extras.meters[i] = rule.limit().map(limit -> new RuleMeter(limit, seed, nowNs)).orElse(null);
      extras.notes[i] = rule.isLogged() ? new Notes(rule, nowNs) : null;
    }
    return Optional.of(extras);
  }

  /** Whether a rule asks for anything. */
  boolean isAbout(int number) {
    return notes[number] != null || meters[number] != null;
  }

  /** Whether {@link #apply} looks at the headers of packets that the rule decides about. */
  boolean looksAtHeaders(int number) {
    RuleMeter meter = meters[number];
    return notes[number] != null || (meter != null && meter.isOfHosts());
  }

  /**
   * Does what a rule asks for that decides about a packet.
   *
   * @param scanner has its headers, if they are looked at
   * @param flow likewise has its flow
   * @return whether the packet is within the rule's limit
   */
  boolean apply(
      int number,
      Packet packet,
      Direction direction,
      HeaderScanner scanner,
      FlowKey flow,
      long nowNs) {
    Notes note = notes[number];
    if (note != null) {
      note.write(packet, direction, scanner, flow, nowNs);
    }
    RuleMeter meter = meters[number];
    return meter == null || meter.allows(flow, nowNs);
  }
}
