package io.linerate.core.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShimTest {
  private static final ShimName NAME =
      new ShimName(
          "liblinerate_sample.so",
          "sample",
          "gcc and libsample-dev",
          "the sample (Debian: apt install sample)",
          problem -> new IllegalStateException("samples are unavailable: " + problem));

  @TempDir private Path directory;

  @Test
  void shouldSayThatTheBuildHasNoShim() {
    Shim shim = Shim.load(NAME, null, "linux-pdp11");
    assertThat(shim.symbols()).isNull();
    assertThat(shim.problem()).contains("no sample shim for linux-pdp11", "libsample-dev");
  }

  @Test
  void shouldSayWhyTheLibraryDoesNotLoad() throws Exception {
    Path file =
        Files.writeString(directory.resolve("liblinerate_sample.so"), "not a library".repeat(100));
    Shim shim = Shim.load(NAME, file.toUri().toURL(), "linux");
    assertThat(shim.symbols()).isNull();
    assertThat(shim.problem()).contains("reason=", "invalid ELF header", "apt install sample");
  }

  @Test
  void shouldSayWhichLibraryIsMissing() throws Exception {
    Path source =
        Files.writeString(directory.resolve("missing.c"), "int lr_missing(void) { return 0; }");
    Path missing = directory.resolve("liblrmissing.so");
    Path file = directory.resolve("liblinerate_sample.so");
    compile("-shared", "-fPIC", "-o", missing.toString(), source.toString());
    Path user =
        Files.writeString(
            directory.resolve("user.c"),
            "int lr_missing(void); int lr(void) { return lr_missing(); }");
    compile(
        "-shared",
        "-fPIC",
        "-o",
        file.toString(),
        user.toString(),
        "-L" + directory,
        "-llrmissing");
    Files.delete(missing);
    assertThat(Shim.load(NAME, file.toUri().toURL(), "linux").problem())
        .contains("liblrmissing.so", "cannot open shared object file");
  }

  private static void compile(String... arguments) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "no gcc");
    String[] command = new String[arguments.length + 1];
    command[0] = "/usr/bin/gcc";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void shouldLoadOutOfAJarAndLeaveNoFile() throws Exception {
    Path source = Files.writeString(directory.resolve("one.c"), "long lr_one(void) { return 1; }");
    Path built = directory.resolve("one.so");
    compile("-shared", "-fPIC", "-o", built.toString(), source.toString());
    Path jar = directory.resolve("shim.jar");
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        var in = Files.newInputStream(built)) {
      out.putNextEntry(new ZipEntry("shim.so"));
      in.transferTo(out);
    }
    long before = copies();
    Shim shim = Shim.load(NAME, URI.create("jar:" + jar.toUri() + "!/shim.so").toURL(), "linux");
    assertThat(shim.problem()).isEmpty();
    assertThat(CFunction.call(shim.function("lr_one"))).isEqualTo(1);
    assertThatThrownBy(() -> CFunction.call(shim.function("lr_two")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the shim lacks lr_two; build again");
    assertThat(copies()).isEqualTo(before);
  }

  private static long copies() throws Exception {
    try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(file -> file.toString().endsWith("liblinerate_sample.so")).count();
    }
  }
}
