package io.linerate.apps.flows;

import io.linerate.analysis.AnalysisSettings;
import io.linerate.core.config.ConfigException;
import io.linerate.program.run.Options;
import java.time.Duration;
import picocli.CommandLine.ParseResult;

/** What options say of windows. */
final class WindowSettings {
  private WindowSettings() {}

  /**
   * Reads them.
   *
   * @throws ConfigException if there can be no such windows
   */
  static AnalysisSettings of(ParseResult options) {
    AnalysisSettings usual = AnalysisSettings.DEFAULT;
    return usual
        .withWindow(time(options, FlowsCommand.WINDOW, usual.window(), AnalysisSettings.MIN_WINDOW))
        .withDelay(time(options, "--late", usual.delay(), Duration.ZERO))
        .withMostFlows(FlowsCommand.mostFlows(options))
        .withIdle(FlowsCommand.timeout(options, "--idle", usual.idle()))
        .withTop(number(options, "--top", AnalysisSettings.MOST_TOP, usual.top()))
        .withScans(
            number(options, "--scan-ports", Integer.MAX_VALUE, usual.scanPorts()),
            number(options, "--scan-hosts", Integer.MAX_VALUE, usual.scanHosts()))
        .withFloodSyns(number(options, "--flood-syns", Integer.MAX_VALUE, usual.floodSyns()));
  }

  private static int number(ParseResult options, String name, int most, int usual) {
    return (int) Options.number(options, name, 1, most, usual);
  }

  private static Duration time(ParseResult options, String name, Duration usual, Duration least) {
    Duration time = Options.duration(options, name).orElse(usual);
    if (time.compareTo(least) < 0 || time.compareTo(AnalysisSettings.MAX_WINDOW) > 0) {
      throw new ConfigException(
          "wrong time: %s %s; %dms to %dh are allowed"
              .formatted(
                  name,
                  options.<String>matchedOptionValue(name, ""),
                  Math.max(1, least.toMillis()),
                  AnalysisSettings.MAX_WINDOW.toHours()));
    }
    return time;
  }
}
