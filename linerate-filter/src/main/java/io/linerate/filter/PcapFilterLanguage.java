package io.linerate.filter;

import io.linerate.core.memory.FilterLanguage;
import io.linerate.core.memory.ReceiveFilter;
import java.util.stream.Collectors;

/** The language of pcap-filter(7) as that of the setting {@code filter}. */
public final class PcapFilterLanguage implements FilterLanguage {
  /** A wrong filter is shown in two further lines, with a caret below where it is wrong. */
  @Override
  public ReceiveFilter compile(String expression) {
    try {
      return PacketFilter.compile(expression);
    } catch (FilterException e) {
      String excerpt = e.excerpt().lines().map(line -> "\n  " + line).collect(Collectors.joining());
      throw new IllegalArgumentException(e.getMessage() + excerpt, e);
    }
  }
}
