package io.linerate.middlebox.rule;

import io.linerate.core.config.ConfigException;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import io.linerate.wire.classify.FlowClassifier;
import io.linerate.wire.classify.FlowRule;
import io.linerate.wire.classify.PortRange;
import io.linerate.wire.classify.SourceRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Some rules, of which only addresses, protocols and ports are still to be looked at. Immutable.
 */
final class RuleList {
  /** The number of no rule: behind all others. */
  static final int NONE = Integer.MAX_VALUE;

  /** Nothing is known before a packet is looked up. */
  private static final int DEPENDS = -1;

  /** Flows that one rule may stand for. */
  private static final int MOST_FLOWS = 1_000_000;

  private final FlowClassifier ofIpv4;
  private final FlowClassifier ofIpv6;
  private final int alwaysIpv4;
  private final int alwaysIpv6;

  /** Its place among the lists of a matcher. */
  final int place;

  /**
   * @param all rules, of which the list has some
   * @param indexes which, in ascending order
   */
  RuleList(int place, List<Rule> all, List<Integer> indexes) {
    this.place = place;
    List<FlowRule> ipv4 = flows(all, indexes, 4);
    List<FlowRule> ipv6 = flows(all, indexes, 6);
    alwaysIpv4 = always(ipv4);
    alwaysIpv6 = always(ipv6);
    ofIpv4 = new FlowClassifier(alwaysIpv4 == DEPENDS ? ipv4 : List.of(), NONE);
    ofIpv6 = new FlowClassifier(alwaysIpv6 == DEPENDS ? ipv6 : List.of(), NONE);
  }

  private static int always(List<FlowRule> flows) {
    if (flows.isEmpty()) {
      return NONE;
    }
    return isAll(flows.getFirst()) ? flows.getFirst().number() : DEPENDS;
  }

  private static boolean isAll(FlowRule flow) {
    return flow.source().bits() + flow.destination().bits() == 0
        && flow.protocol() == SourceRule.ANY_PROTOCOL
        && flow.sourcePorts().equals(PortRange.ANY)
        && flow.destinationPorts().equals(PortRange.ANY);
  }

  /** Up to the first rule about all: none behind it is ever reached. */
  private static List<FlowRule> flows(List<Rule> all, List<Integer> indexes, int version) {
    List<FlowRule> flows = new ArrayList<>();
    for (int index : indexes) {
      addFlows(all.get(index), index, version, flows);
      if (!flows.isEmpty() && isAll(flows.getLast())) {
        break;
      }
    }
    return flows;
  }

  private static void addFlows(Rule rule, int index, int version, List<FlowRule> flows) {
    if (!rule.when().versions().contains(version)) {
      return;
    }
    List<IpPrefix> sources = ofVersion(rule.when().sources(), version);
    List<IpPrefix> destinations = ofVersion(rule.when().destinations(), version);
    Collection<Integer> protocols =
        rule.when().protocols().isEmpty()
            ? List.of(SourceRule.ANY_PROTOCOL)
            : rule.when().protocols();
    List<PortRange> sourcePorts = orAny(rule.when().sourcePorts());
    List<PortRange> destinationPorts = orAny(rule.when().destinationPorts());
    long count =
        (long) sources.size()
            * destinations.size()
            * protocols.size()
            * sourcePorts.size()
            * destinationPorts.size();
    if (count > MOST_FLOWS) {
      throw new ConfigException(
          "rule stands for too many flows: flows=%,d, rule=%s; at most %,d are allowed: make several of it, or shorten its lists"
              .formatted(count, rule.text(), MOST_FLOWS));
    }
    for (IpPrefix source : sources) {
      for (IpPrefix destination : destinations) {
        for (int protocol : protocols) {
          for (PortRange from : sourcePorts) {
            for (PortRange to : destinationPorts) {
              flows.add(new FlowRule(source, destination, from, to, protocol, index));
            }
          }
        }
      }
    }
  }

  private static List<IpPrefix> ofVersion(List<IpPrefix> some, int version) {
    return some.isEmpty()
        ? List.of(version == 4 ? Ipv4Prefix.ANY : Ipv6Prefix.ANY)
        : some.stream().filter(prefix -> prefix.version() == version).toList();
  }

  private static List<PortRange> orAny(List<PortRange> some) {
    return some.isEmpty() ? List.of(PortRange.ANY) : some;
  }

  /** Whether the number of a packet is known without looking it up, see {@link #known}. */
  boolean isKnown(int version) {
    return known(version) != DEPENDS;
  }

  /** That number, or {@link #NONE}. */
  int known(int version) {
    return version == 4 ? alwaysIpv4 : alwaysIpv6;
  }

  FlowClassifier classifier(int version) {
    return version == 4 ? ofIpv4 : ofIpv6;
  }
}
