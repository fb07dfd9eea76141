package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.NumberText;
import io.linerate.wire.MacAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A stream as texts describe it: options, properties, lines of a plan. */
record StreamText(Map<String, String> values) {
  static final List<String> KEYS =
      List.of(
          ("rate size protocol ip src dst srcport dstport srcmac dstmac vlan payload sequence"
                  + " timestamps replay speed seed")
              .split(" ", -1));

  /** What makes no sense for a replay. */
  private static final List<String> FRAME_KEYS = KEYS.subList(1, KEYS.indexOf("replay"));

  // RFC 2544, appendix C.2.2 and RFC 5180, section 8: addresses for benchmarks.
  private static final String SOURCE_4 = "198.18.0.1";
  private static final String DESTINATION_4 = "198.19.0.1";
  private static final String SOURCE_6 = "2001:2::1";
  private static final String DESTINATION_6 = "2001:2:0:1::1";

  /** RFC 2544, appendix C.2.6.4: from 0xC020 to the echo port. */
  private static final String SOURCE_PORT = "49184";

  private static final String DESTINATION_PORT = "7";
  private static final String SOURCE_MAC = "02:00:00:00:00:01";
  private static final String DESTINATION_MAC = "02:00:00:00:00:02";
  private static final int MAX_VLAN = 4_094;
  private static final int MAX_PORT = 0xFFFF;
  private static final Pattern SPEED = Pattern.compile("([0-9]{1,6}(?:\\.[0-9]{1,6})?)x");

  /**
   * Reads a stream.
   *
   * @throws ConfigException if it is wrong
   */
  static TrafficStream read(String name, Map<String, String> values) {
    for (String key : values.keySet()) {
      if (!KEYS.contains(key)) {
        throw new ConfigException(
            "unknown key of a stream: key=" + key + "; there are " + String.join(", ", KEYS));
      }
    }
    return new StreamText(values).stream(name);
  }

  private TrafficStream stream(String name) {
    long seed = seed();
    return values.containsKey("replay") ? replay(name, seed) : made(name, seed);
  }

  private long seed() {
    String text = text("seed", "1");
    return NumberText.read(text, 0, Long.MAX_VALUE)
        .orElseThrow(() -> wrong("seed", text, "write a whole number"));
  }

  private TrafficStream replay(String name, long seed) {
    for (String key : FRAME_KEYS) {
      if (values.containsKey(key)) {
        throw wrong(key, values.get(key), "a replay sends packets as they are: leave it out");
      }
    }
    boolean hasRate = values.containsKey("rate");
    if (hasRate && values.containsKey("speed")) {
      throw wrong("speed", values.get("speed"), "a replay has a rate or a speed: leave one out");
    }
    Rate rate = hasRate ? Rate.parse(text("rate", "")) : Rate.UNLIMITED;
    double speed = hasRate ? 0 : speed(text("speed", "recorded"));
    Path file = path("replay", text("replay", ""));
    return new TrafficStream(name, seed, null, null, Replay.read(file), rate, speed, null);
  }

  /** Multiples of the recorded speed; 0: as fast as it goes. */
  static double speed(String text) {
    Matcher matcher = SPEED.matcher(text);
    double speed =
        switch (text) {
          case "max" -> 0;
          case "recorded" -> 1;
          default -> matcher.matches() ? Double.parseDouble(matcher.group(1)) : -1;
        };
    if (speed < 0 || (speed == 0 && !text.equals("max"))) {
      throw wrong("speed", text, "write recorded, max, or a multiple above 0 such as 2x");
    }
    return speed;
  }

  private TrafficStream made(String name, long seed) {
    if (values.containsKey("speed")) {
      throw wrong("speed", values.get("speed"), "only a replay has one: write rate=");
    }
    Rate rate = Rate.parse(text("rate", "max"));
    FrameSpec frames = frames();
    FrameImages images = FrameImages.of(frames, seed);
    return new TrafficStream(name, seed, frames, images, null, rate, 0, null);
  }

  private FrameSpec frames() {
    FrameProtocol protocol = FrameProtocol.parse(text("protocol", "udp"));
    int version = ipVersion(protocol);
    int vlan = vlan();
    boolean isSequenced = truth("sequence");
    boolean isTimed = truth("timestamps");
    boolean isStamped = isSequenced || isTimed;
    if (isStamped && protocol == FrameProtocol.ARP) {
      throw wrong("protocol", "arp", "it has no payload for sequence numbers or timestamps");
    }
    int least = FrameSpec.leastBytes(protocol, version, vlan, isStamped);
    boolean isArp = protocol == FrameProtocol.ARP;
    String toMac = isArp ? MacAddress.format(MacAddress.BROADCAST) : DESTINATION_MAC;
    return new FrameSpec(
        protocol,
        version,
        SizeMix.parse(text("size", Integer.toString(Math.max(SizeMix.MIN, least))), least),
        addresses("src", version, version == 4 ? SOURCE_4 : SOURCE_6),
        addresses("dst", version, version == 4 ? DESTINATION_4 : DESTINATION_6),
        ports("srcport", protocol, SOURCE_PORT),
        ports("dstport", protocol, DESTINATION_PORT),
        mac("srcmac", SOURCE_MAC),
        mac("dstmac", toMac),
        vlan,
        payload(),
        isSequenced,
        isTimed);
  }

  /** As {@code ip} says, or else as the addresses are. */
  private int ipVersion(FrameProtocol protocol) {
    String text = text("ip", "");
    boolean hasColon = text("src", "").contains(":") || text("dst", "").contains(":");
    if (!text.isEmpty() && !text.equals("4") && !text.equals("6")) {
      throw wrong("ip", text, "write 4 or 6");
    }
    int version = text.isEmpty() ? hasColon ? 6 : 4 : text.equals("6") ? 6 : 4;
    if (version == 6 && protocol == FrameProtocol.ARP) {
      throw wrong("protocol", "arp", "it is for IPv4 only");
    }
    return version;
  }

  private ValueRange addresses(String key, int version, String missing) {
    String text = text(key, missing);
    return version == 4 ? ValueRange.ipv4(key, text) : ValueRange.ipv6(key, text);
  }

  private ValueRange ports(String key, FrameProtocol protocol, String missing) {
    if (!protocol.hasPorts() && values.containsKey(key)) {
      throw wrong(key, values.get(key), protocol.key() + " has no ports: leave it out");
    }
    return ValueRange.numbers(key, text(key, missing), 0, MAX_PORT);
  }

  private long mac(String key, String missing) {
    String text = text(key, missing);
    try {
      return MacAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(key, text, "write six bytes such as 02:00:00:00:00:01");
    }
  }

  private int vlan() {
    String text = values.get("vlan");
    if (text == null) {
      return FrameSpec.NO_VLAN;
    }
    return NumberText.read(text, 0, MAX_VLAN)
        .orElseThrow(() -> wrong("vlan", text, "write 0 to " + MAX_VLAN))
        .intValue();
  }

  private Payload payload() {
    String text = text("payload", "random");
    return switch (text) {
      case "random" -> Payload.RANDOM;
      case "zero" -> Payload.ZERO;
      default -> bytes(text);
    };
  }

  private static Payload bytes(String text) {
    try (var in = Files.newInputStream(path("payload", text))) {
      byte[] bytes = in.readNBytes(SizeMix.MAX);
      if (bytes.length == 0) {
        throw wrong("payload", text, "the file is empty");
      }
      return new Payload(bytes);
    } catch (IOException e) {
      throw wrong("payload", text, "write random, zero, or the path of a file that may be read");
    }
  }

  private static Path path(String key, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw wrong(key, text, "write the path of a file");
    }
  }

  private boolean truth(String key) {
    String text = text(key, "false");
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(key, text, "write true or false");
    };
  }

  private String text(String key, String missing) {
    return values.getOrDefault(key, missing);
  }

  private static ConfigException wrong(String key, @Nullable String text, String remedy) {
    return ValueRange.wrong(key, String.valueOf(text), remedy);
  }
}
