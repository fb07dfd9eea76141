package io.linerate.fabric;

import static io.linerate.core.driver.NativeMemory.u64;

import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Completions that were polled at once: an array that is filled again and again, without an object
 * for each. {@link FabricDomain#completions} makes one.
 *
 * <p>An entry is about a descriptor, and has its error if it failed; or about none: a peer has
 * written this side's memory and sent immediate data with it, or a connection or a peer was lost,
 * which is an error without a descriptor.
 */
public final class Completions {
  private static final long IMMEDIATE = 1L << 17;

  private final FabricDomain domain;
  private final int capacity;
  private final long entries;
  private final long sources;
  private final long failure;
  private final @Nullable Descriptor[] descriptors;
  private final @Nullable Receiver[] receivers;
  private final @Nullable FabricError[] errors;
  private final long[] flags;
  private final long[] lengths;
  private final long[] tags;
  private final long[] immediates;
  private final long[] buffers;
  private final long[] peers;
  private int size;
  private boolean hasErrors;

  Completions(FabricDomain domain, Arena arena, int capacity) {
    this.domain = domain;
    this.capacity = capacity;
    entries = arena.allocate((long) capacity * CompletionLayout.BYTES, Long.BYTES).address();
    boolean hasSources = domain.provider().has(Capability.SOURCE);
    sources = hasSources ? arena.allocate((long) capacity * Long.BYTES, Long.BYTES).address() : 0;
    failure = arena.allocate(CompletionLayout.FAILURE_BYTES, Long.BYTES).address();
    descriptors = new Descriptor[capacity];
    receivers = new Receiver[capacity];
    errors = new FabricError[capacity];
    flags = new long[capacity];
    lengths = new long[capacity];
    tags = new long[capacity];
    immediates = new long[capacity];
    buffers = new long[capacity];
    peers = new long[capacity];
  }

  // ---- what was polled ----

  /** Entries that are there. */
  public int size() {
    return size;
  }

  /** What has completed or failed; null where the entry is about no descriptor. */
  public @Nullable Descriptor descriptor(int index) {
    return descriptors[Objects.checkIndex(index, size)];
  }

  /** Where it was posted, or what the error is about; null where neither is known. */
  public @Nullable Receiver receiver(int index) {
    return receivers[Objects.checkIndex(index, size)];
  }

  /** Why it has failed; null if it has not. */
  public @Nullable FabricError error(int index) {
    Objects.checkIndex(index, size);
    return hasErrors ? errors[index] : null;
  }

  /** Bytes of the message that came. */
  public long length(int index) {
    return lengths[Objects.checkIndex(index, size)];
  }

  public long tag(int index) {
    return tags[Objects.checkIndex(index, size)];
  }

  public boolean hasImmediate(int index) {
    return (flags[Objects.checkIndex(index, size)] & IMMEDIATE) != 0;
  }

  /** What came beside the memory, 0 if nothing did. */
  public long immediate(int index) {
    return hasImmediate(index) ? immediates[index] : 0;
  }

  /**
   * Where in {@code region} a message begins that came into memory for several messages ({@link
   * Receiver#receiveMany}).
   */
  public long offset(int index, MemoryRegion region) {
    return buffers[Objects.checkIndex(index, size)] - region.segment().address();
  }

  /**
   * Who has sent the message; null if that is not known: it needs {@link Capability#SOURCE}, and a
   * peer that the domain knows.
   */
  public @Nullable Peer peer(int index) {
    Objects.checkIndex(index, size);
    return sources == 0 ? null : domain.peer(peers[index]);
  }

  // ---- for queues ----

  int capacity() {
    return capacity;
  }

  long entries() {
    return entries;
  }

  long sources() {
    return sources;
  }

  long failure() {
    return failure;
  }

  void clear() {
    size = 0;
    if (hasErrors) {
      java.util.Arrays.fill(errors, null);
      hasErrors = false;
    }
  }

  /** Takes over what a native call has left, and ends the descriptors. */
  void take(int count) {
    for (int i = 0; i < count; i++) {
      long entry = entries + (long) i * CompletionLayout.BYTES;
      long entryFlags = u64(entry + CompletionLayout.FLAGS);
      long length = u64(entry + CompletionLayout.LENGTH);
      long tag = u64(entry + CompletionLayout.TAG);
      long data = u64(entry + CompletionLayout.DATA);
      Descriptor descriptor = domain.find(u64(entry + CompletionLayout.CONTEXT));
      descriptors[i] = descriptor;
      receivers[i] = descriptor == null ? null : descriptor.receiver();
      flags[i] = entryFlags;
      lengths[i] = length;
      tags[i] = tag;
      immediates[i] = data;
      buffers[i] = u64(entry + CompletionLayout.BUFFER);
      peers[i] = sources == 0 ? Peer.ANY : u64(sources + (long) i * Long.BYTES);
      if (descriptor != null) {
        descriptor.completed(entryFlags, length, tag, data);
      }
    }
    size = count;
  }

  /** Takes over a failure that a native call has left, and ends its descriptor. */
  @SuppressWarnings("restricted")
  void takeFailure() {
    FabricError error =
        FabricError.of(
            (int) u64(failure + CompletionLayout.FAILURE_ERROR),
            (int) u64(failure + CompletionLayout.FAILURE_PROVIDER_ERROR),
            NativeMemory.ALL.getString(failure + CompletionLayout.FAILURE_TEXT),
            u64(failure + CompletionLayout.FAILURE_LENGTH),
            u64(failure + CompletionLayout.FAILURE_EXCESS));
    Descriptor descriptor = domain.find(u64(failure + CompletionLayout.FAILURE_CONTEXT));
    Receiver receiver = descriptor == null ? null : descriptor.receiver();
    long entryFlags = u64(failure + CompletionLayout.FAILURE_FLAGS);
    add(new HeldCompletion(descriptor, receiver, error, entryFlags, error.length(), 0, 0, 0, -1));
    tags[size - 1] = u64(failure + CompletionLayout.FAILURE_TAG);
    if (descriptor != null) {
      descriptor.failed(error);
    }
  }

  void add(HeldCompletion held) {
    descriptors[size] = held.descriptor();
    receivers[size] = held.receiver();
    errors[size] = held.error();
    hasErrors |= held.error() != null;
    flags[size] = held.flags();
    lengths[size] = held.length();
    tags[size] = held.tag();
    immediates[size] = held.immediate();
    buffers[size] = held.buffer();
    peers[size] = held.peer();
    size++;
  }

  HeldCompletion get(int index) {
    return new HeldCompletion(
        descriptors[index],
        receivers[index],
        error(index),
        flags[index],
        lengths[index],
        tags[index],
        immediates[index],
        buffers[index],
        peers[index]);
  }
}
