/**
 * Packets and bursts in native memory, the pools they come from and the reasons they end for.
 *
 * <p>Applications use {@link io.linerate.core.memory.Packet}, {@link io.linerate.core.memory.Burst}
 * and {@link io.linerate.core.memory.DropReason}. The rest is for drivers.
 */
@NullMarked
package io.linerate.core.memory;

import org.jspecify.annotations.NullMarked;
