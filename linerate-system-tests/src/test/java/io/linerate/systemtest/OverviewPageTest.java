package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The page of all programs, in a browser. Screenshots stay in {@code target/page}. */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser and two programs are too much for two busy CPUs; run it with"
            + " -Dlinerate.test.browser=true")
class OverviewPageTest {
  private static final Pattern ADDRESS = Pattern.compile("http://127\\S+");
  private static final String NAME = "overview-" + ProcessHandle.current().pid();

  private static Command generator(String name, String... more) {
    String[] words = {
      "generate", "--port=pcap:tx=/dev/null", "--rate=5kpps", "--set=programname=" + name
    };
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of(more));
    return Command.start(Command.linerate(all.toArray(new String[0])));
  }

  @Test
  void shouldListProgramsAndShowOneWithoutAPageReadOnly() {
    Lab.requirePrograms("chromium");
    try (Command plain = generator(NAME + "-plain");
        Command paged = generator(NAME + "-paged", "--dashboard=127.0.0.1:0");
        Command dashboard = Command.start(Command.linerate("dashboard", "127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      paged.awaitError(said -> ADDRESS.matcher(said).find());
      dashboard.awaitError(said -> ADDRESS.matcher(said).find());
      Page page =
          browser.open(address(dashboard), new NewContextOptions().setViewportSize(1280, 800));
      Locator row = page.locator("tr", new Page.LocatorOptions().setHasText(NAME + "-plain"));
      assertThat(row.locator("td").nth(5))
          .hasText(
              Pattern.compile("[45]\\.[0-9]+ kpps"),
              new LocatorAssertions.HasTextOptions().setTimeout(30_000));
      assertThat(
              page.locator("tr", new Page.LocatorOptions().setHasText(NAME + "-paged"))
                  .locator("a"))
          .hasAttribute("href", address(paged).toString().replaceAll("#.*", ""));
      PageBrowser.screenshot(page, "programs", true);

      row.locator("a").click();
      assertThat(page.locator("#program")).hasText(NAME + "-plain");
      assertThat(page.locator("#about")).containsText("read only");
      assertThat(page.locator("#graph-drawing .node").first()).isVisible();
      assertThat(page.locator("#add-worker")).isHidden();
      assertThat(page.locator("#token")).isHidden();
      PageBrowser.screenshot(page, "program-read-only", true);
      page.locator("#all").click();
      assertThat(row).isVisible();

      plain.terminate();
      plain.awaitExit();
      assertThat(row).isHidden(new LocatorAssertions.IsHiddenOptions().setTimeout(30_000));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void shouldChooseAmongProgramsThatComeAndMixNoneOfThem() throws Exception {
    Lab.requirePrograms("chromium");
    try (Command first = generator(NAME + "-first");
        Command dashboard = Command.start(Command.linerate("dashboard", "127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      dashboard.awaitError(said -> ADDRESS.matcher(said).find());
      Page page =
          browser.open(address(dashboard), new NewContextOptions().setViewportSize(1280, 800));
      page.locator("tr", new Page.LocatorOptions().setHasText(NAME + "-first"))
          .locator("a")
          .click();
      assertThat(page.locator("#program")).hasText(NAME + "-first");
      try (Command second = generator(NAME + "-second")) {
        Locator choice = page.locator("#programs select");
        assertThat(choice)
            .containsText(
                NAME + "-second", new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
        String key = "program=" + second.pid();
        List<Route> held = new ArrayList<>();
        page.route(url -> url.contains("/api/history") && url.endsWith(key), held::add);
        choice.selectOption(String.valueOf(second.pid()));
        assertThat(page.locator("#program")).hasText(NAME + "-second");
        choice.selectOption(String.valueOf(first.pid()));
        assertThat(page.locator("#program")).hasText(NAME + "-first");
        assertThat(held).hasSize(1);
        page.waitForResponse(
            response -> response.url().endsWith(key),
            () ->
                held.getFirst()
                    .fulfill(
                        new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody("{\"timesMs\": [1000], \"series\": {}}")));
        assertThat(page.locator("#programs")).isVisible();
        Download snapshot = page.waitForDownload(() -> page.keyboard().press("s"));
        assertThat(Files.readString(snapshot.path())).doesNotContain("\"timesMs\":[1000,");
      }
      assertThat(page.locator("#programs select"))
          .not()
          .containsText(
              NAME + "-second", new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static URI address(Command program) {
    Matcher said = ADDRESS.matcher(program.errors());
    assertThat(said.find()).isTrue();
    return URI.create(said.group());
  }
}
