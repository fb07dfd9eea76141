package io.linerate.analysis;

import io.linerate.stream.WindowKeys;
import io.linerate.track.flow.FlowSettings;
import java.time.Duration;

/**
 * How traffic is analysed.
 *
 * @param window how long a window is; they begin at multiples of it since 1970
 * @param delay how much earlier a packet's time may be than the latest on its worker: what is
 *     earlier is not counted in a window that has ended
 * @param isRecorded whether times are those of a recording: then only packets end windows, and
 *     otherwise the clock, too
 * @param mostFlows that each worker has open at most; a window of a worker has so many names, and
 *     four times as many flows, and of others it says only how many packets and questions they had
 * @param idle after which a flow of UDP or ICMP without packets is a new one
 * @param top how many flows, hosts and names a report has at most, by bytes and by packets
 * @param scanPorts destination ports of one host that one source begins connections with: from so
 *     many on they are a scan
 * @param scanHosts hosts that one source begins connections with: from so many on they are a scan
 * @param floodSyns SYNs of connections to one address and port that were not completed: from so
 *     many on they are a flood
 */
public record AnalysisSettings(
    Duration window,
    Duration delay,
    boolean isRecorded,
    int mostFlows,
    Duration idle,
    int top,
    int scanPorts,
    int scanHosts,
    int floodSyns) {
  /** Longest window, and longest delay. */
  public static final Duration MAX_WINDOW = Duration.ofDays(1);

  /** Shortest window. */
  public static final Duration MIN_WINDOW = Duration.ofMillis(10);

  /** Flows, hosts and names in a report at most. */
  public static final int MOST_TOP = 100_000;

  /**
   * Windows of 1 s of packets as they come, with a delay of 100 ms; flows as {@link
   * FlowSettings#DEFAULT} has them; the largest 10; scans from 100 ports and 100 hosts on, floods
   * from 1,000 SYNs on.
   */
  public static final AnalysisSettings DEFAULT =
      new AnalysisSettings(
          Duration.ofSeconds(1),
          Duration.ofMillis(100),
          false,
          FlowSettings.DEFAULT.maxFlows(),
          FlowSettings.DEFAULT.idleTimeout(),
          10,
          100,
          100,
          1_000);

  /**
   * @throws IllegalArgumentException if there can be no such analysis
   */
  public AnalysisSettings {
    if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "bad window: window=%s; give %d ms to %d h"
              .formatted(window, MIN_WINDOW.toMillis(), MAX_WINDOW.toHours()));
    }
    if (delay.isNegative() || delay.compareTo(MAX_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "bad delay: delay=%s; give 0 to %d h".formatted(delay, MAX_WINDOW.toHours()));
    }
    FlowSettings _ = flows(mostFlows, idle);
    check("top", top, MOST_TOP);
    check("scanPorts", scanPorts, Integer.MAX_VALUE);
    check("scanHosts", scanHosts, Integer.MAX_VALUE);
    check("floodSyns", floodSyns, Integer.MAX_VALUE);
  }

  private static void check(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(
          "bad setting: %s=%d; give 1 to %d".formatted(name, value, most));
    }
  }

  private static FlowSettings flows(int mostFlows, Duration idle) {
    return new FlowSettings(mostFlows, FlowSettings.MAX_TIMEOUT, idle);
  }

  /** How flows are told apart in time. */
  FlowSettings flows() {
    return flows(mostFlows, idle);
  }

  /** Flows and names of a window on one worker at most. */
  WindowKeys keys() {
    return WindowKeys.of((int) Math.min(4L * mostFlows, Integer.MAX_VALUE))
        .with(NameId.class, mostFlows)
        .withRest(TrafficAnalysis.TOO_MANY_KEYS);
  }

  public AnalysisSettings withWindow(Duration next) {
    return new AnalysisSettings(
        next, delay, isRecorded, mostFlows, idle, top, scanPorts, scanHosts, floodSyns);
  }

  public AnalysisSettings withDelay(Duration next) {
    return new AnalysisSettings(
        window, next, isRecorded, mostFlows, idle, top, scanPorts, scanHosts, floodSyns);
  }

  /** The same for a recording, or for packets as they come. */
  public AnalysisSettings ofRecorded(boolean next) {
    return new AnalysisSettings(
        window, delay, next, mostFlows, idle, top, scanPorts, scanHosts, floodSyns);
  }

  public AnalysisSettings withMostFlows(int next) {
    return new AnalysisSettings(
        window, delay, isRecorded, next, idle, top, scanPorts, scanHosts, floodSyns);
  }

  public AnalysisSettings withIdle(Duration next) {
    return new AnalysisSettings(
        window, delay, isRecorded, mostFlows, next, top, scanPorts, scanHosts, floodSyns);
  }

  public AnalysisSettings withTop(int next) {
    return new AnalysisSettings(
        window, delay, isRecorded, mostFlows, idle, next, scanPorts, scanHosts, floodSyns);
  }

  /** The same with other thresholds of scans. */
  public AnalysisSettings withScans(int ports, int hosts) {
    return new AnalysisSettings(
        window, delay, isRecorded, mostFlows, idle, top, ports, hosts, floodSyns);
  }

  public AnalysisSettings withFloodSyns(int next) {
    return new AnalysisSettings(
        window, delay, isRecorded, mostFlows, idle, top, scanPorts, scanHosts, next);
  }
}
