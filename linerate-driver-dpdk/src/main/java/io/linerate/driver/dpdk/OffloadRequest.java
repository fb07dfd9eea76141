package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.PortAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What an address says about a device's offloads: {@code tso=on} and others of {@link Offload},
 * each {@code auto}, {@code on} or {@code off}. These are Linerate's own and not passed to DPDK.
 */
record OffloadRequest(Map<Offload, Choice> choices) {
  private static final List<String> KEYS = Stream.of(Offload.values()).map(Offload::key).toList();

  /** What is said of one. */
  enum Choice {
    /** On where the device can and it does no harm. */
    AUTO,
    ON,
    OFF
  }

  /**
   * Whether a part of an address is read here. A number is not: {@code net_vhost} has an argument
   * {@code tso} of its own, 0 or 1.
   */
  static boolean isOurs(String part) {
    return KEYS.stream().anyMatch(key -> part.startsWith(key + "="))
        && !part.matches("[a-z-]+=[0-9]+");
  }

  /**
   * Reads the parts that are ours.
   *
   * @throws ConfigException if one is wrong
   */
  static OffloadRequest of(PortAddress address, List<String> parts) {
    AddressOptions options = AddressOptions.ofParts(address, parts, KEYS);
    Map<Offload, Choice> choices = new EnumMap<>(Offload.class);
    for (Offload offload : Offload.values()) {
      choices.put(offload, options.word(offload.key(), Choice.AUTO));
    }
    return new OffloadRequest(choices);
  }

  Choice of(Offload offload) {
    return choices.getOrDefault(offload, Choice.AUTO);
  }
}
