package io.linerate.core.log;

import java.text.MessageFormat;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * One logger of the program's log.
 *
 * @param isJdk whether it belongs to the JDK, which tells at DEBUG what no user of a program asks
 *     for: each request to its HTTP server, and the stack at the end. It is logged from INFO on,
 *     and all of it at TRACE
 */
record ProgramLogger(String name, boolean isJdk, ProgramLog log) implements System.Logger {
  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean isLoggable(Level level) {
    return log.isLogged(isJdk && level == Level.DEBUG ? Level.TRACE : level);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String message,
      @Nullable Throwable thrown) {
    if (isLoggable(level)) {
      log.add(level, name, localized(bundle, message), thrown);
    }
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object... parameters) {
    if (isLoggable(level)) {
      String text = localized(bundle, format);
      boolean hasParameters = parameters != null && parameters.length > 0;
      String message = hasParameters ? MessageFormat.format(text, parameters) : text;
      log.add(level, name, message, null);
    }
  }

  private static String localized(@Nullable ResourceBundle bundle, @Nullable String message) {
    if (message == null) {
      return "null";
    }
    try {
      return bundle == null ? message : bundle.getString(message);
    } catch (MissingResourceException e) {
      return message;
    }
  }
}
