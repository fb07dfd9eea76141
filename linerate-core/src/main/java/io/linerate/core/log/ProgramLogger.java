package io.linerate.core.log;

import java.text.MessageFormat;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** One logger of the program's log. */
record ProgramLogger(String name, ProgramLog log) implements System.Logger {
  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean isLoggable(Level level) {
    return log.isLogged(level);
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
