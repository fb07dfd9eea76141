package io.linerate.bench.filter;

import io.linerate.bench.port.FrameSlots;
import io.linerate.bench.port.OrderTaker;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.PacketPredicate;
import io.linerate.filter.PacketFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program under measurement: asks a filter about packets that lie in memory, burst by burst.
 * Arguments: a file of {@link FrameSlots}, the filter, packets in a burst.
 */
public final class FilterLoop {
  private final FrameSlots frames;

  /** Of Ethernet alone, as that in C. */
  private final PacketPredicate filter;

  private final int burst;
  private final AtomicLong done = new AtomicLong();

  /** How many were accepted, so that it has to be found. */
  private final AtomicLong found = new AtomicLong();

  private FilterLoop(FrameSlots frames, PacketPredicate filter, int burst) {
    this.frames = frames;
    this.filter = filter;
    this.burst = burst;
  }

  public static void main(String[] arguments) throws IOException {
    FilterLoop loop =
        new FilterLoop(
            FrameSlots.read(Path.of(arguments[0])),
            PacketFilter.compile(arguments[1]).forLink(LinkType.ETHERNET),
            Integer.parseInt(arguments[2]));
    OrderTaker.serve(loop::run, loop.done, loop::digest);
  }

  private void run() {
    Burst[] bursts = new Burst[frames.count() / burst];
    for (int i = 0; i < bursts.length; i++) {
      OwnedBurst packets = new OwnedBurst(new MbufArray(burst));
      frames.fill(packets, i * burst, burst);
      bursts[i] = packets.burst();
    }
    long accepted = 0;
    int at = 0;
    for (long count = burst; ; count += burst) {
      for (int from = 0; from < burst; from += Long.SIZE) {
        accepted += Long.bitCount(filter.accepted(bursts[at], from));
      }
      at = (at + 1) & (bursts.length - 1);
      found.setRelease(accepted);
      done.setRelease(count);
    }
  }

  /** Of all answers to all packets. */
  private long digest() {
    OwnedBurst packets = new OwnedBurst(new MbufArray(burst));
    long digest = 0;
    for (int at = 0; at < frames.count(); at += burst) {
      frames.fill(packets, at, burst);
      for (int from = 0; from < burst; from += Long.SIZE) {
        long accepted = filter.accepted(packets.burst(), from);
        for (int i = from; i < Math.min(burst, from + Long.SIZE); i++) {
          digest = digest * 31 + ((accepted >>> i) & 1);
        }
      }
      packets.clear();
    }
    return digest;
  }
}
