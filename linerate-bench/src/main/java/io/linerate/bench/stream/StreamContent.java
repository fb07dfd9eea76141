package io.linerate.bench.stream;

import io.linerate.bench.duel.TextFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** What messages are cut from: lines of a web server's log, which deflate makes a quarter of. */
final class StreamContent {
  private static final int LINES = 20_000;
  private static final List<String> PAGES =
      List.of("index.html", "style.css", "search", "images/logo.png", "api/v1/orders", "login");

  private StreamContent() {}

  /** Writes the same file each time. */
  static Path write(Path file) {
    Random random = new Random(1);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add(
          String.format(
              Locale.ROOT,
              "10.%d.%d.%d - - [24/Nov/2026:%02d:%02d:%02d +0000] \"GET /%s?id=%x HTTP/1.1\" %d %d",
              random.nextInt(4),
              random.nextInt(256),
              random.nextInt(256),
              i / 3_600 % 24,
              i / 60 % 60,
              i % 60,
              PAGES.get(random.nextInt(PAGES.size())),
              random.nextInt(),
              random.nextInt(20) == 0 ? 404 : 200,
              random.nextInt(100_000)));
    }
    return TextFiles.write(file, lines);
  }
}
