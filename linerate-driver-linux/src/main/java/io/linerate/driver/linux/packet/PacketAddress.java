package io.linerate.driver.linux.packet;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import io.linerate.driver.linux.CallPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an address of this driver asks for.
 *
 * @param queues receive queues; 0: as many as the program wants
 * @param rxFrames frames of 2 KiB that a receive ring has room for
 * @param txSlots packets that are sent with one call at most
 * @param promiscuous as the engine's configuration says when null
 * @param bypass whether packets pass the kernel's queueing discipline by
 */
record PacketAddress(
    String interfaceName,
    int queues,
    Fanout fanout,
    int rxFrames,
    int txSlots,
    @Nullable Boolean promiscuous,
    boolean bypass,
    CallPolicy calls) {
  static final int DEFAULT_RX_FRAMES = 8_192;
  static final int DEFAULT_TX_SLOTS = 256;

  private static final List<String> KEYS =
      List.of("queues", "fanout", "rx", "tx", "promisc", "bypass", "calls");

  static PacketAddress parse(PortAddress address) {
    String rest = address.rest();
    int comma = rest.indexOf(',');
    String name = (comma < 0 ? rest : rest.substring(0, comma)).strip();
    if (name.isEmpty() || name.contains("=")) {
      throw new ConfigException(
          "port address names no interface: address=%s; write packet:INTERFACE, such as packet:eth0"
              .formatted(address));
    }
    List<String> allowed = new ArrayList<>(List.of(name));
    allowed.addAll(KEYS);
    Map<String, String> options = address.options(allowed);
    return new PacketAddress(
        name,
        number(options, "queues", 0, 1, Fanout.MAX_QUEUES, address),
        fanout(options.getOrDefault("fanout", Fanout.HASH.key()), address),
        number(options, "rx", DEFAULT_RX_FRAMES, 256, 1 << 20, address),
        number(options, "tx", DEFAULT_TX_SLOTS, 1, 1_024, address),
        options.containsKey("promisc") ? truth(options, "promisc", address) : null,
        options.containsKey("bypass") && truth(options, "bypass", address),
        CallPolicy.ofKey(options.getOrDefault("calls", CallPolicy.ADAPTIVE.key())));
  }

  private static Fanout fanout(String key, PortAddress address) {
    return Fanout.ofKey(key).orElseThrow(() -> wrong("fanout", key, address, Fanout.keys()));
  }

  private static int number(
      Map<String, String> options, String key, int missing, int min, int max, PortAddress address) {
    String text = options.get(key);
    if (text == null) {
      return missing;
    }
    if (text.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw wrong(key, text, address, min + " to " + max);
  }

  private static boolean truth(Map<String, String> options, String key, PortAddress address) {
    String text = options.getOrDefault(key, "");
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default -> throw wrong(key, text, address, "on or off");
    };
  }

  private static ConfigException wrong(
      String key, String value, PortAddress address, String allowed) {
    return new ConfigException(
        "wrong value in a port address: %s=%s, address=%s; %s is allowed"
            .formatted(key, value, address, allowed));
  }
}
