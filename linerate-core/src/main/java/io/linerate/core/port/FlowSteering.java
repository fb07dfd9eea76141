package io.linerate.core.port;

import java.util.Set;

/** Reads and sets how a device spreads packets over its receive queues. Any thread. */
public interface FlowSteering {
  /** Kinds of packets that the device can spread. */
  Set<HashField> possibleFields();

  /**
   * What is in force.
   *
   * @throws PortException if the device does not say
   */
  RssSettings settings();

  /**
   * Changes it while packets flow. Packets of a flow that changes its queue may overtake those
   * still in the old one.
   *
   * @throws io.linerate.core.config.ConfigException if a field is not possible, the key is of
   *     another length, or the table of another size or with a queue that is not there
   * @throws PortException if the device refuses
   */
  void settings(RssSettings wanted);
}
