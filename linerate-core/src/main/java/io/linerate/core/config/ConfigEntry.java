package io.linerate.core.config;

/**
 * A key with its value, and where the user wrote it.
 *
 * @param origin {@code FILE:LINE} or {@code --set}: what messages begin with
 */
record ConfigEntry(String origin, String key, String value) {
  static final String OVERRIDE = "--set";

  ConfigException error(String what, String remedy) {
    return new ConfigException(origin + ": " + what + ": " + key + "=" + value + "; " + remedy);
  }
}
