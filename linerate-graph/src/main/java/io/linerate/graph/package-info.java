/**
 * Applications as graphs of small elements, in bursts and in place.
 *
 * <p>A {@link io.linerate.graph.Graph} is a value: {@link io.linerate.graph.Element}s by name, and
 * edges. {@link io.linerate.graph.GraphRunner} runs it on the workers of an engine, and changes it
 * while packets flow. {@link io.linerate.graph.GraphInvoker} runs it on the thread that calls, for
 * tests. {@code docs/add-an-element.md} shows how to write an element.
 */
@NullMarked
package io.linerate.graph;

import org.jspecify.annotations.NullMarked;
