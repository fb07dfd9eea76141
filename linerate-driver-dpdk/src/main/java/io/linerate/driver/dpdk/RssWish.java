package io.linerate.driver.dpdk;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.HashField;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RssSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
record RssWish(boolean isSymmetric, Set<HashField> fields, String key) {
  static final RssWish NONE = new RssWish(false, Set.of(), "");

  private static final Pattern ARGUMENT = Pattern.compile("(rss|rssfields|rsskey)=(.*)");

  /** The arguments of an address, without those that are read here. */
  record Split(RssWish wish, String devargs) {}

  /**
   * @param arguments each after a comma
   * @throws ConfigException if one of ours is wrong
   */
  static Split read(String arguments) {
    RssWish wish = NONE;
    List<String> others = new ArrayList<>();
    for (String argument : arguments.split(",", -1)) {
      Matcher ours = ARGUMENT.matcher(argument);
      if (ours.matches()) {
        wish = wish.with(ours.group(1), ours.group(2));
      } else {
        others.add(argument);
      }
    }
    return new Split(wish, String.join(",", others));
  }

  private RssWish with(String name, String value) {
    return switch (name) {
      case "rss" -> new RssWish(symmetric(value), fields, key);
      case "rsskey" ->
          new RssWish(isSymmetric, fields, new RssSettings(Set.of(), value, List.of()).key());
      default ->
          new RssWish(
              isSymmetric,
              Stream.of(value.split("\\+")).map(HashField::ofKey).collect(Collectors.toSet()),
              key);
    };
  }

  private static boolean symmetric(String value) {
    if (!value.equals("symmetric") && !value.equals("on")) {
      throw new ConfigException(
          "wrong value in a port address: rss=" + value + "; on or symmetric");
    }
    return value.equals("symmetric");
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
