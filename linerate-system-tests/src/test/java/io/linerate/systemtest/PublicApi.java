package io.linerate.systemtest;

import java.io.IOException;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a module offers to everybody, a line for each class, field, constructor and method. */
final class PublicApi {
  private static final String CLASS_FILE = ".class";
  private static final Set<Type> LEFT_OUT = Set.of(Object.class, Record.class);

  private PublicApi() {}

  /** Sorted by class, then by text. */
  static List<String> of(ModuleReference module) throws IOException {
    List<String> exported = ProductModules.exported(module);
    try (ModuleReader reader = module.open();
        Stream<String> files = reader.list()) {
      return files
          .filter(file -> file.endsWith(CLASS_FILE))
          .map(file -> file.substring(0, file.length() - CLASS_FILE.length()).replace('/', '.'))
          .filter(name -> exported.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))))
          .map(PublicApi::load)
          .filter(PublicApi::isOffered)
          .sorted(Comparator.comparing(Class::getName))
          .flatMap(PublicApi::lines)
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicApi.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("class of another place: name=" + name, e);
    }
  }

  private static boolean isOffered(Class<?> type) {
    return isOffered(type.getModifiers())
        && (type.getEnclosingClass() == null || isOffered(type.getEnclosingClass()));
  }

  private static boolean isOffered(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static Stream<String> lines(Class<?> type) {
    Stream<String> members =
        Stream.<Member[]>of(
                type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
            .flatMap(Arrays::stream)
            .filter(member -> isOffered(member.getModifiers()) && !member.isSynthetic())
            .map(PublicApi::text)
            .sorted();
    return Stream.concat(Stream.of(type.toGenericString() + supertypes(type)), members);
  }

  private static String supertypes(Class<?> type) {
    List<Type> all = new ArrayList<>(List.of(type.getGenericInterfaces()));
    if (type.getSuperclass() != null && !LEFT_OUT.contains(type.getSuperclass())) {
      all.addFirst(type.getGenericSuperclass());
    }
    return all.isEmpty()
        ? ""
        : all.stream().map(Type::getTypeName).collect(Collectors.joining(", ", " extends ", ""));
  }

  /** How a method locks is its own affair. */
  private static String text(Member member) {
    return member instanceof Field field
        ? field.toGenericString()
        : ((Executable) member).toGenericString().replace("synchronized ", "");
  }
}
