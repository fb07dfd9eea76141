package io.linerate.driver.linux.xdp;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import io.linerate.driver.linux.CallPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * {@code
 * xdp:IFACE[,queues=0-3][,mode=auto|native|generic][,zerocopy=auto|on|off][,busypoll=off|US][,filter=…|,leave=…][,checksum=auto|on|off][,calls=adaptive|always|full]}.
 *
 * @param queues of the device; empty: all
 * @param busyPollUs 0: the kernel decides when the device is looked at
 * @param checksum whether checksums that a sender left unfinished are finished
 */
record XdpAddress(
    String interfaceName,
    List<Integer> queues,
    Mode mode,
    Switch zeroCopy,
    int busyPollUs,
    TrafficFilter filter,
    Switch checksum,
    CallPolicy calls) {
  /** Where the redirect program shall run. */
  enum Mode {
    AUTO,
    NATIVE,
    GENERIC
  }

  /** Whether to use what is not always there. */
  enum Switch {
    AUTO,
    ON,
    OFF
  }

  private static final List<String> KEYS =
      List.of("queues", "mode", "zerocopy", "busypoll", "filter", "leave", "checksum", "calls");
  private static final Pattern QUEUES = Pattern.compile("([0-9]{1,4})(?:-([0-9]{1,4}))?");
  private static final int MAX_BUSY_POLL_US = 10_000;

  /**
   * @throws ConfigException if it is wrong
   */
  static XdpAddress of(PortAddress address) {
    String rest = address.rest();
    int comma = rest.indexOf(',');
    String name = comma < 0 ? rest : rest.substring(0, comma);
    if (name.isEmpty() || name.contains("=")) {
      throw new ConfigException(
          "no interface in the address: address="
              + address
              + "; write xdp:IFACE, such as xdp:eth0");
    }
    String options = comma < 0 ? "" : rest.substring(comma + 1);
    Map<String, String> given = new PortAddress(address.scheme(), options).options(KEYS);
    return new XdpAddress(
        name,
        queues(given.getOrDefault("queues", "all"), address),
        word(Mode.class, "mode", given, address),
        word(Switch.class, "zerocopy", given, address),
        busyPollUs(given.getOrDefault("busypoll", "off"), address),
        TrafficFilter.of(given.getOrDefault("filter", ""), given.getOrDefault("leave", "")),
        word(Switch.class, "checksum", given, address),
        CallPolicy.ofKey(given.getOrDefault("calls", CallPolicy.ADAPTIVE.key())));
  }

  private static List<Integer> queues(String text, PortAddress address) {
    if (text.equals("all")) {
      return List.of();
    }
    Matcher matcher = QUEUES.matcher(text);
    if (matcher.matches()) {
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (first <= last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
      }
    }
    throw wrong("queues", text, address, "write all, one number or a range such as 0-3");
  }

  private static int busyPollUs(String text, PortAddress address) {
    if (text.equals("off")) {
      return 0;
    }
    if (text.matches("[0-9]{1,5}")
        && Integer.parseInt(text) > 0
        && Integer.parseInt(text) <= MAX_BUSY_POLL_US) {
      return Integer.parseInt(text);
    }
    throw wrong("busypoll", text, address, "write off or 1 to " + MAX_BUSY_POLL_US + " (µs)");
  }

  private static <E extends Enum<E>> E word(
      Class<E> type, String key, Map<String, String> given, PortAddress address) {
    String text = given.getOrDefault(key, "auto");
    List<String> words =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT))
            .toList();
    if (!words.contains(text)) {
      throw wrong(key, text, address, "write one of " + String.join(", ", words));
    }
    return type.getEnumConstants()[words.indexOf(text)];
  }

  private static ConfigException wrong(
      String key, String value, PortAddress address, String remedy) {
    return new ConfigException(
        "bad value in a port address: %s=%s, address=%s; %s"
            .formatted(key, value, address, remedy));
  }
}
