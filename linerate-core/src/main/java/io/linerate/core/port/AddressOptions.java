package io.linerate.core.port;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EnumText;
import io.linerate.core.config.NearestWord;
import io.linerate.core.config.NumberText;
import io.linerate.core.config.PathText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the scheme of a port's address: {@code key=value} pairs separated by commas,
 * in any order. A part without {@code =} has the value "", one without anything is none. A
 * backslash takes the next character as it is, for names that contain a comma. {@code port=} takes
 * all that follows as it stands: the address of the port that a decorating port stands before.
 *
 * <p>What is wrong is a {@link ConfigException} that names the key, its value, the whole address
 * and what is allowed.
 */
public final class AddressOptions {
  /** The key of a decorated port's address. Whoever knows it wants it. */
  public static final String PORT = "port";

  private static final int MAX_NUMBER = 9_999;

  private enum Switch {
    ON,
    OFF
  }

  private final PortAddress address;
  private final String name;
  private final Map<String, String> values = new HashMap<>();

  private AddressOptions(PortAddress address, String name, List<String> parts, List<String> keys) {
    this.address = address;
    this.name = name;
    for (String part : parts) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? part : part.substring(0, equals);
      if (!part.isEmpty()) {
        put(key, equals < 0 ? "" : part.substring(equals + 1), keys);
      }
    }
  }

  /**
   * Reads an address of options only.
   *
   * @param keys that the driver knows
   * @throws ConfigException if a key is unknown or stands twice, or {@link #PORT} is missing
   */
  public static AddressOptions of(PortAddress address, List<String> keys) {
    List<String> parts = split(address.rest(), keys.contains(PORT));
    if (keys.contains(PORT) && !parts.getLast().startsWith(PORT + "=")) {
      throw new ConfigException(
          "no port behind the decoration: address=%s; write %s:[KEY=VALUE,...,]port=ADDRESS, with port= at the end"
              .formatted(address, address.scheme()));
    }
    return new AddressOptions(address, "", parts, keys);
  }

  /**
   * Reads an address whose first part is the name of what is opened: {@code NAME[,key=value,...]}.
   * The name may be that of a key.
   *
   * @param keys that the driver knows
   * @throws ConfigException if a key is unknown or stands twice
   */
  public static AddressOptions named(PortAddress address, List<String> keys) {
    List<String> parts = split(address.rest(), false);
    return new AddressOptions(address, parts.removeFirst().strip(), parts, keys);
  }

  /**
   * Reads some parts of an address whose others are not ours to read.
   *
   * @param parts each {@code key=value}
   * @param keys that the driver knows
   * @throws ConfigException if a key is unknown or stands twice
   */
  public static AddressOptions ofParts(PortAddress address, List<String> parts, List<String> keys) {
    return new AddressOptions(address, "", parts, keys);
  }

  /**
   * Parts between commas, at least one, without the backslashes.
   *
   * @param endsWithPort whether {@code port=} begins the last part, wherever it ends
   */
  private static List<String> split(String text, boolean endsWithPort) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (endsWithPort && part.isEmpty() && text.startsWith(PORT + "=", i)) {
        part.append(text, i, text.length());
        break;
      } else if (c == '\\' && i + 1 < text.length()) {
        part.append(text.charAt(++i));
      } else if (c == ',') {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }

  private void put(String key, String value, List<String> keys) {
    if (!keys.contains(key)) {
      String hint = NearestWord.to(key, keys).map(near -> "did you mean " + near + "? ").orElse("");
      throw new ConfigException(
          "unknown key in an address: key=%s, address=%s; %s%s: has %s"
              .formatted(key, address, hint, address.scheme(), String.join(", ", keys)));
    }
    if (values.putIfAbsent(key, value) != null) {
      throw new ConfigException(
          "key stands twice in an address: key=%s, address=%s; leave one out"
              .formatted(key, address));
    }
  }

  public PortAddress address() {
    return address;
  }

  /**
   * The name in front of the options.
   *
   * @param problem what to say of another
   * @param remedy what to write instead
   * @throws ConfigException if {@code isName} says no
   */
  public String name(Predicate<String> isName, String problem, String remedy) {
    if (!isName.test(name)) {
      throw new ConfigException(
          "%s: name=%s, address=%s; %s".formatted(problem, name, address, remedy));
    }
    return name;
  }

  /** The address of the port behind a decorating port. */
  public PortAddress port() {
    return PortAddress.parse(text(PORT));
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** The value as it stands, or {@code ""}. */
  public String text(String key) {
    return values.getOrDefault(key, "");
  }

  /** Whether a key that takes no value is there. */
  public boolean flag(String key) {
    if (!text(key).isEmpty()) {
      throw wrong(key, key + " without a value");
    }
    return has(key);
  }

  /** {@code on} or {@code off}. */
  public boolean isOn(String key, boolean otherwise) {
    return word(key, otherwise ? Switch.ON : Switch.OFF) == Switch.ON;
  }

  /** The constant that the value is: see {@link EnumText}. */
  public <E extends Enum<E>> E word(String key, E otherwise) {
    Class<E> type = otherwise.getDeclaringClass();
    return has(key)
        ? EnumText.read(text(key), type)
            .orElseThrow(() -> wrong(key, "one of " + EnumText.all(type)))
        : otherwise;
  }

  /** A whole number from {@code min} to {@code max}. */
  public int number(String key, int otherwise, int min, int max) {
    return (int) number(key, otherwise, min, max, min + " to " + max);
  }

  /**
   * A whole number from {@code min} to {@code max}.
   *
   * @param allowed what may stand there, in words
   */
  public long number(String key, long otherwise, long min, long max, String allowed) {
    try {
      long number = has(key) ? Long.parseLong(text(key)) : otherwise;
      if (!has(key) || (number >= min && number <= max)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw wrong(key, allowed);
  }

  /** From 0 to 1; 0 unless given. */
  public double probability(String key) {
    try {
      double value = has(key) ? Double.parseDouble(text(key)) : 0;
      if (value >= 0 && value <= 1) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw wrong(key, "a probability from 0 to 1");
  }

  /** The numbers of {@code N} or {@code N-M}, up to 9999; none for {@code all} and unless given. */
  public List<Integer> range(String key) {
    if (!has(key) || text(key).equals("all")) {
      return List.of();
    }
    return NumberText.range(text(key), MAX_NUMBER)
        .orElseThrow(() -> wrong(key, "all, one number or a range such as 0-3"));
  }

  /** The path of a file, which need not be there; null unless given. */
  public @Nullable Path path(String key) {
    return has(key) ? value(key, Path.of(""), PathText::parse) : null;
  }

  /**
   * A value that the driver reads itself.
   *
   * @param reading throws a {@link ConfigException} that says what is wrong, and what to do
   */
  public <T> T value(String key, T otherwise, Function<String, T> reading) {
    try {
      return has(key) ? reading.apply(text(key)) : otherwise;
    } catch (ConfigException e) {
      throw new ConfigException(wrong(key) + ": " + e.getMessage());
    }
  }

  /** What to throw for a value that is not allowed. */
  public ConfigException wrong(String key, String allowed) {
    return new ConfigException(wrong(key) + "; write " + allowed);
  }

  private String wrong(String key) {
    return "wrong value in an address: %s=%s, address=%s".formatted(key, text(key), address);
  }
}
