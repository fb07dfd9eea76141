package io.linerate.graph;

import java.util.List;

/**
 * An input or output of an element.
 *
 * @param name unique among the inputs, or outputs, of its element
 * @param isOptional whether it may be left unconnected
 */
public record ElementPort(String name, boolean isOptional) {
  static List<String> names(List<ElementPort> ports) {
    return ports.stream().map(ElementPort::name).toList();
  }
}
