package io.linerate.fabric;

import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of providers: {@code struct request} of linerate_fabric.c, for fi_getinfo(3).
 *
 * @param provider its name as libfabric has it, null for all
 * @param node host, or null
 * @param service port, or null
 * @param isSource whether node and service are of this side
 * @param capabilities bits of fi_getinfo(3), 0 for whatever there is
 * @param kind the kind of endpoint, 0 for any
 * @param source an address of this side as text, "" for none
 * @param registrationModes bits of fi_mr(3) that this side can do
 * @param messageOrder bits of fi_endpoint(3): the order that operations must have, 0 for none
 * @param options sizes of queues
 */
record InfoRequest(
    @Nullable String provider,
    @Nullable String node,
    @Nullable String service,
    boolean isSource,
    long capabilities,
    int kind,
    String source,
    long registrationModes,
    long messageOrder,
    DomainOptions options) {
  static final int BYTES = 344;
  static final int SOURCE = 88;

  private static final int SOURCE_BYTES = BYTES - SOURCE;

  /** Asks, and has the list freed by whoever is given it. */
  InfoList ask() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(BYTES, Long.BYTES);
      long[] values = {
        address(arena, provider),
        address(arena, node),
        address(arena, service),
        isSource ? FabricFlags.FI_SOURCE : 0,
        capabilities,
        kind,
        registrationModes,
        options.receiveQueue(),
        options.sendQueue(),
        messageOrder,
      };
      MemorySegment.copy(values, 0, request, ValueLayout.JAVA_LONG, 0, values.length);
      byte[] name = source.getBytes(StandardCharsets.UTF_8);
      if (name.length > 0) {
        long length = Math.min(name.length + 1L, SOURCE_BYTES);
        request.set(ValueLayout.JAVA_LONG, SOURCE - Long.BYTES, length);
        MemorySegment.copy(name, 0, request, ValueLayout.JAVA_BYTE, SOURCE, (int) length - 1);
      }
      MemorySegment list = arena.allocate(ValueLayout.JAVA_LONG);
      int result = FabricFunction.GETINFO.call(request.address(), list.address());
      return new InfoList(result, result == 0 ? NativeMemory.u64(list.address()) : 0);
    }
  }

  private static long address(Arena arena, @Nullable String text) {
    return text == null ? 0 : arena.allocateFrom(text).address();
  }
}
