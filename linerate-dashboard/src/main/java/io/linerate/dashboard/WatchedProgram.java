package io.linerate.dashboard;

import io.linerate.core.worker.Engine;
import io.linerate.dashboard.control.ConfigurationControl;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.graph.GraphRunner;
import org.jspecify.annotations.Nullable;

/**
 * What a dashboard shows and changes.
 *
 * @param graph null: the program is none
 * @param rules null: the program has none
 * @param configuration null: it cannot be read again
 */
public record WatchedProgram(
    Engine engine,
    @Nullable GraphRunner graph,
    @Nullable RuleControl rules,
    @Nullable ConfigurationControl configuration) {
  /** Without rules, and with a configuration that stays. */
  public WatchedProgram(Engine engine, @Nullable GraphRunner graph) {
    this(engine, graph, null, null);
  }
}
