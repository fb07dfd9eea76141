package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PageView.desktop;
import static io.linerate.systemtest.PageView.more;
import static io.linerate.systemtest.PageView.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The numbers at the top of pages: of programs that lose packets, and of those that make them. */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser and programs with traffic are too much for two busy CPUs; run it with"
            + " -Dlinerate.test.browser=true")
class PageFiguresTest {
  private static final String LOOP = "ring:loop,loopback";
  private static final Pattern SOME = Pattern.compile("[1-9][0-9,]* .*");

  @TempDir Path folder;

  @BeforeAll
  static void require() {
    Lab.requirePrograms("chromium");
  }

  private static Page open(PageBrowser browser, Command program) {
    Page page = browser.open(PagePrograms.address(program), desktop());
    new PageView(page).awaitRates();
    return page;
  }

  private static JsonObject state(Page page) {
    String url = page.url().replaceAll("#.*", "") + "api/state";
    return JsonParser.parseString(page.request().get(url).text()).getAsJsonObject();
  }

  @Test
  void shouldCountWhatADeviceLosesAmongWhatDidNotGetThrough() {
    Path traffic = PagePrograms.traffic(folder, 1_000);
    Path rules = Lab.write(folder.resolve("lossy.rules"), "default pass", "nonip pass");
    Path config =
        Lab.write(
            folder.resolve("lossy.properties"),
            "ports=in=fault:drop=0.5,port=pcap:rx=%s\\,loop=forever\\,pace=recorded; out=pcap:tx=/dev/null"
                .formatted(traffic),
            "rules=" + rules);
    try (Command program =
            Command.start(
                Command.linerate("firewall", config.toString(), "--dashboard=127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      Page page = open(browser, program);
      assertThat(page.locator(more("dropped")))
          .hasText(Pattern.compile("0 dropped · [1-9][0-9,]* lost"));
      assertThat(page.locator("#drops [data-reason='lost in'] [data-part=rate]"))
          .hasText(Pattern.compile("[1-9][0-9.]* k?pps"));
      assertThat(page.locator("[data-node=in0] .pill text")).hasText(Pattern.compile("▼ .* lost"));
      assertThat(page.locator("[data-node=out0] .pill")).isHidden();
      page.locator("[data-node=in0]").click();
      assertThat(page.locator("#inspector table")).containsText("Lost at in");
      JsonObject totals = state(page).getAsJsonObject("totals");
      JsonObject port = state(page).getAsJsonArray("ports").get(0).getAsJsonObject();
      assertThat(totals.get("lost").getAsLong()).isPositive();
      assertThat(port.get("missed").getAsLong())
          .isGreaterThanOrEqualTo(totals.get("lost").getAsLong());
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void shouldTellWhatCameBackOfTheGeneratorsOwnPackets() {
    try (Command program =
            Command.start(
                Command.linerate(
                    "generate",
                    "--port=fault:drop=0.25,port=" + LOOP,
                    "--receive=fault:drop=0.25,port=" + LOOP,
                    "--rate=4kpps",
                    "--duration=10m",
                    "--dashboard=127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      Page page = open(browser, program);
      assertThat(page.locator("[data-figure=received]")).hasCount(0);
      assertThat(page.locator(value("asked"))).hasText("4.00 kpps");
      assertThat(page.locator(more("asked"))).containsText("reached");
      assertThat(page.locator(value("came-back"))).hasText(Pattern.compile("[0-9.]+ k?pps"));
      assertThat(page.locator(more("lost"))).hasText(SOME);
      assertThat(page.locator(value("reordered"))).hasText("0");
      assertThat(page.locator(value("left"))).hasText(Pattern.compile("[0-9] min.*"));
      assertThat(page.locator("#throughput .chart-legend")).containsText("Came back");
      JsonObject state = state(page);
      long sent = state.getAsJsonObject("totals").get("sent").getAsLong();
      JsonObject generator = state.getAsJsonObject("generator");
      long cameBack = generator.get("cameBack").getAsLong();
      long lost = generator.get("lost").getAsLong();
      assertThat((double) lost / sent).isBetween(0.1, 0.4);
      assertThat(cameBack + lost).as("what is not under way any more").isLessThanOrEqualTo(sent);
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void shouldFollowTheTrialsOfAMeasurement() {
    try (Command program =
            Command.start(
                Command.linerate(
                    "measure",
                    "--throughput",
                    "--tx=" + LOOP,
                    "--rx=" + LOOP,
                    "--sizes=64,1518",
                    "--trial=1s",
                    "--line=1Mbps",
                    "--dashboard=127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      Page page = open(browser, program);
      Locator trial = page.locator("[data-figure=trial]");
      assertThat(trial.locator("[data-part=name]"))
          .hasText(Pattern.compile("Trial [0-9]+, [0-9]+ s left"));
      assertThat(trial.locator("[data-part=value]")).hasText(Pattern.compile("(64|1518) B"));
      assertThat(trial.locator("[data-part=more]")).containsText("passed");
      Locator found = page.locator("#trial-list tbody tr").first();
      assertThat(found)
          .containsText("64 B", new LocatorAssertions.ContainsTextOptions().setTimeout(120_000));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void shouldShowTheBusiestWorkerAndWhereEveryPacketWent() {
    Path traffic = PagePrograms.traffic(folder, 10_000);
    try (Command program =
            Command.start(Command.java(GraphProgram.class, "pipeline", traffic.toString()));
        PageBrowser browser = new PageBrowser()) {
      Page page = open(browser, program);
      assertThat(page.locator("[data-figure=load] [data-part=name]"))
          .hasText("Load of the busiest");
      assertThat(page.locator(more("load")))
          .hasText(Pattern.compile("worker [01] · mean of 2: [0-9.]+ %"));
      for (String part : new String[] {"sent", "handed over", "over_rate"}) {
        assertThat(page.locator(".balance-parts [data-piece='" + part + "'] [data-part=packets]"))
            .hasText(Pattern.compile("[1-9][0-9,]*"));
      }
      assertThat(page.locator("[data-piece='not accounted for']")).hasCount(0);
      assertThat(page.locator("[data-part=came]"))
          .hasText(Pattern.compile("[0-9,]+ received \\+ [0-9,]+ taken over = [0-9,]+"));
      assertThat(page.locator("[data-node=in] .badge")).hasText("w0");
      assertThat(page.locator("[data-node=out] .badge")).hasText("w1");
      assertThat(page.locator("[data-node=limit] .rate"))
          .hasText(Pattern.compile(".* · [0-9.]+ [nµm]s"));
      assertThat(page.locator("[data-node=queue] .type"))
          .hasText(Pattern.compile("Queue [0-9,]+, peak [1-9][0-9,]*"));
      assertThat(browser.complaints()).isEmpty();
    }
  }
}
