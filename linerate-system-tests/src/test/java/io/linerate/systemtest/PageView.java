package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is to be read from a program's page. */
record PageView(Page page) {
  private static final long TIMEOUT_S = 60;
  private static final Pattern QUANTITY = Pattern.compile("([0-9.]+) ([kMG]?)(pps|bit/s)");

  static NewContextOptions desktop() {
    return new NewContextOptions().setViewportSize(1_440, 900);
  }

  static NewContextOptions phone() {
    return new NewContextOptions()
        .setViewportSize(390, 844)
        .setDeviceScaleFactor(2)
        .setIsMobile(true)
        .setHasTouch(true);
  }

  /** Waits until it shows a rate. */
  PageView awaitRates() {
    assertThat(page.locator("[data-figure=sent] [data-part=value]"))
        .hasText(
            Pattern.compile("[0-9].*"),
            new LocatorAssertions.HasTextOptions().setTimeout(1_000 * TIMEOUT_S));
    return this;
  }

  /** One of the numbers at the top. */
  static String value(String figure) {
    return "[data-figure=" + figure + "] [data-part=value]";
  }

  /** What stands below it. */
  static String more(String figure) {
    return "[data-figure=" + figure + "] [data-part=more]";
  }

  Locator find(String selector) {
    return page.locator(selector);
  }

  /** Packets or bits a second, as the page writes them. */
  private static double quantity(String text) {
    Matcher quantity = QUANTITY.matcher(text);
    if (!quantity.find()) {
      return Double.NaN;
    }
    double factor =
        switch (quantity.group(2)) {
          case "k" -> 1e3;
          case "M" -> 1e6;
          case "G" -> 1e9;
          default -> 1;
        };
    return factor * Double.parseDouble(quantity.group(1));
  }

  /**
   * Waits until a quantity is a part of another one, within 2 %. Rates as such depend on how much
   * of its CPU the program has.
   */
  void awaitPart(String selector, double part, String of) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    double seen = Double.NaN;
    while (!(Math.abs(seen - part) <= 0.02 * part) && System.nanoTime() < end) {
      page.waitForTimeout(100);
      // Both of one moment.
      List<?> texts =
          (List<?>)
              page.evaluate(
                  "all => all.map((one) => document.querySelector(one)?.textContent ?? '')",
                  List.of(selector, of));
      seen = quantity(String.valueOf(texts.get(0))) / quantity(String.valueOf(texts.get(1)));
    }
    assertThat(seen).as(selector).isCloseTo(part, within(0.02 * part));
  }
}
