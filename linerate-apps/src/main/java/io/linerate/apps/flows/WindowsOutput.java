package io.linerate.apps.flows;

import io.linerate.analysis.ReportFile;
import io.linerate.analysis.ReportFileFormat;
import io.linerate.analysis.ReportJson;
import io.linerate.analysis.ReportRow;
import io.linerate.analysis.TrafficAnalysis;
import io.linerate.analysis.WindowReport;
import io.linerate.apps.decode.FileFormats;
import io.linerate.apps.decode.NewFile;
import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.DropReason;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.graph.ElementCounts;
import io.linerate.program.run.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where reports of windows go: all on one worker's thread, until it ends. */
final class WindowsOutput {
  /**
   * What is asked for.
   *
   * @param isPrinted whether reports are printed as they come
   */
  record Task(boolean isJson, boolean isPrinted, Optional<Path> parquet) {}

  private final Task task;
  private final Console console;
  private final Optional<NewFile> newFile;
  private final WindowsView view = new WindowsView();
  private @Nullable ReportFile file;
  private Runnable stop = () -> {};
  private long windows;
  private long packets;
  private long bytes;
  private long evictedFlows;

  WindowsOutput(Task task, Console console) {
    this.task = task;
    this.console = console;
    newFile = task.parquet().map(NewFile::new);
  }

  /**
   * Begins a file, if one is to be written.
   *
   * @param newStop ends the program: nobody wants its reports, or they cannot be written
   * @throws ConfigException if there is no such format
   */
  void begin(Runnable newStop) {
    stop = newStop;
    file =
        newFile
            .map(it ->
                it.create(
                    FileFormats.parquet(ReportFileFormat.class, ReportFileFormat::name)::create))
            .orElse(null);
  }

  /** What the page shows. */
  JsonMembers view() {
    return view;
  }

  void add(WindowReport report) {
    windows++;
    packets += report.packets();
    bytes += report.bytes();
    evictedFlows += report.evictedFlows();
    view.add(report);
    if (task.isPrinted()) {
      print(report);
    }
    ReportFile to = file;
    if (to != null) {
      to.add(report);
      if (to.failure() != null) {
        stop.run();
      }
    }
  }

  private void print(WindowReport report) {
    StringBuilder text = new StringBuilder();
    if (task.isJson()) {
      for (ReportRow row : ReportRow.of(report)) {
        ReportJson.append(row, text);
        text.append('\n');
      }
    } else {
      WindowText.append(report, text);
    }
    byte[] written = text.toString().getBytes(StandardCharsets.UTF_8);
    if (!console.write(out -> out.write(written), true)) {
      stop.run();
    }
  }

  /**
   * Completes what is written.
   *
   * @param isWhole whether a file is to stay
   * @return a sentence for each thing that failed
   */
  List<String> end(boolean isWhole) {
    ReportFile to = file;
    if (to == null) {
      return List.of();
    }
    NewFile named = newFile.orElseThrow();
    try {
      to.close();
    } catch (IOException e) {
      return List.of(named.failed(e));
    }
    if (!isWhole) {
      named.discard();
      return List.of();
    }
    return named.complete().stream().toList();
  }

  /**
   * Says what stands at the end.
   *
   * @param actors what they have done, by name
   */
  void report(Map<String, ElementCounts> actors) {
    ElementCounts seen = actors.getOrDefault(TrafficAnalysis.SEEN, ElementCounts.NONE);
    console.say(
        "%,d windows of %,d packets, %,d bytes; %,d packets not IP, or malformed"
            .formatted(windows, packets, bytes, seen.packetsIn() - seen.tokens().out()));
    Map<String, Long> lost = new TreeMap<>();
    for (ElementCounts actor : actors.values()) {
      actor.tokens().dropped().forEach((reason, tokens) -> lost.merge(reason, tokens, Long::sum));
      actor
          .dropped()
          .forEach((reason, some) -> {
            if (!DropReason.isGoodEnd(reason)) {
              lost.merge(reason, some, Long::sum);
            }
          });
    }
    lost.forEach((reason, tokens) ->
        console.warn(
            "reports lack what was dropped: %s=%d; %s".formatted(reason, tokens, advice(reason))));
    if (evictedFlows > 0) {
      console.warn(
          "flow tables were full: evictedFlows=%d; those that went on count as new: give more by --max"
              .formatted(evictedFlows));
    }
  }

  private static String advice(String reason) {
    return switch (reason) {
      case TrafficAnalysis.LATE -> "packets were older than those before them: give more by --late";
      case TrafficAnalysis.TOO_MANY_KEYS -> "a window has more flows or names: give more by --max";
      case TrafficAnalysis.TIME_JUMP -> "their times are far from those before and behind";
      default -> "see what was said before";
    };
  }
}
