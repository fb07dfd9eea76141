package io.linerate.systemtest;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Debian's chromium without a window. What a page complains of on its console, and what it asks of
 * any other host than its own, is kept.
 */
final class PageBrowser implements AutoCloseable {
  private static final int TIMEOUT_MS = 20_000;
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

  /** Of the module, whose folder tests run in. */
  private static final Path SCREENSHOTS = Path.of("target", "page");

  private final Playwright playwright;
  private final Browser browser;
  private final List<String> complaints = new ArrayList<>();

  PageBrowser() {
    // Playwright would fetch a browser of its own.
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(CHROMIUM)
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
  }

  /** Opens an address on a screen. */
  Page open(URI address, Browser.NewContextOptions screen) {
    BrowserContext context = browser.newContext(screen);
    context.setDefaultTimeout(TIMEOUT_MS);
    Page page = context.newPage();
    page.onConsoleMessage(message -> {
      if (List.of("error", "warning").contains(message.type())) {
        complaints.add(message.text() + " " + message.location());
      }
    });
    page.onPageError(complaints::add);
    page.onRequest(request -> {
      URI asked = URI.create(request.url());
      boolean isOwn = address.getAuthority().equals(asked.getAuthority());
      if (!isOwn && !List.of("data", "blob").contains(asked.getScheme())) {
        complaints.add("asks another host: " + request.url());
      }
    });
    page.navigate(address.toString());
    return page;
  }

  /** What went wrong on the pages until now. */
  List<String> complaints() {
    return complaints;
  }

  static void screenshot(Page page, String name, boolean isWhole) {
    if (isWhole) {
      page.evaluate("scrollTo({top: 0, behavior: 'instant'})");
    }
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(SCREENSHOTS.resolve(name + ".png"))
            .setFullPage(isWhole));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
