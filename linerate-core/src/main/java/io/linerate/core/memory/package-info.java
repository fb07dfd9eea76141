/**
 * Packets and bursts in native memory, and the reasons they end for.
 *
 * <p>Handlers use {@link io.linerate.core.memory.Packet}, {@link io.linerate.core.memory.Burst},
 * {@link io.linerate.core.memory.HeldPackets} and {@link io.linerate.core.memory.DropReason}. The
 * other classes are for drivers and runtimes, who have what it takes to make them: arrays of {@link
 * io.linerate.core.driver}.
 */
@NullMarked
package io.linerate.core.memory;

import org.jspecify.annotations.NullMarked;
