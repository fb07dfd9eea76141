/**
 * What tests of elements share: {@link io.linerate.testkit.graph.ElementHarness} runs an element,
 * {@link io.linerate.testkit.graph.FrameBuilder} makes the frames that it gets.
 */
@NullMarked
package io.linerate.testkit.graph;

import org.jspecify.annotations.NullMarked;
