package io.linerate.dashboard.control;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.ReceiveFilter;
import io.linerate.filter.FilterException;
import io.linerate.filter.FilterNames;
import io.linerate.filter.FilterOptions;
import io.linerate.filter.PacketFilter;

/** Filters that taps are given. */
public final class TapFilter {
  /** Characters of one that comes over HTTP: it takes less than half a second. */
  private static final int MAX_LENGTH = 1_000;

  private TapFilter() {}

  /**
   * The filter that a text says.
   *
   * @throws ConfigException if it is wrong
   */
  public static ReceiveFilter compile(String expression) {
    return compile(expression, FilterOptions.defaults());
  }

  /** One that comes over HTTP: it is short, and no name in it is looked up. */
  static ReceiveFilter ofRequest(String expression) {
    if (expression.length() > MAX_LENGTH) {
      throw new ConfigException(
          "filter is too long: length=%d, most=%d; use net with prefixes"
              .formatted(expression.length(), MAX_LENGTH));
    }
    return compile(expression, FilterOptions.defaults().withNames(FilterNames.none()));
  }

  private static ReceiveFilter compile(String expression, FilterOptions options) {
    try {
      return PacketFilter.compile(expression, options);
    } catch (FilterException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }
}
