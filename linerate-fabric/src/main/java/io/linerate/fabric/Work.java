package io.linerate.fabric;

import io.linerate.core.driver.NativeMemory;
import org.jspecify.annotations.Nullable;

/**
 * Writes the {@code struct work} of a descriptor, by which the native call knows what is asked for.
 *
 * @param address where it is, as long as the domain is open
 */
record Work(long address) {
  void id(long id) {
    NativeMemory.u64(address + WorkLayout.ID, id);
  }

  void segment(int index, long where, long bytes, MemoryRegion region) {
    long iov = address + WorkLayout.IOV + (long) index * WorkLayout.IOV_BYTES;
    NativeMemory.u64(iov, where);
    NativeMemory.u64(iov + WorkLayout.IOV_LENGTH, bytes);
    NativeMemory.u64(
        address + WorkLayout.DESCRIPTORS + (long) index * Long.BYTES, region.descriptor());
  }

  /** A segment of the spill behind the others. */
  void spill(int index, Spill spill) {
    long iov = address + WorkLayout.IOV + (long) index * WorkLayout.IOV_BYTES;
    NativeMemory.u64(iov, spill.address());
    NativeMemory.u64(iov + WorkLayout.IOV_LENGTH, spill.bytes());
    NativeMemory.u64(address + WorkLayout.DESCRIPTORS + (long) index * Long.BYTES, 0);
  }

  void operation(Operation operation, int segments, long flags, @Nullable Peer peer) {
    NativeMemory.u32(address + WorkLayout.OPERATION, operation.number());
    NativeMemory.u32(address + WorkLayout.SEGMENTS, segments);
    NativeMemory.u64(address + WorkLayout.FLAGS, flags);
    NativeMemory.u64(address + WorkLayout.PEER, peer == null ? Peer.ANY : peer.number());
  }

  boolean hasFlags(long bits) {
    return (NativeMemory.u64(address + WorkLayout.FLAGS) & bits) == bits;
  }

  void immediate(long value) {
    NativeMemory.u64(address + WorkLayout.DATA, value);
  }

  void tag(long value, long ignoredBits) {
    NativeMemory.u64(address + WorkLayout.TAG, value);
    NativeMemory.u64(address + WorkLayout.IGNORED_BITS, ignoredBits);
  }

  void remote(long where, long key) {
    NativeMemory.u64(address + WorkLayout.REMOTE_ADDRESS, where);
    NativeMemory.u64(address + WorkLayout.REMOTE_KEY, key);
  }

  void atomic(AtomicType type, int number, long elements) {
    NativeMemory.u32(address + WorkLayout.DATATYPE, type.number());
    NativeMemory.u32(address + WorkLayout.ATOMIC, number);
    NativeMemory.u64(address + WorkLayout.ELEMENTS, elements);
  }

  void result(long where, MemoryRegion region) {
    NativeMemory.u64(address + WorkLayout.RESULT, where);
    NativeMemory.u64(address + WorkLayout.RESULT_DESCRIPTOR, region.descriptor());
  }

  void compare(long where, MemoryRegion region) {
    NativeMemory.u64(address + WorkLayout.COMPARE, where);
    NativeMemory.u64(address + WorkLayout.COMPARE_DESCRIPTOR, region.descriptor());
  }
}
