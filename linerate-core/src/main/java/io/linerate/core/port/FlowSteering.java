package io.linerate.core.port;

import java.util.List;
import java.util.Set;

/**
 * Reads and sets by which receive queue packets come. Rules decide first, in the order in which
 * they were added: the first that a packet matches names its queue. Packets that match none are
 * spread by a hash. Any thread.
 */
public interface FlowSteering {
  /** Rules that a port has at most, if its device has room for so many. */
  int MOST_RULES = 256;

  /** The rules in force, in their order. */
  List<SteeringRule> rules();

  /**
   * Adds a rule behind those that there are, while packets flow. Packets of a flow that changes its
   * queue may overtake those still in the old one; none is lost.
   *
   * @throws io.linerate.core.config.ConfigException if the port has no such queue, has the rule
   *     already, or has {@link #MOST_RULES}
   * @throws PortException if this port or its device cannot do what the rule says; nothing has
   *     changed then
   */
  void add(SteeringRule rule);

  /**
   * Takes a rule away.
   *
   * @return false if there is no such rule
   * @throws PortException if the device refuses
   */
  boolean remove(SteeringRule rule);

  /** Kinds of packets that the device can spread by a hash that can be set; empty if none can. */
  default Set<HashField> possibleFields() {
    return Set.of();
  }

  /**
   * What of the hash is in force.
   *
   * @throws PortException if the device does not say
   */
  default RssSettings settings() {
    throw noHash();
  }

  /**
   * Changes the hash while packets flow. Packets of a flow that changes its queue may overtake
   * those still in the old one.
   *
   * @throws io.linerate.core.config.ConfigException if a field is not possible, the key is of
   *     another length, or the table of another size or with a queue that is not there
   * @throws PortException if the device refuses
   */
  default void settings(RssSettings wanted) {
    throw noHash();
  }

  private static PortException noHash() {
    return new PortException(
        "hash cannot be read or set: possibleFields=[]; use rules, or a dpdk: device with RSS");
  }
}
