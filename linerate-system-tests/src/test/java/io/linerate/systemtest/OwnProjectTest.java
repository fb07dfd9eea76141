package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.counter.ProgramInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project that docs/use.md tells to copy: built outside of the tree, from artefacts in a
 * repository, and run.
 */
class OwnProjectTest {
  private static final Path PROJECT = Lab.project().resolve("examples/project");
  private static final Path PAGE = Lab.project().resolve("docs/use.md");

  /** Where this build has put its artefacts. */
  private static final Path REPOSITORY = Lab.project().resolve("target/repository");

  private static final Pattern BLOCK = Pattern.compile("```(xml|java)\n(.*?)```", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void shouldBuildAndRunOutsideOfTheTree() throws IOException {
    Path project = folder.resolve("long-frames");
    Command.run("cp", "-r", PROJECT.toString(), project.toString());
    Command.run(
        "env",
        "JAVA_HOME=" + System.getProperty("java.home"),
        "mvn",
        "-B",
        "-ntp",
        "-s",
        settings().toString(),
        "-Dmaven.repo.local=" + folder.resolve("local"),
        "-f",
        project.toString(),
        "package");
    Path jar = project.resolve("target/long-frames-1.0.jar");
    try (ZipFile file = new ZipFile(jar.toFile())) {
      assertThat(file.getEntry("META-INF/linerate/manual/com.example.MinLength.txt")).isNotNull();
    }
    Path out = folder.resolve("out.pcapng");
    String said =
        Command.run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--illegal-native-access=deny",
            "-jar",
            jar.toString(),
            "pcap:rx=" + Lab.project().resolve("examples/captures/mixed.pcapng"),
            "pcap:tx=" + out,
            "--least",
            "100",
            "--json");
    JsonObject result = JsonParser.parseString(said).getAsJsonObject();
    assertThat(result.get("received").getAsLong()).isEqualTo(2_952);
    assertThat(result.get("sent").getAsLong()).isPositive();
    assertThat(result.getAsJsonObject("dropped").keySet()).containsExactly("too_short");
    assertThat(out).isNotEmptyFile();
  }

  /** The artefacts of this build, and what it has fetched itself before anything is fetched. */
  private Path settings() throws IOException {
    String repositories =
        repository("linerate", REPOSITORY)
            + repository("fetched", Path.of(System.getProperty("user.home"), ".m2/repository"));
    return Files.writeString(
        folder.resolve("settings.xml"),
        """
        <settings>
          <profiles>
            <profile>
              <id>tests</id>
              <repositories>%s</repositories>
              <pluginRepositories>%s</pluginRepositories>
            </profile>
          </profiles>
          <activeProfiles><activeProfile>tests</activeProfile></activeProfiles>
        </settings>
        """
            .formatted(repositories, repositories.replace("repository>", "pluginRepository>")));
  }

  private static String repository(String id, Path folder) {
    return "<repository><id>%s</id><url>%s</url><snapshots><enabled>true</enabled></snapshots></repository>"
        .formatted(id, folder.toUri());
  }

  @Test
  void shouldShowOnThePageWhatTheProjectHas() throws IOException {
    String sources;
    try (Stream<Path> files = Files.walk(PROJECT)) {
      StringBuilder all = new StringBuilder();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file));
      }
      all.append(Files.readString(Lab.project().resolve("examples/PacketCounter.java")));
      sources = withoutIndent(all.toString());
    }
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    int count = 0;
    while (blocks.find()) {
      assertThat(sources)
          .contains(
              withoutIndent(blocks.group(2).replace(ProgramInfo.VERSION, "${linerate.version}")));
      count++;
    }
    assertThat(count).isEqualTo(4);
    assertThat(Files.readString(PROJECT.resolve("pom.xml")))
        .contains("<linerate.version>" + ProgramInfo.VERSION + "</linerate.version>");
  }

  private static String withoutIndent(String text) {
    return text.replaceAll("(?m)^ +", "");
  }

  @Test
  void shouldNameEachArtefactThatIsPublished() throws IOException {
    List<String> published;
    try (Stream<Path> artefacts = Files.list(REPOSITORY.resolve("io/linerate"))) {
      published = artefacts.map(path -> path.getFileName().toString()).sorted().toList();
    }
    assertThat(Files.readString(PAGE)).contains(published);
    String bom = Files.readString(Lab.project().resolve("linerate-bom/pom.xml"));
    assertThat(published)
        .contains("linerate-bom")
        .doesNotContain("linerate-bench", "linerate-system-tests", "linerate")
        .allSatisfy(name -> assertThat(bom).contains("<artifactId>" + name + "</artifactId>"));
  }
}
