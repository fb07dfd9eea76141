package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PageView.desktop;
import static io.linerate.systemtest.PageView.phone;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** How graphs of many elements are drawn. */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser and programs with traffic are too much for two busy CPUs; run it with"
            + " -Dlinerate.test.browser=true")
class PageGraphTest {
  private static final int ELEMENTS_OF_LANES = 17;
  private static final int ELEMENTS_UNEVEN = 56;

  @TempDir static Path folder;
  private static Command lanes;
  private static Command uneven;
  private static Command joined;
  private static PageBrowser browser;
  private Page page;

  @BeforeAll
  static void start() {
    Lab.requirePrograms("chromium");
    String traffic = PagePrograms.traffic(folder, 1_000).toString();
    lanes = Command.start(Command.java(GraphProgram.class, "lanes", traffic));
    uneven = Command.start(Command.java(GraphProgram.class, "uneven", traffic));
    joined = Command.start(Command.java(GraphProgram.class, "joined", traffic));
    browser = new PageBrowser();
  }

  @AfterAll
  static void stop() {
    if (browser != null) { // Otherwise it was skipped.
      browser.close();
      uneven.close();
      lanes.close();
      joined.close();
    }
  }

  @AfterEach
  void shouldComplainOfNothing() {
    page.context().close();
    assertThat(browser.complaints()).isEmpty();
  }

  private PageView open(Command program, String view, NewContextOptions screen) {
    String address = PagePrograms.address(program).toString();
    page = browser.open(java.net.URI.create(address + view), screen);
    return new PageView(page).awaitRates();
  }

  private Locator nodes() {
    return page.locator("#graph-drawing .node");
  }

  @Test
  void shouldFoldEqualLanesAndOpenThemByAClick() {
    open(lanes, "", desktop());
    assertThat(nodes()).hasCount(5);
    Locator folded = page.locator("[data-node='lanes of from0']");
    assertThat(folded.locator(".name")).hasText("from ×5");
    assertThat(folded)
        .hasAttribute("aria-label", Pattern.compile("from and others, 5 equal lanes, .*"));
    folded.click();
    assertThat(nodes()).hasCount(ELEMENTS_OF_LANES);
    assertThat(page.locator("[data-node=check-the-header-3]")).isVisible();
    page.locator("#graph-lanes").click();
    assertThat(nodes()).hasCount(5);
    assertThat(page.locator("#graph-lanes")).isHidden();
  }

  @Test
  void shouldShowAllOfALargeGraphAtOnceAndPartsOfItLarger() {
    open(uneven, "", desktop());
    assertThat(nodes()).hasCount(ELEMENTS_UNEVEN);
    BoundingBox place = page.locator("#graph-drawing").boundingBox();
    List<BoundingBox> boxes =
        page.locator("#graph-drawing .node .box").all().stream().map(Locator::boundingBox).toList();
    assertThat(boxes)
        .allSatisfy(box -> {
          assertThat(box.x).isGreaterThanOrEqualTo(place.x);
          assertThat(box.x + box.width).isLessThanOrEqualTo(place.x + place.width);
          assertThat(box.y + box.height).isLessThanOrEqualTo(place.y + place.height);
        });
    for (int i = 0; i < boxes.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertThat(overlap(boxes.get(i), boxes.get(j))).as("boxes %d and %d", i, j).isFalse();
      }
    }
    List<String> names = page.locator("#graph-drawing .node .name").allTextContents();
    assertThat(names)
        .as("short names that differ")
        .doesNotHaveDuplicates()
        .allMatch(name -> name.length() < 12);
    assertThat(page.locator("#graph-drawing .labels text")).hasCount(0);
    double height =
        ((Number)
                page.locator("#graph-drawing .name")
                    .first()
                    .evaluate("node => node.getBoundingClientRect().height"))
            .doubleValue();
    assertThat(height).as("letters that can be read").isGreaterThan(11);

    Locator first = page.locator("[data-node=from-in] .box");
    double width = first.boundingBox().width;
    for (int i = 0; i < 6; i++) {
      page.locator("#graph-in").click();
    }
    assertThat(first.boundingBox().width).isGreaterThan(3 * width);
    assertThat(page.locator("#graph-drawing .labels text").first()).isAttached();
    BoundingBox before = first.boundingBox();
    page.mouse().move(place.x + 400, place.y + 100);
    page.mouse().down();
    page.mouse().move(place.x + 500, place.y + 160);
    page.mouse().up();
    assertThat(first.boundingBox().x)
        .isCloseTo(before.x + 100, org.assertj.core.api.Assertions.within(1.0));
    page.locator("[data-node=to-out]").focus();
    BoundingBox last = page.locator("[data-node=to-out] .box").boundingBox();
    assertThat(last.x + last.width)
        .as("what has the focus is to be seen")
        .isLessThanOrEqualTo(place.x + place.width);
    page.keyboard().press("0");
    assertThat(first.boundingBox().width)
        .isCloseTo(width, org.assertj.core.api.Assertions.within(1.0));
  }

  private static boolean overlap(BoundingBox a, BoundingBox b) {
    return a.x < b.x + b.width
        && b.x < a.x + a.width
        && a.y < b.y + b.height
        && b.y < a.y + a.height;
  }

  @Test
  void shouldFillTheWidthAndTheScreen() {
    open(lanes, "", desktop().setViewportSize(2_560, 1_300));
    Locator card = page.locator("#graph");
    double narrow = card.boundingBox().width;
    page.locator("#graph-wide").click();
    assertThat(page.locator("#graph-wide")).hasAttribute("aria-pressed", "true");
    assertThat(card.boundingBox().width).isGreaterThanOrEqualTo(narrow);
    page.locator("#graph-full").click();
    page.waitForCondition(() -> card.boundingBox().width == 2_560);
    page.locator("#graph-full").click();
    page.waitForCondition(() -> card.boundingBox().width < 2_560);
  }

  @Test
  void shouldBeginWithATableOnAPhoneWhatDropsMostFirst() {
    open(uneven, "", phone());
    assertThat(page.locator("#graph-drawing")).isHidden();
    Locator rows = page.locator("#graph-table tbody tr");
    assertThat(rows).hasCount(ELEMENTS_UNEVEN);
    assertThat(rows.first().locator("td").last()).hasText(Pattern.compile("[1-9][0-9,]*"));
    List<Long> drops =
        page.locator("#graph-table tbody tr td:last-child").allTextContents().stream()
            .map(text -> Long.valueOf(text.replace(",", "")))
            .toList();
    assertThat(drops).isSortedAccordingTo(java.util.Comparator.reverseOrder());
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    page.locator("[data-sort=name]").tap();
    assertThat(rows.first()).containsText("customer-1-step-0");
    page.locator("#graph-as-table").tap();
    assertThat(nodes()).hasCount(ELEMENTS_UNEVEN);
    assertThat((Integer) page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
  }

  @Test
  void shouldSayWhatEachWorkerDoes() {
    open(joined, "", desktop());
    Locator said = page.locator("#graph-workers pre");
    page.locator("#graph-by-worker").click();
    assertThat(page.locator("#graph-drawing")).isHidden();
    assertThat(said)
        .hasText(
            Pattern.compile(
                "worker 0: receives in\\[0].*length +PacketActor.*-\\(long\\)-> handover"
                    + ".*handover +QueueActor.*=> worker 1.*worker 1: receives nothing"
                    + ".*handover.*-\\(long\\)-> sink.*sink +SinkActor.*",
                Pattern.DOTALL));
    assertThat(said).hasText(Pattern.compile("[1-9][0-9.]* %"));
    PageBrowser.screenshot(page, "workers", false);
    page.reload();
    new PageView(page).awaitRates();
    assertThat(said).containsText("worker 1: receives nothing");
    page.locator("#graph-as-table").click();
    assertThat(page.locator("#graph-table")).isVisible();
    assertThat(said).isHidden();
  }

  @Test
  void shouldOpenTheViewThatALinkSays() {
    open(
        lanes,
        "&view=table&sort=-in&show=element+merged&span=300&unit=bits&log=nothing",
        desktop());
    assertThat(page.locator("#graph-table")).isVisible();
    assertThat(page.locator("th[aria-sort=descending]")).hasText("In");
    assertThat(page.locator("#inspector-title")).hasText("merged");
    assertThat(page.locator("#span [data-value='300']")).hasAttribute("aria-pressed", "true");
    assertThat(page.locator("#unit [data-value=bits]")).hasAttribute("aria-pressed", "true");
    assertThat(page.locator("#log-search")).hasValue("nothing");
    assertThat(page.url()).doesNotContain("token").contains("show=element+merged", "span=300");
    page.keyboard().press("Escape");
    page.keyboard().press("1");
    page.locator("#graph-as-table").click();
    assertThat(page.url()).contains("view=graph").doesNotContain("show=", "span=");
    page.reload();
    new PageView(page).awaitRates();
    assertThat(page.locator("#graph-drawing")).isVisible();
    assertThat(page.locator("#token")).hasAttribute("data-state", "given");
  }
}
