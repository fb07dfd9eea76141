package io.linerate.bench.scan;

import io.linerate.bench.port.OrderTaker;
import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A program under measurement: finds the layers of packets that lie in memory, burst by burst.
 * Arguments: a file of frames as {@link ScanBenchmark} writes it, packets in a burst.
 */
public final class ScanLoop implements Consumer<Packet> {
  private final MemorySegment handles;
  private final int packets;
  private final int burst;
  private final HeaderScanner scanner = new HeaderScanner();
  private final AtomicLong done = new AtomicLong();

  /** Of what is asked for, so that it has to be found. */
  private final AtomicLong found = new AtomicLong();

  private long sum;

  private ScanLoop(byte[] frames, int burst) {
    this.burst = burst;
    packets = frames.length / ScanBenchmark.SLOT_BYTES;
    handles = Arena.global().allocate(ValueLayout.JAVA_LONG, packets);
    int stride = Mbuf.HEADER_BYTES + ScanBenchmark.SLOT_BYTES;
    MemorySegment memory = Arena.global().allocate((long) packets * stride, 64);
    for (int i = 0; i < packets; i++) {
      long mbuf = memory.address() + (long) i * stride;
      int at = i * ScanBenchmark.SLOT_BYTES;
      Mbuf.buffer(mbuf, mbuf + Mbuf.HEADER_BYTES, ScanBenchmark.SLOT_BYTES);
      Mbuf.reset(mbuf, 0);
      int bytes = ByteBuffer.wrap(frames).getShort(at + ScanBenchmark.LENGTH_OFFSET);
      Mbuf.dataLength(mbuf, bytes);
      Mbuf.packetLength(mbuf, bytes);
      MemorySegment.copy(
          frames,
          at,
          memory,
          ValueLayout.JAVA_BYTE,
          (long) i * stride + Mbuf.HEADER_BYTES,
          ScanBenchmark.SLOT_BYTES);
      handles.setAtIndex(ValueLayout.JAVA_LONG, i, mbuf);
    }
  }

  public static void main(String[] arguments) throws IOException {
    ScanLoop loop =
        new ScanLoop(Files.readAllBytes(Path.of(arguments[0])), Integer.parseInt(arguments[1]));
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
      fill(packetsOfBurst, at, burst);
      packetsOfBurst.burst().forEach(this);
      packetsOfBurst.clear();
      at = (at + burst) & (packets - 1);
      found.setRelease(sum);
      done.setRelease(count);
    }
  }

  private void fill(OwnedBurst target, int at, int count) {
    MbufArray array = target.array();
    Handles.copy(handles.address() + (long) Long.BYTES * at, array.reserve(count), count);
    array.extend(count, null);
  }

  /** Of all answers to all packets. */
  private long digest() {
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    HeaderScanner each = new HeaderScanner();
    List<HeaderDefect> defects = List.of(HeaderDefect.values());
    long digest = 0;
    for (int i = 0; i < packets; i++) {
      fill(one, i, 1);
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
