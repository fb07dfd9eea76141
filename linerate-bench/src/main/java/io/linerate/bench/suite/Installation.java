package io.linerate.bench.suite;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the launcher starts: the jars of the applications, in its order, and its cache of loaded and
 * linked classes beside them.
 *
 * @param classPath of the applications alone: a cache is good for exactly one
 */
public record Installation(String classPath) {
  /**
   * The options of the launcher, see linerate-apps/jvm.options, which this JVM has too: not what is
   * for one program alone, such as a cache.
   */
  public static final List<String> JVM_FLAGS =
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(option ->
              (option.startsWith("-XX:") && !option.startsWith("-XX:AOT"))
                  || option.startsWith("--enable-native-access"))
          .toList();

  private static final String CACHE = "linerate.aot";
  private static final Path JARS = Path.of("linerate-apps", "target");
  private static final Path BENCH_JARS = Path.of("linerate-bench", "target");

  /** The one that this JVM was started with; all of its class path, when that is a build's own. */
  public static Installation find() {
    String all = System.getProperty("java.class.path");
    List<String> entries =
        Pattern.compile(Pattern.quote(File.pathSeparator)).splitAsStream(all).toList();
    if (!entries.stream().allMatch(entry -> isIn(JARS, entry) || isIn(BENCH_JARS, entry))) {
      return new Installation(all);
    }
    return new Installation(
        entries.stream()
            .filter(entry -> isIn(JARS, entry))
            .collect(Collectors.joining(File.pathSeparator)));
  }

  /** Whether it is a jar in a folder of {@code target}, whose name is another one each build. */
  private static boolean isIn(Path target, String entry) {
    Path folder = Path.of(entry, "..", "..").toAbsolutePath().normalize();
    return entry.endsWith(".jar") && folder.endsWith(target);
  }

  /** The cache, if the launcher has made one. */
  public Optional<Path> cache() {
    Path folder = Path.of(classPath.split(File.pathSeparator, -1)[0]).toAbsolutePath().getParent();
    return Optional.ofNullable(folder)
        .map(path -> path.resolve(CACHE))
        .filter(path -> Files.isReadable(path) && path.toFile().length() > 0);
  }

  /** The launcher's command, up to the arguments of the program. */
  public List<String> javaCommand(List<String> jvmOptions) {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(JVM_FLAGS);
    words.addAll(jvmOptions);
    words.addAll(List.of("-cp", classPath, "io.linerate.apps.Main"));
    return words;
  }
}
