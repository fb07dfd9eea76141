package io.linerate.fabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;

/**
 * Memory of a peer, as it has published it: {@link MemoryRegion#publish} makes one, a message
 * carries it to who is to write or read that memory. Every access is checked against it on the side
 * that asks; the provider of the other side checks the key.
 *
 * @param address where it begins: an address of the peer's, or 0
 * @param key of the registration
 * @param length in bytes
 * @param rights what this side may do
 */
public record RemoteRegion(long address, long key, long length, Set<Access> rights) {
  /**
   * Bytes of one that is written into memory, in network order: address 8, key 8, length 8, rights
   * 1 (bit 0: may be read, bit 1: may be written).
   */
  public static final int BYTES = 25;

  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  public RemoteRegion {
    if (length < 0) {
      throw notARegion("length=" + length);
    }
    rights = Set.copyOf(rights);
  }

  private static FabricException notARegion(String why) {
    return new FabricException(
        "not a region of a peer: " + why + "; take it from where the peer has written it");
  }

  /**
   * Reads one that a peer has written.
   *
   * @throws FabricException if there is something else
   */
  public static RemoteRegion read(MemorySegment memory, long offset) {
    return new RemoteRegion(
        memory.get(U64, offset),
        memory.get(U64, offset + 8),
        memory.get(U64, offset + 16),
        rights(memory.get(ValueLayout.JAVA_BYTE, offset + 24)));
  }

  private static Set<Access> rights(byte flags) {
    Set<Access> rights = EnumSet.noneOf(Access.class);
    int unknown = flags;
    for (Access access : Access.values()) {
      if ((flags & access.flag()) != 0) {
        rights.add(access);
        unknown &= ~access.flag();
      }
    }
    if (unknown != 0) {
      throw notARegion("rights=" + flags);
    }
    return rights;
  }

  /** Writes it for a peer: {@link #BYTES} bytes. */
  public void write(MemorySegment memory, long offset) {
    memory.set(U64, offset, address);
    memory.set(U64, offset + 8, key);
    memory.set(U64, offset + 16, length);
    int flags = rights.stream().mapToInt(Access::flag).sum();
    memory.set(ValueLayout.JAVA_BYTE, offset + 24, (byte) flags);
  }

  /** Without the key: with some providers whoever knows it may read. */
  @Override
  public String toString() {
    return "RemoteRegion[length=%d, rights=%s]".formatted(length, rights);
  }

  /** Where a range of it is, for the provider; throws if the peer has not published it so. */
  long locate(long offset, long bytes, Access access) {
    if (offset < 0 || bytes > length || offset > length - bytes) {
      throw new FabricException(
          "access beyond a region of a peer: offset=%d, length=%d, region=%d bytes; stay within what the peer has published"
              .formatted(offset, bytes, length));
    }
    if (!rights.contains(access)) {
      throw new FabricException(
          "the peer has not allowed this access: access=%s, rights=%s; have it register the memory with it"
              .formatted(access, rights));
    }
    return address + offset;
  }
}
