package io.linerate.graph;

import java.util.List;

/**
 * An input or output of an element.
 *
 * @param name unique among the inputs, or outputs, of its element
 * @param isOptional whether it may be left unconnected
 * @param isAlternative whether it is one of several inputs for the same, of which any one will do
 */
public record ElementPort(String name, boolean isOptional, boolean isAlternative) {
  /** One that is no alternative. */
  public ElementPort(String name, boolean isOptional) {
    this(name, isOptional, false);
  }

  static List<String> names(List<ElementPort> ports) {
    return ports.stream().map(ElementPort::name).toList();
  }
}
