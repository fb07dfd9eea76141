package io.linerate.bench.fabric.exchange;

import io.linerate.fabric.Completions;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.Endpoint;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.Operation;
import org.jspecify.annotations.Nullable;

/** Registered memory in place: what is short enough is injected, the rest goes by descriptors. */
final class RawTraffic implements Traffic {
  private static final int LINE_BYTES = 64;

  private final End end;
  private final Endpoint endpoint;
  private final int bytes;
  private final long stride;
  private final boolean isInjected;
  private final MemoryRegion outMemory;
  private final Descriptor[] out;
  private int nextOut;
  private long credits;

  /** What {@link #takeOne} has taken. */
  private @Nullable Descriptor only;

  /**
   * @param sends how many messages may be under way to the peer
   * @param receives how many messages, credits included, may come before they are taken
   */
  RawTraffic(End end, int bytes, int sends, int receives) {
    this.end = end;
    this.bytes = bytes;
    endpoint = end.peer.endpoint();
    isInjected = bytes <= end.domain.provider().injectBytes();
    stride = (bytes + LINE_BYTES - 1L) & -LINE_BYTES;
    outMemory = end.region(stride * sends);
    out = new Descriptor[sends];
    for (int i = 0; i < sends; i++) {
      out[i] = end.domain.descriptor().on(outMemory, i * stride, bytes);
    }
    MemoryRegion inMemory = end.region(stride * receives);
    for (int i = 0; i < receives; i++) {
      post(end.domain.descriptor().on(inMemory, i * stride, bytes));
    }
  }

  @Override
  public boolean send(boolean isCredit) {
    int slot = nextOut;
    if (isCredit) {
      return end.peer.inject(outMemory, 0, 0);
    }
    boolean isSent =
        isInjected
            ? end.peer.inject(outMemory, slot * stride, bytes)
            : !out[slot].isPosted() && end.peer.send(out[slot]);
    if (isSent) {
      nextOut = slot + 1 == out.length ? 0 : slot + 1;
    }
    return isSent;
  }

  @Override
  public int take(boolean isWaiting) {
    Completions come = end.completions;
    int count = isWaiting ? end.queue.await(come, End.FOREVER) : end.queue.poll(come);
    int taken = 0;
    for (int i = 0; i < count; i++) {
      Descriptor descriptor = End.good(come, i);
      if (descriptor.operation() == Operation.RECEIVE) {
        if (come.length(i) > 0) {
          taken++;
        } else {
          credits++;
        }
        post(descriptor);
      }
    }
    return taken;
  }

  @Override
  public boolean takeOne() {
    Descriptor before = only;
    if (before != null) {
      post(before);
      only = null;
    }
    Completions come = end.completions;
    int count = end.queue.await(come, End.FOREVER);
    for (int i = 0; i < count; i++) {
      Descriptor descriptor = End.good(come, i);
      if (descriptor.operation() == Operation.RECEIVE) {
        only = descriptor;
      }
    }
    return only != null;
  }

  /** There is always room for what has just come. */
  private void post(Descriptor descriptor) {
    if (!endpoint.receiveWithPoll(descriptor)) {
      throw new IllegalStateException("no room to receive: bytes=" + bytes);
    }
  }

  @Override
  public long credits() {
    return credits;
  }
}
