package io.linerate.core.memory;

/**
 * Makes filters of texts: what the setting {@code filter} is written in. Found with {@link
 * java.util.ServiceLoader}; {@code linerate-filter} has that of pcap-filter(7).
 */
public interface FilterLanguage {
  /**
   * The filter that a text says.
   *
   * @throws IllegalArgumentException if it is wrong: says where and why, perhaps in several lines
   */
  ReceiveFilter compile(String expression);
}
