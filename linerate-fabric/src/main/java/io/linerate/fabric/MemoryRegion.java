package io.linerate.fabric;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory: descriptors name it, and peers may write and read it if they were given the
 * right. {@link FabricDomain#register} makes it. Closing it ends the registration, not the memory;
 * it cannot be closed while a descriptor that names it is posted.
 *
 * <p>Any thread may read and write the memory itself; everything else is for the domain's thread.
 */
public final class MemoryRegion implements AutoCloseable {
  private final FabricDomain domain;
  private final MemorySegment segment;
  private final Set<Access> rights;
  private final long handle;
  private final long descriptor;
  private final long key;
  private @Nullable Runnable whenEnded;
  private boolean isClosed;

  MemoryRegion(FabricDomain domain, MemorySegment segment, Set<Access> rights, long requestedKey) {
    this.domain = domain;
    this.segment = segment;
    this.rights = Set.copyOf(rights);
    handle =
        NativeObject.open(
            "memory cannot be registered: length=" + segment.byteSize() + ",",
            FabricFunction.REGISTER,
            domain.handle(),
            segment.address(),
            segment.byteSize(),
            bits(segment.isReadOnly(), rights),
            requestedKey);
    descriptor = FabricFunction.REGION_DESCRIPTOR.callLong(handle);
    key = FabricFunction.REGION_KEY.callLong(handle);
  }

  /** Sends and writes read the memory; receives and reads write it. */
  private static long bits(boolean isReadOnly, Set<Access> rights) {
    long bits = FabricFlags.FI_SEND | FabricFlags.FI_WRITE;
    if (!isReadOnly) {
      bits |= FabricFlags.FI_RECV | FabricFlags.FI_READ;
    }
    for (Access access : rights) {
      bits |= access.bit();
    }
    return bits;
  }

  /** The memory. Any thread may ask. */
  public MemorySegment segment() {
    return segment;
  }

  /** Its bytes. Any thread may ask. */
  public long length() {
    return segment.byteSize();
  }

  /** What peers need to write and read it. */
  public RemoteRegion publish() {
    requireOpen();
    long base =
        domain.provider().wantsMode(ProviderInfo.MR_VIRTUAL_ADDRESS) ? segment.address() : 0;
    return new RemoteRegion(base, key, length(), rights);
  }

  FabricDomain domain() {
    return domain;
  }

  long descriptor() {
    return descriptor;
  }

  /** The address of a range of it. */
  long locate(long offset, long bytes, boolean isWritten) {
    requireOpen();
    if (offset < 0 || bytes < 0 || offset > length() - bytes) {
      throw new FabricException(
          "a segment beyond its memory region: offset=%d, length=%d, region=%d bytes; stay within it"
              .formatted(offset, bytes, length()));
    }
    if (isWritten && segment.isReadOnly()) {
      throw new FabricException(
          "a memory region cannot be written: its segment is read-only; receive into another");
    }
    return segment.address() + offset;
  }

  boolean isClosed() {
    return isClosed;
  }

  private void requireOpen() {
    domain.requireOpen();
    if (isClosed) {
      throw new FabricException(
          "a memory region is closed: length=%d; register its memory again".formatted(length()));
    }
  }

  /**
   * Ends the registration: peers cannot reach the memory any more, but for what they have begun.
   *
   * @throws FabricException if a posted descriptor names it: wait for its completion, or close the
   *     endpoint
   */
  @Override
  public void close() {
    domain.requireOwner();
    if (isClosed || domain.isClosed()) {
      return;
    }
    domain.descriptors().requireUnused(this);
    domain.registrations().forget(this);
    end();
  }

  /** What is to be done after it has ended, whoever ends it. */
  void whenEnded(Runnable action) {
    whenEnded = action;
  }

  /** With its domain. */
  void end() {
    isClosed = true;
    boolean _ = domain.nativeClosing().close("memory region", handle);
    Runnable action = whenEnded;
    if (action != null) {
      action.run();
    }
  }
}
