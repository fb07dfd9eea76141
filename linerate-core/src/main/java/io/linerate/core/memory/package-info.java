/**
 * Packets and bursts in native memory, and the reasons they end for.
 *
 * <p>What a {@link io.linerate.core.memory.BurstOwner} may do besides needs what only the driver's
 * side has: {@link io.linerate.core.driver} and {@link io.linerate.core.owner}.
 */
@NullMarked
package io.linerate.core.memory;

import org.jspecify.annotations.NullMarked;
