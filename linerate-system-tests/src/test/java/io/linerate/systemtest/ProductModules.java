package io.linerate.systemtest;

import java.io.File;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The modules of Linerate, from the jars on this class path. */
final class ProductModules {
  private ProductModules() {}

  /** By name. */
  static List<ModuleReference> all() {
    Path[] classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toArray(Path[]::new);
    return ModuleFinder.of(classPath).findAll().stream()
        .filter(module -> module.descriptor().name().startsWith("io.linerate."))
        .sorted(Comparator.comparing(module -> module.descriptor().name()))
        .toList();
  }

  /**
   * The modules that a program needs which has packets only, as javac and java take it: the
   * applications provide settings, and with them would come what they need of others.
   */
  static String path() {
    return all().stream()
        .filter(module -> !module.descriptor().name().equals("io.linerate.apps"))
        .map(module -> Path.of(module.location().orElseThrow()).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The packages that everybody may use. */
  static List<String> exported(ModuleReference module) {
    return module.descriptor().exports().stream()
        .filter(exports -> !exports.isQualified())
        .map(Exports::source)
        .sorted()
        .toList();
  }
}
