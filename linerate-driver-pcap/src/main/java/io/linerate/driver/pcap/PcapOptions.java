package io.linerate.driver.pcap;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an address of this driver asks for.
 *
 * @param passes how often the file is read; {@link PcapRxQueue#FOREVER}
 * @param paced whether packets come at the distances at which they were recorded
 */
record PcapOptions(@Nullable Path rx, @Nullable Path tx, long passes, boolean paced) {
  private static final List<String> KEYS = List.of("rx", "tx", "loop", "pace");

  static PcapOptions parse(PortAddress address) {
    Map<String, String> options = address.options(KEYS);
    PcapOptions parsed =
        new PcapOptions(
            path(options.get("rx"), "rx", address),
            path(options.get("tx"), "tx", address),
            passes(options.get("loop"), address),
            paced(options.get("pace"), address));
    if (parsed.rx == null && parsed.tx == null) {
      throw new ConfigException(
          "port has no file: address=" + address + "; write pcap:rx=PATH, pcap:tx=PATH or both");
    }
    if (parsed.rx == null && (options.containsKey("loop") || options.containsKey("pace"))) {
      throw new ConfigException(
          "loop and pace need a file to read: address=" + address + "; add rx=PATH");
    }
    return parsed;
  }

  private static @Nullable Path path(@Nullable String text, String key, PortAddress address) {
    if (text == null) {
      return null;
    }
    if (text.isEmpty()) {
      throw wrong(key, text, address, "a file name");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw wrong(key, text, address, "a file name that this machine allows");
    }
  }

  private static long passes(@Nullable String text, PortAddress address) {
    if (text == null) {
      return 1;
    }
    if (text.equals("forever")) {
      return PcapRxQueue.FOREVER;
    }
    try {
      long passes = Long.parseLong(text);
      if (passes > 0) {
        return passes;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong("loop", text, address, "a number from 1, or forever");
  }

  private static boolean paced(@Nullable String text, PortAddress address) {
    if (text == null || text.equals("none")) {
      return false;
    }
    if (text.equals("recorded")) {
      return true;
    }
    throw wrong("pace", text, address, "none or recorded");
  }

  private static ConfigException wrong(
      String key, String value, PortAddress address, String allowed) {
    return new ConfigException(
        "wrong value in a port address: %s=%s, address=%s; %s is allowed"
            .formatted(key, value, address, allowed));
  }
}
