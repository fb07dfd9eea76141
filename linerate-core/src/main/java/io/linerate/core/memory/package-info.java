/**
 * Packets and bursts in native memory, and the reasons they end for.
 *
 * <p>Applications use {@link io.linerate.core.memory.Packet}, {@link
 * io.linerate.core.memory.Burst}, {@link io.linerate.core.memory.HeldPackets} and {@link
 * io.linerate.core.memory.DropReason}. The rest is for those who own bursts: drivers and runtimes.
 */
@NullMarked
package io.linerate.core.memory;

import org.jspecify.annotations.NullMarked;
