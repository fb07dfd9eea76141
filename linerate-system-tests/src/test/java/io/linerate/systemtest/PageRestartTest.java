package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PageView.desktop;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A page whose program ends, is killed, and is started again at the same address. */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser and programs with traffic are too much for two busy CPUs; run it with"
            + " -Dlinerate.test.browser=true")
class PageRestartTest {
  private static final double TIMEOUT_MS = 60_000;
  private static final Pattern LAST_HEARD =
      Pattern.compile("last heard [0-9]{2}:[0-9]{2}:[0-9]{2} \\([0-9].* ago\\)");

  private PageBrowser browser;
  private Command program;
  private Page page;
  private String address;

  private static Command start(String address) {
    return Command.start(
        Command.linerate(
            "generate", "--port=pcap:tx=/dev/null", "--rate=1000pps", "--dashboard=" + address));
  }

  @BeforeEach
  void open() {
    Lab.requirePrograms("chromium");
    program = start("127.0.0.1:0");
    browser = new PageBrowser();
    address = PagePrograms.address(program).getAuthority();
    page = browser.open(PagePrograms.address(program), desktop());
    new PageView(page).awaitRates();
  }

  @AfterEach
  void close() {
    if (browser != null) { // Otherwise it was skipped.
      browser.close();
      program.close();
    }
  }

  private static LocatorAssertions.HasTextOptions patient() {
    return new LocatorAssertions.HasTextOptions().setTimeout(TIMEOUT_MS);
  }

  private String colour(String selector) {
    return (String) page.locator(selector).evaluate("node => getComputedStyle(node).color");
  }

  @Test
  void shouldBeginAnewWhenTheProgramIsStartedAgain() {
    String before = page.locator("#about").textContent();
    program.terminate();
    program.awaitExit();
    assertThat(page.locator("#connection")).hasText("the program has ended", patient());
    assertThat(page.locator("#heard")).hasText(LAST_HEARD);
    program = start(address);
    assertThat(page.locator("#notice"))
        .hasText(
            "generate was started anew as process "
                + program.pid()
                + ": totals and charts begin again.",
            patient());
    assertThat(page.locator("#connection")).hasText("live");
    assertThat(page.locator("#heard")).isHidden();
    assertThat(page.locator("#about")).not().hasText(before);
    assertThat(page.locator("#about")).containsText("pid " + program.pid());
    // The browser says on its console that nobody answered meanwhile.
    assertThat(browser.complaints()).allMatch(text -> text.contains("ERR_CONNECTION_REFUSED"));
  }

  @Test
  void shouldShowInGreyWhatIsNotAsThingsStand() {
    Locator sent = page.locator(PageView.value("sent"));
    String colour = colour(PageView.value("sent"));
    program.kill();
    assertThat(page.locator("#connection")).hasText("no connection", patient());
    assertThat(page.locator("#heard")).hasText(LAST_HEARD);
    assertThat(sent).hasText(Pattern.compile("[0-9].*"));
    assertThat(colour(PageView.value("sent"))).isNotEqualTo(colour);
    String first = page.locator("#heard").textContent();
    assertThat(page.locator("#heard")).not().hasText(first);
  }

  @Test
  void shouldSayWhenAProgramIsThereAndDoesNotAnswer() throws Exception {
    new ProcessBuilder("kill", "-STOP", "" + program.pid()).start().waitFor();
    try {
      assertThat(page.locator("#connection")).hasText("no answer", patient());
      assertThat(page.locator("#heard")).hasText(LAST_HEARD);
    } finally {
      new ProcessBuilder("kill", "-CONT", "" + program.pid()).start().waitFor();
    }
    assertThat(page.locator("#connection")).hasText("live", patient());
    assertThat(browser.complaints()).isEmpty();
  }
}
