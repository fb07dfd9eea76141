package io.linerate.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/**
 * What a provider can do, as it says: its limits, and how it wants memory to be registered
 * (fi_getinfo(3)).
 *
 * @param name as addresses have it, such as {@code tcp}, {@code tcp+rxm}, {@code shm}
 * @param device the domain: an interface, a device, or a name of the provider's
 * @param kind how its endpoints reach each other
 * @param capabilities what they can do
 * @param messageBytes the longest message, or write or read of remote memory
 * @param injectBytes the longest message whose memory is free at once
 * @param sendQueue descriptors that an endpoint has room for to send
 * @param receiveQueue descriptors that an endpoint has room for to receive
 * @param segments of one message at most
 * @param immediateBytes that go with a message beside its memory: 0 to 8
 * @param sharedReceiveContexts at most; 0 where the provider has none
 * @param counters at most; 0 where the provider has none
 * @param linkMtuBytes of the network, 0 where it is not known
 * @param linkBitsPerSecond of the network, 0 where it is not known
 * @param keyBytes of a region's key at most
 * @param registrationModes bits of fi_mr(3) that the provider insists on
 * @param version of the provider: major times 256 and minor, as libfabric counts
 * @param addressBytes of a peer's name
 * @param ordersWrites whether of two writes to the same remote memory the first is done first
 */
public record ProviderInfo(
    String name,
    String device,
    EndpointKind kind,
    Set<Capability> capabilities,
    long messageBytes,
    long injectBytes,
    long sendQueue,
    long receiveQueue,
    int segments,
    int immediateBytes,
    int sharedReceiveContexts,
    int counters,
    long linkMtuBytes,
    long linkBitsPerSecond,
    int keyBytes,
    long registrationModes,
    long version,
    int addressBytes,
    boolean ordersWrites) {
  static final long MR_LOCAL = 1L << 2;
  static final long MR_VIRTUAL_ADDRESS = 1L << 4;
  static final long MR_ALLOCATED = 1L << 5;
  static final long MR_PROVIDER_KEY = 1L << 6;

  /** Of the order of messages: fi_endpoint(3). */
  private static final long FI_ORDER_RMA_WAW = 1L << 35;

  private static final int VALUES = 20;

  /** Of a {@code struct fi_info}; the order of its values is that of lrf_describe. */
  static ProviderInfo of(long info) {
    long[] v;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment values = arena.allocate(ValueLayout.JAVA_LONG, VALUES);
      int count = FabricFunction.DESCRIBE.call(info, values.address(), VALUES);
      if (count != VALUES) {
        throw new FabricException(
            "the libfabric shim is of another Linerate: values=%d, expected=%d; build again"
                .formatted(count, VALUES));
      }
      v = values.toArray(ValueLayout.JAVA_LONG);
    }
    String name = FabricLibrary.text(v[0]).replace(";ofi_", "+");
    boolean isShared = name.equals("shm");
    int segments = (int) Math.min(WorkLayout.SEGMENTS_AT_MOST, Math.min(size(v[8]), size(v[9])));
    return new ProviderInfo(
        name,
        FabricLibrary.text(v[1]),
        EndpointKind.of(v[3]),
        Defect.without(name, Capability.of(v[2])),
        isShared ? Math.min(size(v[4]), Spill.MOST_BYTES) : size(v[4]),
        size(v[5]),
        size(v[6]),
        size(v[7]),
        isShared || name.indexOf('+') >= 0 ? segments - 1 : segments, // One is for the spill.
        (int) v[12],
        bounded(v[13]),
        bounded(v[14]),
        v[15],
        v[16],
        bounded(v[11]),
        v[10],
        v[17],
        (int) v[18],
        (v[19] & FI_ORDER_RMA_WAW) != 0);
  }

  /** Of a size_t, which may be without a bound. */
  private static long size(long value) {
    return value < 0 ? Long.MAX_VALUE : value;
  }

  private static int bounded(long count) {
    return Math.clamp(size(count), 0, Integer.MAX_VALUE);
  }

  boolean has(Capability capability) {
    return capabilities.contains(capability);
  }

  /**
   * @throws FabricException if immediate data has more bytes than there are for it
   */
  void requireImmediate(long value) {
    if (immediateBytes < Long.BYTES && value >>> (immediateBytes * Byte.SIZE) != 0) {
      throw new FabricException(
          "immediate data too long for the provider: provider=%s, bytes=%d, value=%#x; send it as a part of the message"
              .formatted(name, immediateBytes, value));
    }
  }

  boolean wantsMode(long mode) {
    return (registrationModes & mode) != 0;
  }
}
