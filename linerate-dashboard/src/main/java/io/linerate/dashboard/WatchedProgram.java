package io.linerate.dashboard;

import io.linerate.core.worker.Engine;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.graph.GraphRunner;
import org.jspecify.annotations.Nullable;

/**
 * What a dashboard shows and changes.
 *
 * @param name of the program
 * @param graph null: the program is none
 * @param rules null: the program has none
 */
public record WatchedProgram(
    String name,
    String version,
    Engine engine,
    @Nullable GraphRunner graph,
    @Nullable RuleControl rules) {}
