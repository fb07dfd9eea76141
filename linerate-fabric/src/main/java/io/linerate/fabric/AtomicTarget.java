package io.linerate.fabric;

/**
 * What an atomic operation changes: values of a type in a peer's memory.
 *
 * @param offset of the first, in bytes: a multiple of the type's
 */
public record AtomicTarget(RemoteRegion region, long offset, AtomicType type) {
  public AtomicTarget {
    if (offset % type.bytes() != 0) {
      throw new FabricException(
          "an atomic operation on a value that is not aligned: offset=%d, type=%s; use a multiple of %d"
              .formatted(offset, type, type.bytes()));
    }
  }
}
