package io.linerate.apps;

import java.io.PrintStream;
import java.text.MessageFormat;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Messages of {@link System.Logger} as lines on standard error, from INFO on; an exception follows
 * with its stack. It spares the start the time that java.util.logging takes to set itself up.
 */
public final class TerseLoggerFinder extends System.LoggerFinder {
  @Override
  public System.Logger getLogger(String name, Module module) {
    return new TerseLogger(name, System.err);
  }

  /** One logger. */
  record TerseLogger(String name, PrintStream err) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level != Level.OFF && level.getSeverity() >= Level.INFO.getSeverity();
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (!isLoggable(level)) {
        return;
      }
      String kind =
          switch (level) {
            case WARNING -> "warning: ";
            case ERROR -> "error: ";
            default -> "";
          };
      err.println("linerate: " + kind + localized(bundle, message));
      if (thrown != null) {
        thrown.printStackTrace(err);
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
        log(level, null, message, (Throwable) null);
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
}
