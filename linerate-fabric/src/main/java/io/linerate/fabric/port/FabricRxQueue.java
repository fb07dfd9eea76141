package io.linerate.fabric.port;

import static io.linerate.core.port.QueueCounts.BYTES;
import static io.linerate.core.port.QueueCounts.PACKETS;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.SegmentCopy;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.RxQueue;
import io.linerate.fabric.CompletionQueue;
import io.linerate.fabric.channel.Channel;
import io.linerate.fabric.channel.Incoming;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Takes frames out of messages. What there is no room for stays in its message. */
final class FabricRxQueue implements RxQueue {
  /** Frames that are longer than a buffer, and messages that are none. */
  static final int ERRORS = 2;

  static final int MESSAGES = 3;
  static final int COUNTERS = 4;

  private final FabricLine line;
  private final BufferPool pool;
  final QueueCounts counts = new QueueCounts(COUNTERS);
  private @Nullable Incoming message;
  private int frames;
  private long at;

  /** Ends the sleep of the worker, which waits for the line's descriptor. */
  private @Nullable Runnable wake;

  FabricRxQueue(FabricLine line, BufferPool pool) {
    this.line = line;
    this.pool = pool;
  }

  @Override
  public int receive(MbufArray packets) {
    line.enter();
    try {
      wake = null;
      Channel channel = line.poll();
      int before = packets.size();
      if (channel != null) {
        while (packets.room() > 0 && hasMessage(channel) && takeSome(packets)) {
          // Until one of them ends.
        }
        if (!line.isUp() && message == null) {
          leave(channel);
        }
      }
      counts.publish();
      return packets.size() - before;
    } finally {
      line.leave();
    }
  }

  @Override
  public boolean canWait() {
    line.enter();
    try {
      return line.canSleep();
    } finally {
      line.leave();
    }
  }

  @Override
  public int waitFor(Runnable wakeUp) {
    line.enter();
    try {
      if (message != null) {
        return CANNOT_TELL; // Until there are buffers for the rest of it.
      }
      int descriptor = line.descriptorToSleepOn();
      wake = descriptor >= 0 ? wakeUp : null;
      return switch (descriptor) {
        case CompletionQueue.NO_DESCRIPTOR -> CANNOT_TELL;
        case CompletionQueue.POLL_NOW -> HAS_PACKETS;
        default -> descriptor;
      };
    } finally {
      line.leave();
    }
  }

  private void leave(Channel channel) {
    if (channel.state() != Channel.State.OPENING) {
      line.drop();
    }
  }

  private boolean hasMessage(Channel channel) {
    if (message != null) {
      return true;
    }
    Incoming next = channel.receive();
    if (next == null) {
      return false;
    }
    counts.add(MESSAGES, 1);
    message = next;
    at = PortMessage.COUNT_BYTES;
    frames = next.length() < at ? -1 : PortMessage.number(next.memory(), 0);
    if (frames < 0 || (long) frames * PortMessage.LENGTH_BYTES > next.length()) {
      spoiled();
    }
    return true;
  }

  /** Takes as many frames of the message as there are buffers and room for. */
  private boolean takeSome(MbufArray packets) {
    Incoming from = message;
    if (from == null) {
      return true; // It was spoiled.
    }
    int count = Math.min(frames, packets.room());
    int first = packets.size();
    if (count > 0 && !pool.allocate(packets, count)) {
      return false; // Until some are free.
    }
    int good = 0;
    for (int i = 0; i < count && frames > 0; i++) {
      good += fill(packets.handle(first + good), from) ? 1 : 0;
    }
    if (good < count) {
      giveBack(packets, count - good);
    }
    counts.add(PACKETS, good);
    if (frames == 0) {
      message = null;
      from.release();
    }
    return true;
  }

  /** Copies the next frame into a buffer; false if it does not fit, or is none. */
  private boolean fill(long mbuf, Incoming from) {
    MemorySegment memory = from.memory();
    long left = from.length() - at;
    int bytes = left < PortMessage.LENGTH_BYTES ? -1 : PortMessage.number(memory, at);
    if (bytes < 0 || bytes > left - PortMessage.LENGTH_BYTES) {
      frames = 0;
      counts.add(ERRORS, 1);
      return false;
    }
    long start = at + PortMessage.LENGTH_BYTES;
    at = start + bytes;
    frames--;
    if (bytes > pool.roomBytes()) {
      counts.add(ERRORS, 1);
      return false;
    }
    Mbuf.dataLength(mbuf, bytes);
    Mbuf.packetLength(mbuf, bytes);
    SegmentCopy.write(mbuf, 0, memory, start, bytes);
    counts.add(BYTES, bytes);
    return true;
  }

  private void giveBack(MbufArray packets, int count) {
    pool.free(packets.address() + 8L * (packets.size() - count), count);
    packets.removeLast(count);
  }

  /** What a peer has sent is no message of a port. */
  private void spoiled() {
    Incoming bad = message;
    message = null;
    frames = 0;
    counts.add(ERRORS, 1);
    if (bad != null) {
      bad.release();
    }
  }

  /** While no worker polls it, the peer is answered. */
  void maintain() {
    Channel channel = line.poll();
    if (channel == null) {
      return;
    }
    Runnable sleeper = wake;
    if (channel.hasMessages()) {
      if (sleeper != null) { // What the sleeper would be woken by has been polled.
        wake = null;
        sleeper.run();
      }
    } else if (!line.isUp() && message == null) {
      leave(channel);
    }
  }

  void close() {
    line.close();
  }
}
