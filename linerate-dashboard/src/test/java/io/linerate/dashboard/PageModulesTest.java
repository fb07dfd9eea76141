package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The modules of the page as files. */
class PageModulesTest {
  private static final Path PAGE =
      Path.of("src", "main", "resources", "io", "linerate", "dashboard", "page");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*from \"(\\.[^\"]+)\";$");

  private static List<Path> imports(Path module) throws IOException {
    return IMPORT
        .matcher(Files.readString(module))
        .results()
        .map((MatchResult one) -> module.resolveSibling(one.group(1)).normalize())
        .toList();
  }

  @Test
  void shouldImportNothingThatImportsIt() throws IOException {
    Map<Path, List<Path>> all = new HashMap<>();
    try (Stream<Path> files = Files.walk(PAGE)) {
      for (Path module : files.filter(file -> file.toString().endsWith(".js")).toList()) {
        all.put(module, imports(module));
      }
    }
    assertThat(all.keySet()).containsAll(all.values().stream().flatMap(List::stream).toList());
    Set<Path> inCircles =
        all.keySet().stream()
            .filter(module -> reached(all, module).contains(module))
            .collect(Collectors.toSet());
    assertThat(inCircles).isEmpty();
    assertThat(reached(all, PAGE.resolve("main.js"))).hasSizeGreaterThan(20);
  }

  private static Set<Path> reached(Map<Path, List<Path>> all, Path from) {
    Set<Path> reached = new LinkedHashSet<>();
    Deque<Path> next = new ArrayDeque<>(all.get(from));
    while (!next.isEmpty()) {
      Path module = next.pop();
      if (reached.add(module)) {
        next.addAll(all.get(module));
      }
    }
    return reached;
  }
}
