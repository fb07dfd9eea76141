package io.linerate.program.run;

import io.linerate.core.config.RateText;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.control.ConfigurationControl;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.graph.GraphRunner;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What runs on an engine, from opening its ports to the summary. */
public interface Application {
  /** Opens ports and gives workers their handlers. */
  void wire(Engine engine);

  /** The graph that it has put on the engine; null if it has none. */
  default @Nullable GraphRunner graph() {
    return null;
  }

  /** Its rules, which may change while it runs; null if it has none. */
  default @Nullable RuleControl rules() {
    return null;
  }

  /** Its configuration, which can be read again; null if it cannot. */
  default @Nullable ConfigurationControl configuration() {
    return null;
  }

  /** What its page shows besides: members of the state; empty: nothing. Written on any thread. */
  default Optional<JsonMembers> view() {
    return Optional.empty();
  }

  /** How much of what it was asked for is done: 0 to 1; -1 if that has no end. Any thread. */
  default double done(PacketCounts now) {
    return -1;
  }

  /**
   * How far it is, in the last line of a terminal, for who does not count packets; empty: by {@link
   * #done}. Any thread.
   */
  default String bar(long elapsedNs) {
    return "";
  }

  /**
   * What has become of packets that are needed no longer, in a word such as decoded, for programs
   * that receive only: lines of progress say it in place of what was sent and dropped. Empty: they
   * count as dropped.
   */
  default String goodEnd() {
    return "";
  }

  /** How a long run stands, in a line; empty: as before. */
  default String progress(PacketCounts now, PacketCounts before, long intervalNs) {
    return String.format(
        Locale.ROOT,
        "%s, %s",
        goodEnd().isEmpty() ? ProgressLine.ofSender(now) : ProgressLine.ofReceiver(now, goodEnd()),
        RateText.packets((now.received() - before.received()) * 1e9 / intervalNs));
  }

  /** Called once the workers have ended, while ports and elements are still open. */
  default void ended() {}

  /**
   * Completes what the application has open. Called once the workers have ended, or wiring failed.
   *
   * @return a sentence for each thing that failed
   */
  default List<String> finish() {
    return List.of();
  }

  /** Prints what happened. */
  void report(RunSummary summary);
}
