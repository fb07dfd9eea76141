package io.linerate.graph;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;

/**
 * An element of a graph that runs, in words.
 *
 * @param type name of its class
 * @param parameters {@code name=value, …}, shortened where they are long; "" if it has none
 * @param page its manual page, plain text; "" if there is none
 * @param handlers what there is to read and write
 * @param receives names of ports of the engine that it brings packets of
 * @param transmits names of ports of the engine that it sends packets to
 */
public record ElementDescription(
    String name,
    String type,
    String parameters,
    String page,
    List<HandlerInfo> handlers,
    List<String> receives,
    List<String> transmits) {
  private static final int MAX_VALUE_LENGTH = 200;

  public ElementDescription {
    handlers = List.copyOf(handlers);
    receives = List.copyOf(receives);
    transmits = List.copyOf(transmits);
  }

  static ElementDescription of(PlacedElement placed, List<HandlerInfo> handlers) {
    Class<?> type = placed.element().getClass();
    Shape shape = placed.element().shape();
    return new ElementDescription(
        placed.name(),
        type.getSimpleName(),
        parameters(placed.element()),
        ElementPage.of(type),
        handlers,
        shape.receives(),
        shape.transmits());
  }

  private static String parameters(Element element) {
    RecordComponent[] components = element.getClass().getRecordComponents();
    if (components == null) {
      return "";
    }
    List<String> parameters = new ArrayList<>();
    for (RecordComponent component : components) {
      String value = value(element, component);
      if (!value.isEmpty()) {
        parameters.add(component.getName() + "=" + value);
      }
    }
    return String.join(", ", parameters);
  }

  private static String value(Element element, RecordComponent component) {
    try {
      component.getAccessor().setAccessible(true); // The class itself may not be public.
      Object value = component.getAccessor().invoke(element);
      return value == null || isNameless(value) ? "" : shortened(value.toString());
    } catch (IllegalAccessException | InvocationTargetException | RuntimeException e) {
      return "";
    }
  }

  /** Whether it has no text of its own, but that of {@link Object#toString}. */
  private static boolean isNameless(Object value) {
    return value.toString().startsWith(value.getClass().getName() + "@")
        || value.getClass().isHidden();
  }

  private static String shortened(String text) {
    return text.length() <= MAX_VALUE_LENGTH ? text : text.substring(0, MAX_VALUE_LENGTH) + "…";
  }
}
