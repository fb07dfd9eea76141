package io.linerate.driver.ring;

import io.linerate.core.config.ConfigException;
import io.linerate.core.port.PortAddress;
import java.util.List;
import java.util.Map;

/** The {@code key=value} pairs of an address, as numbers within their range. */
record Options(PortAddress address, Map<String, String> values) {
  static Options of(PortAddress address, String keysAndValues, List<String> allowed) {
    return new Options(address, new PortAddress(address.scheme(), keysAndValues).options(allowed));
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  /** The value as it stands, or {@code ""}. */
  String text(String key) {
    return values.getOrDefault(key, "");
  }

  long number(String key, long otherwise, long min, long max) {
    if (!has(key)) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text(key));
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw bad(key, "write a whole number from " + min + " to " + max);
  }

  double probability(String key) {
    if (!has(key)) {
      return 0;
    }
    try {
      double value = Double.parseDouble(text(key));
      if (value >= 0 && value <= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw bad(key, "write a probability from 0 to 1");
  }

  ConfigException bad(String key, String whatToDo) {
    return new ConfigException(
        "bad value in a port address: %s=%s, address=%s; %s"
            .formatted(key, text(key), address, whatToDo));
  }
}
