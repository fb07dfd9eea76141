package io.linerate.systemtest;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Output;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The types that a handler is given, and all that their public members lead to. */
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

  /** Whether what it does is not checked. */
  static boolean isOfDrivers(Class<?> type) {
    return type.getPackageName().equals("io.linerate.core.driver");
  }

  /**
   * Those and every type of Linerate's that a public method or field of one of them gives: returns
   * it, or calls a function with it that was passed to the method.
   */
  static Set<Class<?>> reachable() {
    Set<Class<?>> seen = new LinkedHashSet<>(GIVEN);
    Deque<Class<?>> left = new ArrayDeque<>(GIVEN);
    while (!left.isEmpty()) {
      given(left.remove())
          .flatMap(HandlerTypes::classes)
          .filter(type -> type.getName().startsWith("io.linerate."))
          .filter(seen::add)
          .forEach(left::add);
    }
    return seen;
  }

  private static Stream<Type> given(Class<?> type) {
    Stream<Type> returned = methods(type).map(Method::getGenericReturnType);
    Stream<Type> fields = Stream.of(type.getFields()).map(Field::getGenericType);
    return Stream.of(returned, fields, methods(type).flatMap(HandlerTypes::calledWith))
        .flatMap(each -> each);
  }

  /** What functions are called with that are passed to the method. */
  private static Stream<Type> calledWith(Method method) {
    return Stream.of(method.getGenericParameterTypes())
        .flatMap(parameter -> {
          Stream<Type> arguments =
              parameter instanceof ParameterizedType type
                  ? Stream.of(type.getActualTypeArguments())
                  : Stream.empty();
          Stream<Type> own =
              classes(parameter)
                  .filter(Class::isInterface)
                  .flatMap(HandlerTypes::methods)
                  .filter(called -> Modifier.isAbstract(called.getModifiers()))
                  .flatMap(called -> Stream.of(called.getGenericParameterTypes()));
          return Stream.concat(arguments, own);
        });
  }

  /** The classes that a type is written with. */
  private static Stream<Class<?>> classes(Type type) {
    return switch (type) {
      case Class<?> it when it.isArray() -> classes(it.getComponentType());
      case Class<?> it -> Stream.of(it);
      case GenericArrayType it -> classes(it.getGenericComponentType());
      case ParameterizedType it ->
          Stream.concat(
              classes(it.getRawType()),
              Stream.of(it.getActualTypeArguments()).flatMap(HandlerTypes::classes));
      case WildcardType it ->
          Stream.concat(Stream.of(it.getUpperBounds()), Stream.of(it.getLowerBounds()))
              .flatMap(HandlerTypes::classes);
      default -> Stream.empty();
    };
  }

  /** What a program of any package may call of a type. */
  static Stream<Method> methods(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(method -> !method.getDeclaringClass().equals(Object.class))
        .filter(method -> Modifier.isPublic(method.getModifiers()));
  }
}
