package io.linerate.bench.decode;

import io.linerate.bench.port.FrameSlots;
import io.linerate.bench.port.OrderTaker;
import io.pkts.buffer.Buffers;
import io.pkts.frame.PcapGlobalHeader;
import io.pkts.frame.PcapRecordHeader;
import io.pkts.packet.PacketParseException;
import io.pkts.packet.impl.PCapPacketImpl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.pcap4j.packet.EthernetPacket;
import org.pcap4j.packet.IllegalRawDataException;

/**
 * Another library under measurement: goes through the layers of packets that lie in memory.
 * Arguments: a file of {@link FrameSlots}, the bytes of a slot, which library, packets in a burst.
 */
public final class PeerLoop {
  static final String PCAP4J = "pcap4j";
  static final String PKTS = "pkts";

  private final List<byte[]> frames;
  private final ToIntFunction<byte[]> library;
  private final int burst;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong found = new AtomicLong();

  private PeerLoop(List<byte[]> frames, ToIntFunction<byte[]> library, int burst) {
    this.frames = frames;
    this.library = library;
    this.burst = burst;
  }

  public static void main(String[] arguments) throws IOException {
    PeerLoop loop =
        new PeerLoop(
            FrameSlots.arrays(Path.of(arguments[0]), Integer.parseInt(arguments[1])),
            of(arguments[2]),
            Integer.parseInt(arguments[3]));
    OrderTaker.serve(loop::run, loop.done, () -> 0);
  }

  private void run() {
    int at = 0;
    long sum = 0;
    for (long count = burst; ; count += burst) {
      for (int i = at; i < at + burst; i++) {
        sum += library.applyAsInt(frames.get(i));
      }
      at = (at + burst) % frames.size();
      found.setRelease(sum);
      done.setRelease(count);
    }
  }

  /** Counts the layers of a frame of Ethernet by a library. */
  static ToIntFunction<byte[]> of(String name) {
    return switch (name) {
      case PCAP4J -> PeerLoop::pcap4j;
      case PKTS -> new Pkts()::layers;
      default ->
          throw new IllegalArgumentException(
              "no such library: name=%s; write %s or %s".formatted(name, PCAP4J, PKTS));
    };
  }

  /** It makes all headers at once. */
  private static int pcap4j(byte[] frame) {
    try {
      int layers = 0;
      for (var _ : EthernetPacket.newPacket(frame, 0, frame.length)) {
        layers++;
      }
      return layers;
    } catch (IllegalRawDataException _) {
      return 0;
    }
  }

  /** It makes each header when it is asked for. */
  private static final class Pkts {
    private final PcapGlobalHeader header = PcapGlobalHeader.createDefaultHeader();
    private final PcapRecordHeader record = PcapRecordHeader.createDefaultHeader(0);

    int layers(byte[] frame) {
      try {
        int layers = 0;
        io.pkts.packet.Packet next =
            new PCapPacketImpl(header, record, Buffers.wrap(frame)).getNextPacket();
        while (next != null) {
          layers++;
          next = next.getNextPacket();
        }
        return layers;
      } catch (PacketParseException _) {
        return 0;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
