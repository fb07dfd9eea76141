package io.linerate.bench.fabric.exchange;

import io.linerate.fabric.Access;
import io.linerate.fabric.CompletionLevel;
import io.linerate.fabric.Descriptor;
import io.linerate.fabric.MemoryRegion;
import io.linerate.fabric.RemoteRegion;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Operations on a region of the peer's, a window of them under way. */
final class RemoteMemory {
  private RemoteMemory() {}

  /** Lets the peer do, until the program ends. */
  static void serve(End end, int bytes, int window) {
    MemoryRegion region = end.region((long) bytes * window, Access.values());
    byte[] word = new byte[RemoteRegion.BYTES];
    region.publish().write(MemorySegment.ofArray(word), 0);
    end.meet(word);
    while (true) {
      int _ = end.queue.await(end.completions, End.FOREVER);
    }
  }

  /** Until the program ends. A write is done when the peer's memory has it. */
  static void run(End end, int bytes, int window, boolean isWrite, AtomicLong done) {
    MemoryRegion memory = end.region((long) bytes * window);
    RemoteRegion remote = RemoteRegion.read(end.meet((byte) 0), 0);
    Descriptor[] all = new Descriptor[window];
    for (int i = 0; i < window; i++) {
      all[i] = end.domain.descriptor().on(memory, (long) i * bytes, bytes);
      if (isWrite) {
        all[i].level(CompletionLevel.DELIVERED);
      }
    }
    int slot = 0;
    for (long complete = 0; ; done.setRelease(complete)) {
      for (int i = 0; i < End.BATCH && !all[slot].isPosted(); i++) {
        if (!post(end, all[slot], remote, (long) slot * bytes, isWrite)) {
          break;
        }
        slot = slot + 1 == window ? 0 : slot + 1;
      }
      int count = end.queue.await(end.completions, End.FOREVER);
      for (int i = 0; i < count; i++) {
        Descriptor _ = End.good(end.completions, i);
      }
      complete += count;
    }
  }

  private static boolean post(
      End end, Descriptor descriptor, RemoteRegion remote, long offset, boolean isWrite) {
    return isWrite
        ? end.peer.write(descriptor, remote, offset)
        : end.peer.read(descriptor, remote, offset);
  }
}
