package io.linerate.systemtest;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Output;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The types that a handler is given, and all that their public methods lead to. */
final class HandlerTypes {
  /** What handlers of workers and of elements are called with, and send through. */
  static final List<Class<?>> GIVEN =
      List.of(
          Burst.class,
          HeldPackets.class,
          Packet.class,
          Port.class,
          Output.class,
          io.linerate.graph.Outlet.class,
          io.linerate.graph.Wiring.class);

  private HandlerTypes() {}

  /** Those and every type of Linerate's that a public method of one of them returns. */
  static Set<Class<?>> reachable() {
    Set<Class<?>> seen = new LinkedHashSet<>(GIVEN);
    Deque<Class<?>> left = new ArrayDeque<>(GIVEN);
    while (!left.isEmpty()) {
      methods(left.remove())
          .map(Method::getReturnType)
          .map(type -> type.isArray() ? type.getComponentType() : type)
          .filter(type -> type.getName().startsWith("io.linerate."))
          .filter(seen::add)
          .forEach(left::add);
    }
    return seen;
  }

  /** What a program of any package may call of a type. */
  static Stream<Method> methods(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(method -> !method.getDeclaringClass().equals(Object.class))
        .filter(method -> Modifier.isPublic(method.getModifiers()));
  }
}
