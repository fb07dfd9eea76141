package io.linerate.graph;

import java.util.List;

/**
 * An input or output of an element.
 *
 * @param name unique among the inputs, or outputs, of its element
 * @param isOptional whether it may be left unconnected
 * @param isAlternative whether it is one of several inputs for the same, of which any one will do
 * @param type what passes it
 */
public record ElementPort(String name, boolean isOptional, boolean isAlternative, TokenType type) {
  /** One that is no alternative. */
  public ElementPort(String name, boolean isOptional) {
    this(name, isOptional, false);
  }

  /** One for packets. */
  public ElementPort(String name, boolean isOptional, boolean isAlternative) {
    this(name, isOptional, isAlternative, TokenType.PACKETS);
  }

  /** One for tokens. */
  static ElementPort ofTokens(String name, TokenType type, boolean isOptional) {
    return new ElementPort(name, isOptional, false, type);
  }

  static List<String> names(List<ElementPort> ports) {
    return ports.stream().map(ElementPort::name).toList();
  }
}
