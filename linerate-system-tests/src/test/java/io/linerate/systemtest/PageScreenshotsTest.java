package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PageView.desktop;
import static io.linerate.systemtest.PageView.phone;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pictures of pages for people to look at, in the folder that {@code -Dlinerate.test.screenshots}
 * names: of small and large graphs, a thousand rules and a program that is gone, on a desk, a large
 * screen and a phone, light and dark.
 */
@EnabledIfSystemProperty(
    named = PageScreenshotsTest.FOLDER,
    matches = ".+",
    disabledReason =
        "skipped: pictures are for people to look at; make them with"
            + " -Dlinerate.test.screenshots=FOLDER")
class PageScreenshotsTest {
  static final String FOLDER = "linerate.test.screenshots";

  /** So long charts fill before the first picture. */
  private static final int FILLING_MS = 20_000;

  private static final int SETTLING_MS = 3_000;

  /** Large ones take their time on a busy machine. */
  private static final int TIMEOUT_MS = 120_000;

  private final Path pictures = Path.of(System.getProperty(FOLDER));

  @TempDir Path folder;

  private static Map<String, NewContextOptions> screens() {
    Map<String, NewContextOptions> screens = new LinkedHashMap<>();
    screens.put("1440-light", desktop());
    screens.put("1440-dark", desktop().setColorScheme(ColorScheme.DARK));
    screens.put("2560-light", desktop().setViewportSize(2_560, 1_440));
    screens.put("390-light", phone());
    screens.put("390-dark", phone().setColorScheme(ColorScheme.DARK));
    return screens;
  }

  @Test
  void shouldShowPagesOnAllScreens() throws Exception {
    Lab.requirePrograms("chromium");
    Files.createDirectories(pictures);
    String traffic = PagePrograms.traffic(folder, 1_000).toString();
    try (PagePrograms small = new PagePrograms(folder);
        Command lanes = Command.start(Command.java(GraphProgram.class, "lanes", traffic));
        Command uneven = Command.start(Command.java(GraphProgram.class, "uneven", traffic));
        Command pipeline = Command.start(Command.java(GraphProgram.class, "pipeline", traffic));
        Command rules = PageRulesTest.firewall(folder);
        PageBrowser browser = new PageBrowser()) {
      Map<String, URI> programs = new LinkedHashMap<>();
      programs.put("small", small.firewall());
      programs.put("generator", small.generator());
      programs.put("lanes", PagePrograms.address(lanes));
      programs.put("large", PagePrograms.address(uneven));
      programs.put("pipeline", PagePrograms.address(pipeline));
      programs.put("rules", PagePrograms.address(rules));
      Thread.sleep(FILLING_MS);
      for (Map.Entry<String, URI> program : programs.entrySet()) {
        for (Map.Entry<String, NewContextOptions> screen : screens().entrySet()) {
          Page page = open(browser, program.getValue(), screen.getValue());
          take(page, program.getKey() + "-" + screen.getKey());
          page.context().close();
        }
      }
      Page opened = open(browser, programs.get("large"), desktop());
      opened.locator("[data-node=customer-8-step-4]").click();
      take(opened, "element-1440-light");
      Page gone = open(browser, programs.get("rules"), desktop());
      rules.kill();
      assertThat(gone.locator("#connection")).hasText("no connection");
      take(gone, "gone-1440-light");
    }
    assertThat(pictures.toFile().listFiles()).hasSizeGreaterThanOrEqualTo(32);
  }

  private static Page open(PageBrowser browser, URI program, NewContextOptions screen) {
    Page page = browser.open(program, screen);
    new PageView(page).awaitRates();
    page.waitForTimeout(SETTLING_MS);
    return page;
  }

  /** What is to be seen at once, and all of it. */
  private void take(Page page, String name) {
    for (boolean isWhole : new boolean[] {false, true}) {
      page.screenshot(
          new Page.ScreenshotOptions()
              .setPath(pictures.resolve((isWhole ? "whole-" : "") + name + ".png"))
              .setFullPage(isWhole)
              .setTimeout(TIMEOUT_MS));
    }
  }
}
