/**
 * User-level networking on libfabric: endpoints with queues, messages from and into registered
 * memory, remote memory, completion queues.
 *
 * <p>A {@link FabricDomain} is one thread's: it opens endpoints, registers memory and gives
 * descriptors. A {@link Descriptor} says what is to be done with which memory; an {@link Endpoint}
 * takes it, a {@link CompletionQueue} gives it back. Connections are a {@link Connection}, made by
 * a {@link Listener} or by connecting; an {@link OpenEndpoint} reaches all its peers without.
 * Nothing here allocates for each message.
 *
 * <p>{@code FabricLibrary} has the native functions of the data path, {@code FabricFunction} the
 * others; the shim behind them is {@code linerate_fabric.c}.
 */
@NullMarked
package io.linerate.fabric;

import org.jspecify.annotations.NullMarked;
