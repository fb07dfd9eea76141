package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PagePrograms.FRAME_BYTES;
import static io.linerate.systemtest.PageView.desktop;
import static io.linerate.systemtest.PageView.phone;
import static io.linerate.systemtest.PageView.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The pages of running programs, in a browser. Screenshots stay in {@code target/page}. */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser, two programs and their traffic are too much for two busy CPUs; run it with -Dlinerate.test.browser=true")
class DashboardPageTest {
  @TempDir static Path folder;

  private static @Nullable PagePrograms programs;
  private static @Nullable PageBrowser browser;

  private @Nullable Page page;
  private @Nullable PageView view;

  @BeforeAll
  static void start() {
    Lab.requirePrograms("chromium");
    programs = new PagePrograms(folder);
    browser = new PageBrowser();
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
    if (programs != null) {
      programs.close();
    }
  }

  @BeforeEach
  void forget() {
    browser.complaints().clear();
  }

  @AfterEach
  void shouldComplainOfNothingAndAskNoOtherHost() {
    if (page != null) {
      page.context().close();
    }
    assertThat(browser.complaints()).isEmpty();
  }

  // --- the page ---

  /** Opens a program's page, and waits until it shows a rate. */
  private void open(URI address, NewContextOptions screen) {
    page = browser.open(address, screen);
    view = new PageView(page).awaitRates();
  }

  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  // --- what it shows ---

  @Test
  void shouldShowTheRatesOfARunningGenerator() {
    open(programs.generator(), desktop());
    view.awaitPart("[data-field=tx-pps]", 1, value("sent"));
    view.awaitPart("[data-field=tx-bps]", 8.0 * FRAME_BYTES, "[data-field=tx-pps]");
    PageBrowser.screenshot(page, "generator", true);
  }

  @Test
  void shouldDrawTheGraphAsItIs() {
    open(programs.firewall(), desktop());
    JsonObject state =
        json(page.request().get(programs.firewall().resolve("/api/state").toString()).text());
    List<Locator> boxes = page.locator("#graph-drawing .node .box").all();
    assertThat(boxes).hasSize(state.getAsJsonArray("elements").size()).hasSizeGreaterThan(2);
    assertThat(page.locator("#graph-drawing .edge")).hasCount(state.getAsJsonArray("edges").size());
    for (int i = 1; i < boxes.size(); i++) {
      BoundingBox left = boxes.get(i - 1).boundingBox();
      BoundingBox right = boxes.get(i).boundingBox();
      assertThat(left.x + left.width).as("a chain goes from left to right").isLessThan(right.x);
    }
    view.awaitPart("#graph-drawing .labels .rate", 1, value("received"));
    PageBrowser.screenshot(page, "desktop", true);
  }

  @Test
  void shouldTellOfAnElementByTheKeyboardAlone() {
    open(programs.firewall(), desktop());
    page.locator("[data-node=rules0]").focus();
    page.keyboard().press("Enter");
    Locator panel = page.locator("#inspector");
    assertThat(panel.locator("#inspector-title")).hasText("rules0");
    assertThat(panel.locator("table")).containsText("Packets in");
    assertThat(panel.locator("[data-handler=hits] output")).hasText(Pattern.compile("[0-9 ]+"));
    PageBrowser.screenshot(page, "element", false);
    page.keyboard().press("Escape");
    assertThat(panel).isHidden();
    assertThat(page.locator("[data-node=rules0]")).isFocused();
    page.keyboard().press("ArrowRight");
    assertThat(page.locator("[data-edge^=rules0]")).isFocused();
  }

  @Test
  void shouldFitOnAPhone() {
    open(programs.firewall(), phone());
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    PageBrowser.screenshot(page, "phone", true);
    page.locator("#graph-table button").getByText("rules0").tap();
    assertThat(page.locator("#inspector-title")).isInViewport();
    PageBrowser.screenshot(page, "phone-element", false);
  }

  @Test
  void shouldBeDarkWhenTheSystemIs() {
    open(programs.firewall(), desktop().setColorScheme(ColorScheme.DARK));
    assertThat((String) page.evaluate("getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(14, 17, 22)");
    PageBrowser.screenshot(page, "dark", true);
  }

  @Test
  void shouldPauseAndSaveASnapshot() throws IOException {
    open(programs.firewall(), desktop());
    Locator total = page.locator("[data-figure=received] [data-part=more]");
    page.keyboard().press("p");
    assertThat(page.locator("#connection")).hasText("paused");
    String shown = total.textContent();
    assertThat(page.locator("#about")).containsText("behind");
    assertThat(total).hasText(shown);
    Download snapshot = page.waitForDownload(() -> page.keyboard().press("s"));
    JsonObject saved = json(Files.readString(snapshot.path()));
    assertThat(saved.getAsJsonObject("state").getAsJsonArray("elements")).hasSize(3);
    assertThat(saved.getAsJsonObject("history").getAsJsonArray("timesMs")).isNotEmpty();
    page.keyboard().press("p");
    assertThat(total).not().hasText(shown);
  }

  @Test
  void shouldZoomAllChartsAndGoBack() {
    open(programs.firewall(), desktop());
    Locator chart = page.locator("#throughput .chart");
    BoundingBox box = chart.boundingBox();
    page.mouse().move(box.x + box.width / 2, box.y + 40);
    page.mouse().down();
    page.mouse().move(box.x + box.width - 30, box.y + 50);
    page.mouse().up();
    assertThat(page.locator("#unzoom")).isVisible();
    chart.focus();
    page.keyboard().press("0");
    assertThat(page.locator("#unzoom")).isHidden();
    page.keyboard().press("h");
    assertThat(page.locator("#span [data-value='3600']")).hasAttribute("aria-pressed", "true");
  }

  @Test
  void shouldWorkOutRatesLayersAndNumbers() throws IOException {
    open(programs.firewall(), desktop());
    try (InputStream script = DashboardPageTest.class.getResourceAsStream("page-model.js")) {
      String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
      assertThat((List<?>) page.evaluate(text)).isEmpty();
    }
  }

  // --- what it changes ---

  @Test
  void shouldShowDropsWhenARuleIsAddedAndNoneWhenItIsRemoved() {
    open(programs.firewall(), desktop());
    String rule = "drop 10.1.0.0/25";
    page.locator("#new-rule").fill(rule);
    page.getByLabel("Where the new rule goes").fill("1");
    page.locator("#new-rule").press("Enter");
    Locator row = page.locator("#rule-list [data-rule]").first();
    assertThat(row).containsText(rule);
    view.awaitPart("[data-node=rules0] .pill text", 0.5, value("received"));
    view.awaitPart(value("dropped"), 0.5, value("received"));
    view.awaitPart("#drops [data-reason=rule] [data-part=rate]", 0.5, value("received"));
    view.awaitPart("[data-label^=rules0] .rate", 0.5, value("received"));
    PageBrowser.screenshot(page, "drops", true);
    assertThat(page.locator("#change-list")).containsText("rule added: rule=" + rule);
    row.getByText("Remove").click();
    row.getByText("Remove: sure?").click();
    assertThat(page.locator("#rule-list")).not().containsText(rule);
    assertThat(page.locator("[data-node=rules0] .pill.old")).isVisible();
  }

  @Test
  void shouldShowTheLogAndChangeWhatIsLogged() {
    open(programs.firewall(), desktop());
    Locator level = page.getByLabel("What the program logs");
    level.selectOption("DEBUG");
    assertThat(page.locator("#notice")).hasText("The program logs DEBUG and worse now.");
    assertThat(page.locator("#log-lines"))
        .containsText("log level was changed: from=INFO, to=DEBUG");
    page.locator("#log").scrollIntoViewIfNeeded();
    PageBrowser.screenshot(page, "log", false);
    level.selectOption("INFO");
    assertThat(page.locator("#log-lines")).containsText("from=DEBUG, to=INFO");
  }

  @Test
  void shouldSayWhatIsWrongWithARule() {
    open(programs.firewall(), desktop());
    page.locator("#new-rule").fill("drop everything");
    page.keyboard().press("Enter");
    assertThat(page.locator("#rules [role=alert]")).containsText("everything");
    // The browser says on its console that the program refused.
    assertThat(browser.complaints()).hasSize(1).allMatch(text -> text.contains("400"));
    browser.complaints().clear();
  }

  @Test
  void shouldAskForTheTokenBeforeAChange() {
    URI address = programs.firewall();
    open(address.resolve("/"), desktop());
    page.locator("#reload-rules").click();
    assertThat(page.locator("#token-dialog")).isVisible();
    page.locator("#token-input").fill(address.getFragment().replace("token=", ""));
    page.keyboard().press("Enter");
    assertThat(page.locator("#notice")).hasText("The rules were read anew.");
  }

  @Test
  void shouldAskForTheTokenBeforeItShowsAnythingWhereOthersCanCome() {
    try (Command program =
        Command.start(
            Command.linerate(
                "generate",
                "--port=pcap:tx=/dev/null",
                "--rate=1000pps",
                "--dashboard=0.0.0.0:0",
                "--dashboard-open"))) {
      URI address = PagePrograms.address(program);
      page = browser.open(URI.create("http://127.0.0.1:" + address.getPort() + "/"), desktop());
      assertThat(page.locator("#token-dialog")).isVisible();
      assertThat(page.locator("#graph-drawing .node")).hasCount(0);
      page.locator("#token-input").fill("wrong");
      page.keyboard().press("Enter");
      assertThat(page.locator("#token-problem")).containsText("wrong token");
      page.locator("#token-input").fill(address.getFragment().replace("token=", ""));
      page.keyboard().press("Enter");
      assertThat(page.locator("#graph-drawing .node").first()).isVisible();
      assertThat(page.locator("#connection")).hasText("live");
      for (String[] link :
          new String[][] {
            {"Metrics", "linerate_sent_packets_total"}, {"State", "timeMs"}, {"API", "openapi"}
          }) {
        page.locator("#http")
            .getByText(link[0], new Locator.GetByTextOptions().setExact(true))
            .click();
        assertThat(page.locator("body")).containsText(link[1]);
        page.goBack();
        assertThat(page.locator("#connection")).hasText("live");
      }
      // The browser says on its console that the program refused.
      assertThat(browser.complaints()).isNotEmpty().allMatch(text -> text.matches(".*40[13].*"));
      browser.complaints().clear();
    }
  }

  @Test
  void shouldCaptureAtAnEdge() throws IOException {
    open(programs.firewall(), desktop());
    page.locator("[data-edge^=rules0]").focus();
    page.keyboard().press("Enter");
    page.locator("#inspector").getByLabel("Filter of the capture").fill("udp or tcp");
    page.locator("#inspector").getByLabel("Packets to capture").fill("300");
    page.keyboard().press("Enter");
    Locator fetch = page.locator("#inspector").getByText("Download pcapng");
    assertThat(fetch).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(60_000));
    PageBrowser.screenshot(page, "capture", false);
    Download capture = page.waitForDownload(fetch::click);
    Path file = folder.resolve("edge.pcapng");
    Files.copy(capture.path(), file);
    String summary =
        Command.run(
            Command.linerate("capture", "--port=pcap:rx=" + file, "--json").toArray(new String[0]));
    assertThat(json(summary).get("received").getAsLong()).isEqualTo(300);
  }
}
