package io.linerate.bench.fabric.exchange;

import io.linerate.fabric.heap.ArrayType;
import io.linerate.fabric.heap.HeapMessages;
import io.linerate.fabric.heap.HeapOptions;
import java.lang.foreign.MemorySegment;

/** Arrays of the heap, copied or where they are, into an array that is there or a new one. */
final class HeapTraffic implements Traffic {
  private final End end;
  private final HeapMessages messages;
  private final boolean isNew;
  private final MemorySegment out;
  private final MemorySegment in;
  private final MemorySegment credit = MemorySegment.ofArray(new byte[0]);
  private byte[] last = {};
  private long credits;

  /**
   * @param receives how many messages, credits included, may come before they are taken
   */
  HeapTraffic(End end, int bytes, int receives, boolean isPinned, boolean isNew) {
    this.end = end;
    this.isNew = isNew;
    HeapOptions options = new HeapOptions(receives, bytes);
    messages =
        isPinned ? HeapMessages.pinned(end.peer, options) : HeapMessages.copied(end.peer, options);
    out = MemorySegment.ofArray(new byte[bytes]);
    in = MemorySegment.ofArray(new byte[bytes]);
  }

  @Override
  public boolean send(boolean isCredit) {
    return messages.send(isCredit ? credit : out);
  }

  @Override
  public int take(boolean isWaiting) {
    int _ =
        isWaiting ? end.queue.await(end.completions, End.FOREVER) : end.queue.poll(end.completions);
    int taken = 0;
    for (long bytes = receive(); bytes >= 0; bytes = receive()) {
      if (bytes > 0) {
        taken++;
      } else {
        credits++;
      }
    }
    return taken;
  }

  @Override
  public boolean takeOne() {
    if (receive() >= 0) {
      return true;
    }
    int _ = end.queue.await(end.completions, End.FOREVER);
    return receive() >= 0;
  }

  private long receive() {
    if (!isNew) {
      return messages.receive(in);
    }
    byte[] array = messages.receive(ArrayType.BYTES);
    if (array == null) {
      return -1;
    }
    last = array; // Somebody has it, so that it has to be made.
    return last.length;
  }

  @Override
  public long credits() {
    return credits;
  }
}
