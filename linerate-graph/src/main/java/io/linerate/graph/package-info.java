/**
 * Applications as graphs of small elements, in bursts and in place.
 *
 * <p>A {@link io.linerate.graph.Graph} is a value: {@link io.linerate.graph.Element}s by name, and
 * edges. {@link io.linerate.graph.GraphRunner} runs it on the workers of an engine, and changes it
 * while packets flow. {@link io.linerate.graph.ElementHarness} runs one element in a test. {@code
 * docs/add-an-element.md} shows how to write one.
 */
@NullMarked
package io.linerate.graph;

import org.jspecify.annotations.NullMarked;
