package io.linerate.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Spread;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Noise QUIET = new Noise(0.1, 0);
  private static final Machine MACHINE = new Machine(Map.of("date", "2026-01-02", "kernel", "a|b"));

  @TempDir Path folder;

  private static Result result(String caseName, double... java) {
    return Result.of("capture", caseName, "Mpps")
        .contestant("java", new Spread(java))
        .contestant("c", new Spread(10, 10, 10, 10))
        .ratio("java", "c")
        .heapBytesPerPacket(0)
        .figure("further", 3)
        .theirs("a paper", "their program", 2.4)
        .note("a remark")
        .build();
  }

  private static Section section(Noise noise, Result... results) {
    Chart chart =
        Chart.lines(
            "chart",
            "title",
            "x",
            "y",
            List.of(new Chart.Series("java", List.of(1.0, 2.0), List.of(3.0, 4.0))));
    return new Section(
        "capture",
        "receives",
        List.of(results),
        List.of(chart),
        List.of("it follows"),
        Map.of("other case", "no device"),
        Optional.empty(),
        noise,
        12);
  }

  private String markdown(Section section) throws IOException {
    Report.write(folder, MACHINE, List.of(section));
    return Files.readString(folder.resolve("report.md"));
  }

  /** What is drawn up to the edge goes on beyond it. */
  @Test
  void shouldDrawTheWholeLegendOfManyLines() throws IOException {
    List<Chart.Series> lines =
        Stream.of("forward", "drop")
            .flatMap(verdict ->
                Stream.of("java", "c", "c-bits", "c-usual").map(name -> verdict + ", " + name))
            .map(name -> new Chart.Series(name, List.of(1.0, 1_000.0), List.of(3.0, 4.0)))
            .toList();
    Path file = folder.resolve("chart.png");
    ChartImages.write(Chart.lines("chart", "title", "x", "y", lines).withLogX(), folder);
    BufferedImage image = ImageIO.read(file.toFile());
    for (int y = 0; y < image.getHeight(); y++) {
      assertThat(new Color(image.getRGB(image.getWidth() - 1, y))).isEqualTo(Color.WHITE);
    }
  }

  @Test
  void shouldWriteResultsInTheDocumentedShape() throws IOException {
    Report.write(folder, MACHINE, List.of(section(QUIET, result("one", 9, 10, 11, 10))));
    JsonObject json =
        JsonParser.parseString(Files.readString(folder.resolve("results.json"))).getAsJsonObject();
    assertThat(json.getAsJsonObject("machine").get("date").getAsString()).isEqualTo("2026-01-02");
    JsonObject result = json.getAsJsonArray("results").get(0).getAsJsonObject();
    assertThat(result.get("name").getAsString()).isEqualTo("capture");
    assertThat(result.get("case").getAsString()).isEqualTo("one");
    assertThat(result.get("unit").getAsString()).isEqualTo("Mpps");
    JsonObject java = result.getAsJsonObject("java");
    assertThat(java.get("median").getAsDouble()).isEqualTo(10);
    assertThat(java.get("min").getAsDouble()).isEqualTo(9);
    assertThat(java.get("max").getAsDouble()).isEqualTo(11);
    assertThat(java.get("nanoseconds").getAsDouble()).isEqualTo(100);
    JsonObject ratio = result.getAsJsonObject("ratio");
    assertThat(ratio.get("median").getAsDouble()).isEqualTo(1);
    assertThat(ratio.get("min").getAsDouble()).isEqualTo(0.9);
    assertThat(ratio.get("max").getAsDouble()).isEqualTo(1.1);
    assertThat(ratio.get("conclusive").getAsBoolean()).isTrue();
    assertThat(result.get("heapBytesPerPacket").getAsDouble()).isZero();
  }

  @Test
  void shouldSayWhatCannotBeConcludedFrom() throws IOException {
    assertThat(markdown(section(QUIET, result("one", 10, 10, 10, 10))))
        .contains("The machine was quiet enough")
        .contains("| one | Mpps | 10.0 | 10.0 | 1.000 (1.000 to 1.000) | 100 / 100 | 0 |");
    assertThat(markdown(section(QUIET, result("one", 5, 10, 10, 15))))
        .contains("The ratios of 1 of 1 cases are too far apart")
        .contains("1.000 (0.500 to 1.500) ?");
    assertThat(markdown(section(new Noise(1.5, 0.1), result("one", 10, 10, 10, 10))))
        .contains("other programs used 1.50 CPUs just before")
        .contains("the hypervisor gave 10.0 % of the CPUs' time to others");
  }

  /** The rates of three JVMs, two pairs each. */
  private static Result ofThreeJvms(double... java) {
    return Result.of("capture", "one", "Mpps")
        .contestant("java", new Spread(java))
        .contestant("c", new Spread(10, 10, 10, 10, 10, 10))
        .ratio("java", "c", 3)
        .build();
  }

  @Test
  void shouldSayHowFarJvmsAreApart() throws IOException {
    assertThat(markdown(section(QUIET, ofThreeJvms(10, 10, 9, 9, 10, 10))))
        .contains("The machine was quiet enough")
        .contains("| 1.000 (0.900 to 1.000 over 3 JVMs, 10.0 %) |");
    JsonObject ratio =
        JsonParser.parseString(Files.readString(folder.resolve("results.json")))
            .getAsJsonObject()
            .getAsJsonArray("results")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("ratio");
    assertThat(ratio.get("jvms").getAsInt()).isEqualTo(3);
    assertThat(ratio.get("median").getAsDouble()).isEqualTo(1);
    assertThat(ratio.get("relativeRange").getAsDouble()).isEqualTo(0.1);
    assertThat(ratio.get("samples").getAsJsonArray()).hasSize(3);
    assertThat(ratio.get("conclusive").getAsBoolean()).isTrue();
  }

  /** One of five would not show in the middle half. */
  @Test
  void shouldConcludeNothingFromJvmsThatDiffer() throws IOException {
    assertThat(markdown(section(QUIET, ofThreeJvms(10, 10, 8, 8, 10, 10))))
        .contains("The ratios of 1 of 1 cases are too far apart")
        .contains("1.000 (0.800 to 1.000 over 3 JVMs, 20.0 %) ?");
  }

  @Test
  void shouldBearASliceInWhichNothingCame() throws IOException {
    Result broken =
        Result.of("capture", "one", "Mpps")
            .contestant("java", new Spread(1, 0, 1))
            .contestant("c", new Spread(1, 0, 0))
            .ratio("java", "c")
            .build();
    assertThat(markdown(section(QUIET, broken))).contains("?");
    assertThat(Files.readString(folder.resolve("results.json"))).contains("null");
  }

  @Test
  void shouldKeepTheirFiguresApart() throws IOException {
    assertThat(markdown(section(QUIET, result("one", 10, 10, 10, 10))))
        .contains("on other machines")
        .contains("| one | a paper | their program | 2.40 | Mpps |")
        .contains("- other case was skipped: no device")
        .contains("- it follows")
        .contains("- one: a remark")
        .contains("| kernel | a\\|b |");
  }

  @Test
  void shouldReadTheTimesOfTheProcessors() {
    CpuTimes before = CpuTimes.parse("cpu  100 0 100 800 0 0 0 0 0 0");
    CpuTimes after = CpuTimes.parse("cpu  150 0 120 1600 30 0 0 200 10 0");
    assertThat(after.stealShare(before)).isEqualTo(200.0 / 1_100);
    assertThat(after.busyShare(before)).isEqualTo(1 - 830.0 / 1_100);
    assertThat(before.busyShare(before)).isZero();
  }
}
