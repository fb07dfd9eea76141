package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.AddressOptions;
import io.linerate.core.port.HashField;
import io.linerate.core.port.PortAddress;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RssSettings;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an address says about the spreading of packets: {@code rss=symmetric}, {@code
 * rssfields=ipv4+ipv4-tcp}, {@code rsskey=HEX}. These are Linerate's own and not passed to DPDK.
 *
 * @param isSymmetric whether both directions of a flow are to come by the same queue
 * @param fields empty: all that the device can
 * @param key empty: the device's own
 */
record RssRequest(boolean isSymmetric, Set<HashField> fields, String key) {
  static final RssRequest NONE = new RssRequest(false, Set.of(), "");

  private static final List<String> KEYS = List.of("rss", "rssfields", "rsskey");

  private enum Mode {
    ON,
    SYMMETRIC
  }

  /** Whether a part of an address is read here. */
  static boolean isOurs(String part) {
    return KEYS.stream().anyMatch(key -> part.startsWith(key + "="));
  }

  /**
   * Reads the parts that are ours.
   *
   * @throws ConfigException if one is wrong
   */
  static RssRequest of(PortAddress address, List<String> parts) {
    AddressOptions options = AddressOptions.ofParts(address, parts, KEYS);
    return new RssRequest(
        options.word("rss", Mode.ON) == Mode.SYMMETRIC,
        options.value("rssfields", Set.of(), RssRequest::fields),
        options.value("rsskey", "", text -> new RssSettings(Set.of(), text, List.of()).key()));
  }

  private static Set<HashField> fields(String text) {
    return Stream.of(text.split("\\+")).map(HashField::ofKey).collect(Collectors.toSet());
  }

  /**
   * Has a started device do so.
   *
   * @throws PortException if it has several queues and cannot
   */
  void apply(DpdkSteering steering, String portName, int queues) {
    if (equals(NONE) || queues < 2) {
      return;
    }
    if (!steering.isPossible()) {
      throw new PortException(
          "device cannot choose the queue of a packet (it has no RSS): port=%s, queues=%d; leave out rss, rssfields and rsskey, or set queues=1"
              .formatted(portName, queues));
    }
    RssSettings settings = steering.settings();
    if (!fields.isEmpty()) {
      settings = settings.withFields(fields);
    }
    if (!key.isEmpty()) {
      settings = settings.withKey(key);
    }
    steering.settings(isSymmetric ? settings.symmetric() : settings);
  }
}
