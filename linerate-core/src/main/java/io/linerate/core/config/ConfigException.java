package io.linerate.core.config;

/**
 * The user asked for something that cannot be: a wrong key, value or address. The message says what
 * to write instead.
 */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }
}
