package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.port.PortProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor.Provides;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are modules themselves: they need what is exported, and get no more. */
class ModulePathTest {
  private static final String DESCRIPTOR = "module counting { requires io.linerate.core; }";
  private static final String COUNTER =
      """
      package counting;

      import io.linerate.core.memory.DropReason;
      import io.linerate.core.worker.Engine;

      class PacketCounter {
        static void main(String[] arguments) {
          try (var engine = new Engine()) {
            var port = engine.port(arguments[0]);
            engine.worker().input(port, burst -> burst.dropAll(DropReason.CONSUMED));
            IO.println(engine.run().packets().received() + " received");
          }
        }
      }
      """;
  private static final String TRESPASSER =
      """
      package counting;

      import io.linerate.core.flight.Flight;

      class Trespasser {
        Flight flight;
      }
      """;

  /**
   * The modules with native calls, all of which the program gets: drivers are found as services.
   */
  private static final String NATIVE_ACCESS =
      "--enable-native-access=io.linerate.core,io.linerate.driver.dpdk,io.linerate.driver.linux,"
          + "io.linerate.driver.pcap";

  @TempDir Path folder;

  @Test
  void shouldRunAProgramThatIsAModule() throws IOException {
    assertThat(compile("PacketCounter.java", COUNTER)).isEmpty();
    String said =
        Command.run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            NATIVE_ACCESS,
            "--illegal-native-access=deny",
            "--module-path=" + ProductModules.path() + ":" + folder.resolve("classes"),
            "--module=counting/counting.PacketCounter",
            "pcap:rx=" + Lab.project().resolve("examples/captures/mixed.pcapng"));
    assertThat(said).isEqualToIgnoringNewLines("2952 received");
  }

  @Test
  void shouldKeepWhatIsNotExportedFromPrograms() throws IOException {
    assertThat(compile("Trespasser.java", TRESPASSER))
        .contains("package io.linerate.core.flight is not visible");
  }

  @Test
  void shouldProvideTheSamePortsAsOnTheClassPath() {
    List<String> onClassPath =
        ServiceLoader.load(PortProvider.class).stream().map(port -> port.type().getName()).toList();
    assertThat(ProductModules.all().stream().flatMap(module -> providers(module).stream()))
        .containsExactlyInAnyOrderElementsOf(onClassPath);
  }

  @Test
  void shouldCarryNoSources() throws IOException {
    for (ModuleReference module : ProductModules.all()) {
      try (ModuleReader reader = module.open();
          Stream<String> files = reader.list()) {
        assertThat(files.filter(file -> file.endsWith(".java"))).isEmpty();
      }
    }
  }

  private static List<String> providers(ModuleReference module) {
    return module.descriptor().provides().stream()
        .filter(provides -> provides.service().equals(PortProvider.class.getName()))
        .map(Provides::providers)
        .flatMap(List::stream)
        .toList();
  }

  /** Returns what the compiler had to say. */
  private String compile(String name, String source) throws IOException {
    Path descriptor = Files.writeString(folder.resolve("module-info.java"), DESCRIPTOR);
    Path program = Files.writeString(folder.resolve(name), source);
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    int status =
        javac.run(
            out,
            out,
            "--module-path=" + ProductModules.path(),
            "--class-path=" + folder,
            "-Xlint:all",
            "-d",
            folder.resolve("classes").toString(),
            descriptor.toString(),
            program.toString());
    assertThat(status == 0).as(said.toString()).isEqualTo(said.toString().isEmpty());
    return said.toString();
  }
}
