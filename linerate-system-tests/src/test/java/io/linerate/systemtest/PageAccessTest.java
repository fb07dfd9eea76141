package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PageView.desktop;
import static io.linerate.systemtest.PageView.phone;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page for those who see little, or use the keyboard only: what axe-core finds, and stops of
 * the tabulator.
 */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser and programs with traffic are too much for two busy CPUs; run it with"
            + " -Dlinerate.test.browser=true")
class PageAccessTest {
  /** However many elements, edges and rules there are. */
  private static final int MOST_STOPS = 40;

  private static final String STOPS =
      """
      () => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
        .filter((one) => one.tabIndex >= 0 && one.getClientRects().length > 0).length
      """;

  @TempDir Path folder;

  /** What is wrong with what a page shows now, by the rules of axe-core. */
  static List<?> problems(Page page) {
    try (InputStream axe = PageAccessTest.class.getResourceAsStream("/axe.min.js")) {
      page.evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return (List<?>)
        page.evaluate(
            """
            async () => (await axe.run(document)).violations
              .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
            """);
  }

  @Test
  void shouldHaveNothingThatAxeFindsWrongAndFewStops() {
    Lab.requirePrograms("chromium");
    String traffic = PagePrograms.traffic(folder, 1_000).toString();
    try (Command uneven = Command.start(Command.java(GraphProgram.class, "uneven", traffic));
        Command firewall = PageRulesTest.firewall(folder);
        Command generator =
            Command.start(
                Command.linerate(
                    "generate",
                    "--port=ring:loop,loopback",
                    "--receive=ring:loop,loopback",
                    "--rate=1kpps",
                    "--dashboard=127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      for (Command program : List.of(uneven, firewall, generator)) {
        for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
          Page page = open(browser, program, desktop().setColorScheme(colours));
          assertThat(problems(page)).as("%s, %s", program, colours).isEmpty();
          assertThat((Integer) page.evaluate(STOPS)).isBetween(10, MOST_STOPS);
          page.context().close();
        }
      }
      Page small = open(browser, firewall, phone());
      assertThat(problems(small)).isEmpty();
      Page panel = open(browser, firewall, desktop());
      panel.locator("[data-node=rules0]").click();
      panel.keyboard().press("?");
      assertThat(panel.locator("#help-dialog")).isVisible();
      assertThat(problems(panel)).isEmpty();
      panel.keyboard().press("Escape");
      firewall.kill();
      assertThat(panel.locator("#connection")).hasText("no connection");
      assertThat(problems(panel)).as("grey").isEmpty();
    }
  }

  private static Page open(PageBrowser browser, Command program, NewContextOptions screen) {
    Page page = browser.open(PagePrograms.address(program), screen);
    new PageView(page).awaitRates();
    return page;
  }
}
