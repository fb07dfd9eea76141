package io.linerate.dashboard;

import io.linerate.core.worker.Engine;
import io.linerate.dashboard.control.ConfigurationControl;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.graph.GraphRunner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a dashboard shows and changes.
 *
 * @param graph null: the program is none
 * @param rules null: the program has none
 * @param configuration null: it cannot be read again
 * @param view members of the state that no counter says; empty: none
 */
public record WatchedProgram(
    Engine engine,
    @Nullable GraphRunner graph,
    @Nullable RuleControl rules,
    @Nullable ConfigurationControl configuration,
    Optional<JsonMembers> view) {
  /** Without rules, and with a configuration that stays. */
  public WatchedProgram(Engine engine, @Nullable GraphRunner graph) {
    this(engine, graph, null, null, Optional.empty());
  }
}
