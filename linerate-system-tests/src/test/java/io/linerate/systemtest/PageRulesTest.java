package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PageView.desktop;
import static io.linerate.systemtest.PageView.phone;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The page of a firewall with a thousand rules. */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser and a program with traffic are too much for two busy CPUs; run it with"
            + " -Dlinerate.test.browser=true")
class PageRulesTest {
  private static final int RULES = 1_000;
  private static final String BUSY = "drop 10.1.0.0/25";

  @TempDir static Path folder;
  private static Command firewall;
  private static PageBrowser browser;
  private Page page;

  @BeforeAll
  static void start() {
    Lab.requirePrograms("chromium");
    firewall = firewall(folder);
    browser = new PageBrowser();
  }

  /** With so many rules, of which the last but two decides about half of the packets. */
  static Command firewall(Path folder) {
    Path traffic = PagePrograms.traffic(folder, 1_000);
    Path rules =
        Lab.write(
            folder.resolve("many.rules"),
            Stream.concat(
                    IntStream.range(0, RULES - 3)
                        .mapToObj(i -> "drop 172.16.%d.%d udp".formatted(i / 256, i % 256)),
                    Stream.of(BUSY, "default pass", "nonip pass"))
                .toArray(String[]::new));
    Path config =
        Lab.write(
            folder.resolve("many.properties"),
            "ports=in=pcap:rx=" + traffic + ",loop=forever,pace=recorded; out=pcap:tx=/dev/null",
            "rules=" + rules);
    return Command.start(
        Command.linerate("firewall", config.toString(), "--dashboard=127.0.0.1:0"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) { // Otherwise it was skipped.
      browser.close();
      firewall.close();
    }
  }

  @AfterEach
  void shouldComplainOfNothing() {
    page.context().close();
    assertThat(browser.complaints()).isEmpty();
  }

  private void open(NewContextOptions screen) {
    page = browser.open(PagePrograms.address(firewall), screen);
    new PageView(page).awaitRates();
    assertThat(rows().first()).isVisible();
  }

  private Locator rows() {
    return page.locator("#rule-list [data-rule]");
  }

  @Test
  void shouldMakeTheRowsThatAreToBeSeenOnly() {
    open(desktop());
    assertThat(page.locator("#rule-tools [role=status]")).hasText("1,000 in all");
    assertThat(rows().count()).isLessThan(40);
    assertThat((Integer) page.evaluate("document.documentElement.scrollHeight")).isLessThan(5_000);
    page.locator("#new-rule").scrollIntoViewIfNeeded();
    page.locator(".rule-box").evaluate("box => box.scrollTop = box.scrollHeight");
    assertThat(rows().last()).hasAttribute("data-rule", "nonip pass");
    assertThat(rows().last()).hasAttribute("aria-rowindex", "1001");
    assertThat(rows().last()).isInViewport();
    assertThat(rows().count()).isLessThan(40);
  }

  @Test
  void shouldFilterAndSortByHits() {
    open(desktop());
    page.locator("[data-sort=hits]").click();
    Locator first = rows().first();
    assertThat(first).hasAttribute("data-rule", Pattern.compile("default pass|" + BUSY));
    assertThat(first.locator("td").nth(4)).hasText(Pattern.compile("[1-9][0-9.]* k?pps"));
    page.locator("#rule-filter").fill("172.16.1.");
    assertThat(page.locator("#rule-tools [role=status]")).hasText("256 of 1,000");
    assertThat(page.url()).contains("rules=172.16.1.").contains("rulesort=-hits");
    page.locator("#rule-filter").fill("no such");
    assertThat(rows()).hasCount(0);
  }

  @Test
  void shouldGoThroughAllRulesByTheKeyboardFromOneStop() {
    open(desktop());
    rows().first().locator("button").last().focus();
    for (int i = 0; i < 30; i++) {
      page.keyboard().press("ArrowDown");
    }
    Locator focused = page.locator("#rule-list tr:has(button:focus)");
    assertThat(focused).hasAttribute("aria-rowindex", "32");
    assertThat(focused).isInViewport();
    assertThat(page.locator("#rule-list .rule-box [tabindex='0']")).hasCount(1);
  }

  @Test
  void shouldAddARuleBeforeAnother() {
    open(desktop());
    page.locator("#rule-filter").fill(BUSY);
    rows().first().getByText("+").click();
    assertThat(page.locator("#rule-place")).hasValue("998");
    page.locator("#new-rule").fill("pass 10.1.0.9 udp");
    page.keyboard().press("Enter");
    page.locator("#rule-filter").fill("10.1.0.");
    assertThat(rows()).hasCount(2);
    assertThat(rows().first()).hasAttribute("data-rule", "pass 10.1.0.9 udp");
    rows().first().getByText("Remove").click();
    rows().first().getByText("Remove: sure?").click();
    assertThat(rows()).hasCount(1);
  }

  @Test
  void shouldCaptureWhatARuleDrops() throws Exception {
    open(desktop());
    Locator card = page.locator("#drops");
    card.getByText("Capture what is dropped").click();
    card.locator("select").selectOption("rule");
    card.locator("input").fill("20");
    card.getByText("Start").click();
    Locator fetch = card.getByText("Download pcapng");
    assertThat(fetch).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(60_000));
    Download capture = page.waitForDownload(fetch::click);
    assertThat(capture.suggestedFilename()).isEqualTo("drops.pcapng");
    assertThat(Files.readString(capture.path(), StandardCharsets.ISO_8859_1))
        .contains("reason=rule, element=rules0");
    assertThat(card.getByText("Start")).isVisible();
  }

  @Test
  void shouldFitOnAPhone() {
    open(phone());
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    assertThat(rows().count()).isLessThan(40);
  }
}
