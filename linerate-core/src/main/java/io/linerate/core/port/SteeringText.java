package io.linerate.core.port;

import static io.linerate.core.port.SteeringRule.ANY;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Steering rules as words. */
final class SteeringText {
  private static final String FORM =
      "write [vlan ID] [ipv4|ipv6|arp|ethertype 0xHHHH] [tcp|udp|sctp|icmp|icmpv6|proto N] [src ADDRESS[/BITS]] [dst ADDRESS[/BITS]] [sport PORT] [dport PORT] queue QUEUE";

  private static final Map<String, Integer> ETHER_TYPES =
      Map.of("ipv4", SteeringRule.IPV4, "ipv6", SteeringRule.IPV6, "arp", SteeringRule.ARP);

  /** Numbers of IANA's registry of protocols. */
  private static final Map<String, Integer> PROTOCOLS =
      Map.of(
          "icmp",
          1,
          "tcp",
          SteeringRule.TCP,
          "udp",
          SteeringRule.UDP,
          "icmpv6",
          58,
          "sctp",
          SteeringRule.SCTP);

  private static final List<String> WITH_VALUE =
      List.of("vlan", "ethertype", "proto", "src", "dst", "sport", "dport", "queue");

  private final String text;
  private final Map<String, String> values = new HashMap<>();

  SteeringText(String text) {
    this.text = text;
    String[] words = text.strip().toLowerCase(Locale.ROOT).split("\\s+", -1);
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      if (ETHER_TYPES.containsKey(word)) {
        put("ethertype", word);
      } else if (PROTOCOLS.containsKey(word)) {
        put("proto", word);
      } else if (WITH_VALUE.contains(word) && i + 1 < words.length) {
        put(word, words[++i]);
      } else {
        throw wrong("unknown word=" + word);
      }
    }
    if (!values.containsKey("queue")) {
      throw wrong("no queue");
    }
  }

  private void put(String key, String value) {
    if (values.putIfAbsent(key, value) != null) {
      throw wrong("said twice: " + key);
    }
  }

  SteeringRule rule() {
    try {
      return new SteeringRule(
          number("vlan"),
          named("ethertype", ETHER_TYPES),
          named("proto", PROTOCOLS),
          prefix("src"),
          prefix("dst"),
          number("sport"),
          number("dport"),
          number("queue"));
    } catch (ConfigException e) {
      throw new ConfigException(
          "wrong steering rule: rule=" + text.strip() + ": " + e.getMessage());
    }
  }

  private int named(String key, Map<String, Integer> names) {
    Integer known = names.get(values.getOrDefault(key, ""));
    return known == null ? number(key) : known;
  }

  private int number(String key) {
    String value = values.get(key);
    if (value == null) {
      return ANY;
    }
    if (value.matches("0x[0-9a-f]{1,4}")) {
      return Integer.parseInt(value.substring(2), 16);
    }
    if (value.matches("[0-9]{1,5}")) {
      return Integer.parseInt(value);
    }
    throw new ConfigException("not a number: %s=%s; %s".formatted(key, value, FORM));
  }

  private @Nullable AddressPrefix prefix(String key) {
    String value = values.get(key);
    return value == null ? null : AddressPrefix.parse(value);
  }

  private ConfigException wrong(String what) {
    return new ConfigException(
        "wrong steering rule: rule=%s, %s; %s".formatted(text.strip(), what, FORM));
  }

  /** The opposite of reading. */
  static String of(SteeringRule rule) {
    List<String> words = new ArrayList<>();
    add(words, "vlan ", rule.vlan(), String::valueOf);
    add(words, "", rule.etherType(), SteeringText::etherType);
    add(words, "", rule.protocol(), SteeringText::protocol);
    if (rule.source() != null) {
      words.add("src " + rule.source());
    }
    if (rule.destination() != null) {
      words.add("dst " + rule.destination());
    }
    add(words, "sport ", rule.sourcePort(), String::valueOf);
    add(words, "dport ", rule.destinationPort(), String::valueOf);
    words.add("queue " + rule.queue());
    return String.join(" ", words);
  }

  private static void add(
      List<String> words, String key, int number, Function<Integer, String> text) {
    if (number != ANY) {
      words.add(key + text.apply(number));
    }
  }

  private static String etherType(int number) {
    return name(ETHER_TYPES, number, "ethertype 0x%04x".formatted(number));
  }

  private static String protocol(int number) {
    return name(PROTOCOLS, number, "proto " + number);
  }

  private static String name(Map<String, Integer> names, int number, String otherwise) {
    return names.entrySet().stream()
        .filter(entry -> entry.getValue() == number)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(otherwise);
  }
}
