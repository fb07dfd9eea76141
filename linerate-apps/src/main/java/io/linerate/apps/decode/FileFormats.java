package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import java.util.ServiceLoader;
import java.util.function.Function;

/** Formats of files, each from a module of its own: found as services. */
public final class FileFormats {
  private static final String PARQUET = "parquet";

  private FileFormats() {}

  /**
   * That of Parquet files.
   *
   * @param type of what is written
   * @throws ConfigException if there is none
   */
  public static <F> F parquet(Class<F> type, Function<F, String> name) {
    return ServiceLoader.load(type).stream()
        .map(ServiceLoader.Provider::get)
        .filter(one -> name.apply(one).equals(PARQUET))
        .findFirst()
        .orElseThrow(() ->
            new ConfigException(
                "no Parquet files can be written: format=parquet; put linerate-parquet and what it needs on the class path"));
  }
}
