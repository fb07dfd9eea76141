package io.linerate.fabric;

import static io.linerate.core.driver.NativeMemory.u64;

import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.util.Arrays;
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
  private final FabricDomain domain;
  private final int capacity;
  private final long entries;
  private final long sources;
  private final long failure;
  private final @Nullable Descriptor[] descriptors;
  private final @Nullable Receiver[] receivers;
  private final @Nullable FabricError[] errors;
  private final boolean[] ended;
  private int size;
  private boolean hasErrors;
  private boolean isBusy;

  Completions(FabricDomain domain, Arena arena, int capacity) {
    this.domain = domain;
    this.capacity = capacity;
    entries = arena.allocate((long) capacity * CompletionLayout.BYTES, Long.BYTES).address();
    boolean hasSources = domain.provider().has(Capability.SOURCE);
    sources = hasSources ? arena.allocate((long) capacity * Long.BYTES, Long.BYTES).address() : 0;
    failure = arena.allocate(CompletionLayout.FAILURE_BYTES, Long.BYTES).address();
    u64(failure + CompletionLayout.FAILURE_WANTS_TEXT, domain.address().isLayered() ? 0 : 1);
    descriptors = new Descriptor[capacity];
    receivers = new Receiver[capacity];
    errors = new FabricError[capacity];
    ended = new boolean[capacity];
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

  /**
   * Whether the entry is about a message, or another operation. It is not where memory for several
   * messages only comes back ({@link Receiver#receiveMany}), or a connection or a peer was lost;
   * and where a peer has written this side's memory with immediate data and the provider, as verbs,
   * takes a descriptor that was posted to receive for that: the descriptor comes back with the data
   * and without a message.
   */
  public boolean hasMessage(int index) {
    long entryFlags = flags(index);
    return descriptors[index] == null
        ? (entryFlags & FabricFlags.FI_REMOTE_CQ_DATA) != 0
        : (entryFlags & FabricFlags.FI_REMOTE_WRITE) == 0
            && ((entryFlags & FabricFlags.FI_MULTI_RECV) == 0
                || (entryFlags & FabricFlags.FI_RECV) != 0);
  }

  /** Bytes of the message that came. */
  public long length(int index) {
    return u64(entry(index) + CompletionLayout.LENGTH);
  }

  /** The tag of the message that came, where it has one. */
  public long tag(int index) {
    return u64(entry(index) + CompletionLayout.TAG);
  }

  /** Whether something came beside the memory. */
  public boolean hasImmediate(int index) {
    return (flags(index) & FabricFlags.FI_REMOTE_CQ_DATA) != 0;
  }

  /** What came beside the memory, 0 if nothing did. */
  public long immediate(int index) {
    return hasImmediate(index) ? u64(entry(index) + CompletionLayout.DATA) : 0;
  }

  /**
   * Where in {@code region} a message begins that came into memory for several messages ({@link
   * Receiver#receiveMany}); -1 if none did, or elsewhere.
   */
  public long offset(int index, MemoryRegion region) {
    long offset = u64(entry(index) + CompletionLayout.BUFFER) - region.segment().address();
    return offset >= 0 && offset <= region.length() ? offset : -1;
  }

  /**
   * Who has sent the message; null if that is not known: it needs {@link Capability#SOURCE}, and a
   * peer that the domain knows.
   */
  public @Nullable Peer peer(int index) {
    Objects.checkIndex(index, size);
    return sources == 0 ? null : domain.peer(source(index));
  }

  /**
   * Where the provider has written an entry: it stays there until the next poll, or its domain's
   * end.
   */
  private long entry(int index) {
    domain.requireOpen();
    return place(Objects.checkIndex(index, size));
  }

  private long place(int index) {
    return entries + (long) index * CompletionLayout.BYTES;
  }

  private long flags(int index) {
    return u64(entry(index) + CompletionLayout.FLAGS);
  }

  private long source(int index) {
    return sources == 0 ? Peer.ANY : u64(sources + (long) index * Long.BYTES);
  }

  // ---- for queues ----

  FabricDomain domain() {
    return domain;
  }

  /** While handlers are called for what it has: they must not fill it again. */
  void busy(boolean is) {
    isBusy = is;
  }

  boolean isBusy() {
    return isBusy;
  }

  /** Whether an entry has ended its descriptor, whose handler is still to be called. */
  boolean hasEnded(int index) {
    return ended[index];
  }

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
      Arrays.fill(errors, null);
      hasErrors = false;
    }
  }

  /**
   * Takes over what a native call has left, and ends the descriptors.
   *
   * @return how many have ended
   */
  int take(int count) {
    int endings = 0;
    for (int i = 0; i < count; i++) {
      long entry = place(i);
      Descriptor descriptor = find(u64(entry + CompletionLayout.CONTEXT));
      put(i, descriptor, descriptor == null ? null : descriptor.receiver());
      boolean hasEnded = descriptor != null && end(i, entry, descriptor);
      ended[i] = hasEnded;
      endings += hasEnded ? 1 : 0;
    }
    size = count;
    return endings;
  }

  /** Mostly the same come again: what is not written need not be remembered by the collector. */
  private void put(int i, @Nullable Descriptor descriptor, @Nullable Receiver receiver) {
    if (descriptors[i] != descriptor) {
      descriptors[i] = descriptor;
    }
    if (receivers[i] != receiver) {
      receivers[i] = receiver;
    }
  }

  private boolean end(int i, long entry, Descriptor descriptor) {
    long flags = u64(entry + CompletionLayout.FLAGS);
    if ((flags & FabricFlags.FI_REMOTE_WRITE) != 0) {
      u64(entry + CompletionLayout.LENGTH, 0); // What was written elsewhere.
    }
    long length = u64(entry + CompletionLayout.LENGTH);
    FabricError tooLong = descriptor.tooLong(length);
    if (tooLong == null) {
      return descriptor.completed(
          flags, length, u64(entry + CompletionLayout.TAG), u64(entry + CompletionLayout.DATA));
    }
    errors[i] = tooLong;
    hasErrors = true;
    u64(entry + CompletionLayout.LENGTH, tooLong.length());
    return descriptor.failed(tooLong, flags);
  }

  /** The descriptor of a context; null where it is none that is posted. */
  private @Nullable Descriptor find(long context) {
    Descriptor descriptor = domain.descriptors().find(context);
    return descriptor != null && descriptor.isHeld() ? descriptor : null;
  }

  /**
   * Takes over a failure that a native call has left, and ends its descriptor.
   *
   * @return how many have ended
   */
  int takeFailure() {
    FabricError error =
        FabricError.of(
            (int) u64(failure + CompletionLayout.FAILURE_ERROR),
            (int) u64(failure + CompletionLayout.FAILURE_PROVIDER_ERROR),
            NativeMemory.ALL.getString(failure + CompletionLayout.FAILURE_TEXT),
            u64(failure + CompletionLayout.FAILURE_LENGTH),
            u64(failure + CompletionLayout.FAILURE_EXCESS));
    Descriptor descriptor = find(u64(failure + CompletionLayout.FAILURE_CONTEXT));
    if (descriptor != null && !descriptor.isAskedBack()) {
      error = error.unasked();
    }
    Receiver receiver = descriptor == null ? null : descriptor.receiver();
    long entryFlags = u64(failure + CompletionLayout.FAILURE_FLAGS);
    long tag = u64(failure + CompletionLayout.FAILURE_TAG);
    boolean hasEnded = descriptor != null && descriptor.failed(error, entryFlags);
    add(
        new HeldCompletion(
            descriptor, receiver, error, entryFlags, error.length(), tag, 0, 0, -1, hasEnded));
    return hasEnded ? 1 : 0;
  }

  void add(HeldCompletion held) {
    put(size, held.descriptor(), held.receiver());
    errors[size] = held.error();
    hasErrors |= held.error() != null;
    ended[size] = held.hasEnded();
    long entry = place(size);
    u64(entry + CompletionLayout.FLAGS, held.flags());
    u64(entry + CompletionLayout.LENGTH, held.length());
    u64(entry + CompletionLayout.TAG, held.tag());
    u64(entry + CompletionLayout.DATA, held.immediate());
    u64(entry + CompletionLayout.BUFFER, held.buffer());
    if (sources != 0) {
      u64(sources + (long) size * Long.BYTES, held.peer());
    }
    size++;
  }

  HeldCompletion get(int index) {
    long entry = entry(index);
    return new HeldCompletion(
        descriptors[index],
        receivers[index],
        error(index),
        u64(entry + CompletionLayout.FLAGS),
        u64(entry + CompletionLayout.LENGTH),
        u64(entry + CompletionLayout.TAG),
        u64(entry + CompletionLayout.DATA),
        u64(entry + CompletionLayout.BUFFER),
        source(index),
        ended[index]);
  }
}
