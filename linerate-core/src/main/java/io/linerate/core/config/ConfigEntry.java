package io.linerate.core.config;

/**
 * A value as somebody wrote it, and where.
 *
 * @param origin {@code FILE:LINE} or {@code --set}, with which messages begin; "" for a program
 * @param key by which the value was called: that of its setting, or another name of it
 */
public record ConfigEntry(String origin, String key, String value) {
  static final String OVERRIDE = "--set";

  /** Whether it is no line of a file, so that people find it without its place. */
  public boolean isOverride() {
    return origin.isEmpty() || origin.equals(OVERRIDE);
  }

  /** An error that names place, key and value. */
  public ConfigException error(String what, String remedy) {
    return error(what + ": " + key + "=" + value + "; " + remedy);
  }

  /** An error that names the place. */
  ConfigException error(String message) {
    return new ConfigException(origin.isEmpty() ? message : origin + ": " + message);
  }
}
