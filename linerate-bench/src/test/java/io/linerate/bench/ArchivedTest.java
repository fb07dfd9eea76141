package io.linerate.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** {@code archive/run}: what it says when it cannot. */
class ArchivedTest {
  private static final Path SCRIPT = Path.of("archive/run");

  @TempDir Path folder;

  @Test
  void shouldHaveTheSameNamesInTheScript() throws Exception {
    String said = run(SCRIPT, System.getenv("PATH"), "speed");
    assertThat(said).startsWith("linerate: no such archived benchmark: name=speed; give ");
    assertThat(Archived.ALL).allSatisfy(one -> assertThat(said).contains(one.name()));
    assertThat(said.split("; give ", -1)[1].strip().split(", | or ")).hasSameSizeAs(Archived.ALL);
  }

  @Test
  void shouldSayThatItNeedsGit() throws Exception {
    Path programs = Files.createDirectory(folder.resolve("bin"));
    for (String name : new String[] {"bash", "dirname", "readlink"}) {
      Files.copy(program(name), programs.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
    }
    assertThat(run(SCRIPT, programs.toString(), "access")).startsWith("linerate: no git: ");
  }

  @Test
  void shouldSayThatItNeedsAClone() throws Exception {
    program("git");
    assertThat(run(copy(), System.getenv("PATH"), "access"))
        .contains("linerate: not a clone: folder=" + folder.toRealPath());
  }

  @Test
  void shouldSayThatItNeedsTheHistory() throws Exception {
    new ProcessBuilder(program("git").toString(), "init", "--quiet", folder.toString())
        .start()
        .waitFor();
    assertThat(run(copy(), System.getenv("PATH"), "access"))
        .startsWith("linerate: history lacks the commit: commit=")
        .contains("git fetch --unshallow");
  }

  private static Path program(String name) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new TestAbortedException("skipped: no program " + name));
  }

  /** The script as the only file of a project. */
  private Path copy() throws IOException {
    Path archive = Files.createDirectories(folder.resolve("linerate-bench/archive"));
    return Files.copy(SCRIPT, archive.resolve("run"));
  }

  /** What it prints when it fails. */
  private String run(Path script, String path, String name) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(program("bash").toString(), script.toAbsolutePath().toString(), name);
    builder.environment().put("PATH", path);
    builder
        .environment()
        .put("GIT_CEILING_DIRECTORIES", folder.toRealPath().getParent().toString());
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isPositive();
    return said;
  }
}
