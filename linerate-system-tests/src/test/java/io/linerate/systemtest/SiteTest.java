package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documentation as a site. */
class SiteTest {
  private static final Pattern LOADED =
      Pattern.compile("<(?:script|img|link)[^>]* (?:src|href)=\"([^\"]*)\"");

  @TempDir Path folder;

  @Test
  void shouldHaveEveryPageWithoutALinkThatLeadsNowhereAndAskNobodyElse() throws IOException {
    Lab.requirePrograms("python3", "mkdocs");
    Path classes = Files.createDirectories(folder.resolve("classes/META-INF/linerate"));
    Path manual = Lab.project().resolve("linerate-graph/target/classes/META-INF/linerate/manual");
    Command.run("cp", "-r", manual.toString(), classes.toString());
    Path site = folder.resolve("site");
    Command.run(
        "python3",
        Lab.project().resolve("packaging/site.py").toString(),
        folder.resolve("classes").toString(),
        "",
        "1.2.3",
        site.toString());
    assertThat(site.resolve("index.html")).content().contains("Linerate 1.2.3");
    assertThat(site.resolve("manual/Tee.html")).isNotEmptyFile();
    assertThat(site.resolve("docs/elements.html")).content().contains("../manual/Tee.html");
    assertThat(site.resolve("search/search_index.json")).content().contains("Linerate in your");
    for (Path page : DocumentedCommands.pages()) {
      String name = page.getFileName().toString().replace(".md", ".html");
      assertThat(
              List.of(
                  site.resolve(name),
                  site.resolve("docs").resolve(name),
                  site.resolve("index.html")))
          .anyMatch(Files::exists);
    }
    try (Stream<Path> pages = Files.walk(site)) {
      for (Path page : pages.filter(path -> path.toString().endsWith(".html")).toList()) {
        Matcher loaded = LOADED.matcher(Files.readString(page));
        while (loaded.find()) {
          assertThat(URI.create(loaded.group(1)).getHost())
              .as(page + " " + loaded.group(1))
              .isNull();
        }
      }
    }
  }
}
