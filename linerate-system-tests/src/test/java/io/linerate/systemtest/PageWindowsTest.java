package io.linerate.systemtest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.linerate.systemtest.PageView.desktop;
import static io.linerate.systemtest.PageView.phone;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What the page shows of {@code linerate flows --window}. */
@EnabledIfSystemProperty(
    named = "linerate.test.browser",
    matches = "true",
    disabledReason =
        "skipped: a browser and a program with traffic are too much for two busy CPUs; run it with"
            + " -Dlinerate.test.browser=true")
class PageWindowsTest {
  private static final int SECONDS = 120;
  private static final int PACKETS_A_SECOND = 200;
  private static final int MAGIC_NS = 0xA1B23C4D;

  @TempDir Path folder;

  @BeforeAll
  static void require() {
    Lab.requirePrograms("chromium");
  }

  @Test
  void shouldShowTheLargestAndScansOfTheLastWindows() throws IOException {
    try (Command program =
            Command.start(
                Command.linerate(
                    "flows",
                    "pcap:rx=" + capture() + ",pace=recorded",
                    "--window=1s",
                    "--scan-ports=50",
                    "--dashboard=127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      Page page = browser.open(PagePrograms.address(program), desktop());
      assertThat(page.locator("#windows"))
          .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(60_000));
      assertThat(page.locator("#window-list tbody tr").nth(1))
          .containsText("200", new LocatorAssertions.ContainsTextOptions().setTimeout(60_000));
      assertThat(page.locator("#window-alarms tbody tr").first())
          .containsText("Port scan10.0.0.1192.0.2.1100 ports");
      assertThat(page.locator("#window-flows")).containsText("udp 10.0.0.2:5000 → 192.0.2.53:53");
      assertThat(page.locator("#window-hosts")).containsText("192.0.2.53");
      assertThat(page.locator("#window-names")).containsText("www.example.org");
      assertThat(page.locator("nav a[href='#windows']")).isVisible();
      PageBrowser.screenshot(page, "windows", true);
      assertThat(PageAccessTest.problems(page)).isEmpty();
      Page small = browser.open(PagePrograms.address(program), phone());
      assertThat(small.locator("#window-flows")).containsText("udp 10.0.0.2:5000");
      assertThat(PageAccessTest.problems(small)).isEmpty();
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  void shouldShowNoneOfAProgramThatHasNone() {
    try (Command program =
            Command.start(
                Command.linerate(
                    "generate",
                    "--port=pcap:tx=/dev/null",
                    "--rate=100pps",
                    "--dashboard=127.0.0.1:0"));
        PageBrowser browser = new PageBrowser()) {
      Page page = browser.open(PagePrograms.address(program), desktop());
      new PageView(page).awaitRates();
      assertThat(page.locator("#windows")).isHidden();
      assertThat(page.locator("nav a[href='#windows']")).isHidden();
    }
  }

  /** In each second SYNs to 100 ports, and as many questions for a name. */
  private Path capture() throws IOException {
    ByteBuffer file =
        ByteBuffer.allocate(24 + SECONDS * PACKETS_A_SECOND * 100).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(MAGIC_NS).putShort((short) 2).putShort((short) 4);
    file.putInt(16, 262_144).putInt(20, 1).position(24);
    for (int i = 0; i < SECONDS * PACKETS_A_SECOND; i++) {
      byte[] frame = i % 2 == 0 ? syn(1 + i / 2 % 100) : question();
      file.putInt(1_700_000_000 + i / PACKETS_A_SECOND);
      file.putInt(i % PACKETS_A_SECOND * (1_000_000_000 / PACKETS_A_SECOND));
      file.putInt(frame.length).putInt(frame.length).put(frame);
    }
    Path path = folder.resolve("traffic.pcap");
    return Files.write(path, Arrays.copyOf(file.array(), file.position()));
  }

  private static ByteBuffer ipv4(int protocol, int from, int to, int payload) {
    ByteBuffer frame = ByteBuffer.allocate(34 + payload);
    frame.putLong(0x0200_0000_0001_0200L).putInt(2).putShort((short) 0x0800);
    frame.putShort((short) 0x4500).putShort((short) (20 + payload)).putInt(0);
    frame.put((byte) 64).put((byte) protocol).putShort((short) 0).putInt(from).putInt(to);
    return frame;
  }

  private static byte[] syn(int port) {
    return ipv4(6, 0x0A00_0001, 0xC000_0201, 20)
        .putShort((short) 40_000)
        .putShort((short) port)
        .putLong(0)
        .putShort((short) 0x5002)
        .array();
  }

  private static byte[] question() {
    byte[] name = "\3www\7example\3org\0".getBytes(StandardCharsets.US_ASCII);
    int message = 12 + name.length + 4;
    return ipv4(17, 0x0A00_0002, 0xC000_0235, 8 + message)
        .putShort((short) 5_000)
        .putShort((short) 53)
        .putShort((short) (8 + message))
        .putShort((short) 0)
        .putInt(0x0007_0100)
        .putInt(0x0001_0000)
        .putInt(0)
        .put(name)
        .putInt(0x0001_0001)
        .array();
  }
}
