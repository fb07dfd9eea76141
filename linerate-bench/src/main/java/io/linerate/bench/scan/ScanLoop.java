package io.linerate.bench.scan;

import io.linerate.bench.port.FrameSlots;
import io.linerate.bench.port.OrderTaker;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A program under measurement: finds the layers of packets that lie in memory, burst by burst.
 * Arguments: a file of {@link FrameSlots}, packets in a burst.
 */
public final class ScanLoop implements Consumer<Packet> {
  private final FrameSlots frames;
  private final int burst;
  private final HeaderScanner scanner = new HeaderScanner();
  private final AtomicLong done = new AtomicLong();

  /** Of what is asked for, so that it has to be found. */
  private final AtomicLong found = new AtomicLong();

  private long sum;

  private ScanLoop(FrameSlots frames, int burst) {
    this.frames = frames;
    this.burst = burst;
  }

  public static void main(String[] arguments) throws IOException {
    ScanLoop loop =
        new ScanLoop(FrameSlots.read(Path.of(arguments[0])), Integer.parseInt(arguments[1]));
    OrderTaker.serve(loop::run, loop.done, loop::digest);
  }

  @Override
  public void accept(Packet packet) {
    if (scanner.scan(packet)) {
      sum += scanner.l3Offset() + scanner.l4Offset() + scanner.ipProtocol();
    }
  }

  private void run() {
    OwnedBurst packetsOfBurst = new OwnedBurst(new MbufArray(burst));
    int at = 0;
    for (long count = burst; ; count += burst) {
      frames.fill(packetsOfBurst, at, burst);
      packetsOfBurst.burst().forEach(this);
      packetsOfBurst.clear();
      at = (at + burst) & (frames.count() - 1);
      found.setRelease(sum);
      done.setRelease(count);
    }
  }

  /** Of all answers to all packets. */
  private long digest() {
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    HeaderScanner each = new HeaderScanner();
    List<HeaderDefect> defects = List.of(HeaderDefect.values());
    long digest = 0;
    for (int i = 0; i < frames.count(); i++) {
      frames.fill(one, i, 1);
      boolean isSound = each.scan(one.packet(0));
      for (int number :
          new int[] {
            isSound ? 1 : 0,
            each.etherType(),
            each.vlanTags(),
            each.l3Offset(),
            each.ipVersion(),
            each.ipProtocol(),
            each.ipEnd(),
            each.l4Offset(),
            each.fragmentOffset(),
            each.isFragment() ? 1 : 0,
            each.l4Fits() ? 1 : 0,
            defects.indexOf(each.defect())
          }) {
        digest = digest * 31 + number;
      }
      one.clear();
    }
    return digest;
  }
}
