/** What tests of elements share: {@link io.linerate.testkit.graph.ElementHarness} runs one. */
@NullMarked
package io.linerate.testkit.graph;

import org.jspecify.annotations.NullMarked;
