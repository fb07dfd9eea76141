package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the modules offer is what {@code docs/api} says, and no change of it lacks its line in the
 * changelog.
 */
class PublicApiTest {
  private static final String CHANGE = System.getProperty("linerate.api.change", "").strip();
  private static final String HEADING = "# last change: ";
  private static final Path DOCS = Lab.project().resolve("docs");
  private static final Path FILES = DOCS.resolve("api");

  private static final Pattern PACKAGE = Pattern.compile("io\\.linerate(\\.[a-z]+)+(?=\\.[A-Z])");

  /** A command, and what only commands have or give: rules, an address that was read. */
  private static final List<String> FOR_OURSELVES =
      List.of("GenerateCommand", "dashboard.DashboardSettings", "dashboard.WatchedProgram");

  static List<ModuleReference> modules() {
    return ProductModules.all().stream()
        .filter(module -> !ProductModules.exported(module).isEmpty())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void shouldOfferWhatIsWritten(ModuleReference module) throws IOException {
    Path file = file(module);
    List<String> offered = PublicApi.of(module);
    if (!CHANGE.isEmpty() && !change(written(file), offered).isEmpty()) {
      accept(file, offered);
    }
    List<String> written = written(file);
    assertThat(change(written, offered))
        .as(
            "public API changed: file=%s; take it back, or write a line into CHANGELOG.md and run:"
                + " ./linerate test -pl linerate-system-tests -am -Dtest=PublicApiTest"
                + " -Dlinerate.api.change=\"THAT LINE\"",
            file)
        .isEmpty();
    requireInChangelog(file, written.getFirst().substring(HEADING.length()));
  }

  private static Path file(ModuleReference module) {
    return FILES.resolve(module.descriptor().name() + ".txt");
  }

  private static List<String> written(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of(HEADING);
  }

  private static void accept(Path file, List<String> offered) throws IOException {
    requireInChangelog(file, CHANGE);
    List<String> lines = new ArrayList<>(offered);
    lines.addFirst(HEADING + CHANGE);
    Files.createDirectories(FILES);
    Files.write(file, lines);
  }

  private static List<String> change(List<String> written, List<String> offered) {
    return Stream.concat(
            written.stream()
                .skip(1)
                .filter(line -> !offered.contains(line))
                .map("removed: "::concat),
            offered.stream().filter(line -> !written.contains(line)).map("added: "::concat))
        .toList();
  }

  /** However its lines are broken. */
  private static void requireInChangelog(Path file, String change) throws IOException {
    String changelog = Files.readString(DOCS.resolveSibling("CHANGELOG.md"));
    assertThat(changelog.replaceAll("\\s+", " ").contains("- " + change))
        .as("no such line in CHANGELOG.md: line=%s, file=%s; write it there first", change, file)
        .isTrue();
  }

  @Test
  void shouldNameNoTypeThatProgramsCannotUse() throws IOException {
    List<String> exported = exported();
    List<String> offered = new ArrayList<>();
    for (ModuleReference module : modules()) {
      offered.addAll(PublicApi.of(module));
    }
    assertThat(offered)
        .filteredOn(line -> FOR_OURSELVES.stream().noneMatch(line::contains))
        .filteredOn(line -> !exported.containsAll(packages(line)))
        .isEmpty();
  }

  private static List<String> packages(String line) {
    return PACKAGE.matcher(line).results().map(MatchResult::group).toList();
  }

  @Test
  void shouldHaveNoFileWithoutItsModule() throws IOException {
    try (Stream<Path> files = Files.list(FILES)) {
      assertThat(files)
          .containsExactlyInAnyOrderElementsOf(
              modules().stream().map(PublicApiTest::file).toList());
    }
  }

  @Test
  void shouldSayForWhomEachExportedPackageIs() throws IOException {
    assertThat(Files.readAllLines(DOCS.resolve("api.md")))
        .filteredOn(line -> line.startsWith("| `"))
        .extracting(line -> line.split("`", 3)[1])
        .containsExactlyInAnyOrderElementsOf(exported());
  }

  private static List<String> exported() {
    return modules().stream().flatMap(module -> ProductModules.exported(module).stream()).toList();
  }
}
