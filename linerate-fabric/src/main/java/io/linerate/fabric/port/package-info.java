/**
 * {@code fabric:} ports: frames as messages of channels, so that a graph is cut between two
 * processes or hosts.
 *
 * <p>A queue has a channel of its own ({@code FabricLine}), in which packets go in one direction.
 */
@NullMarked
package io.linerate.fabric.port;

import org.jspecify.annotations.NullMarked;
