package io.linerate.bench.decode;

import io.linerate.bench.port.FrameSlots;
import io.linerate.bench.port.OrderTaker;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.decode.Decoder;
import io.linerate.decode.DispatchTable;
import io.linerate.decode.Layer;
import io.linerate.decode.Mark;
import io.linerate.decode.Protocol;
import io.linerate.decode.Protocols;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A program under measurement: asks something of packets that lie in memory, burst by burst.
 * Arguments: a file of {@link FrameSlots}, the bytes of a slot, what is asked, packets in a burst.
 */
public final class DecodeLoop {
  /** By which numbers decode.c knows protocols; the first is none. */
  private static final List<String> NAMES =
      List.of(
          "none",
          "eth",
          "vlan",
          "arp",
          "ip",
          "ipv6",
          "ipv6.hopopts",
          "ipv6.fraghdr",
          "icmp",
          "icmpv6",
          "tcp",
          "udp",
          "dns",
          "dhcp",
          "ntp",
          "tls",
          "data");

  private static final int PORTS = 1 << 16;

  private final FrameSlots frames;
  private final Question question;
  private final int burst;
  private final AtomicLong done = new AtomicLong();

  /** Of what is asked for, so that it has to be found. */
  private final AtomicLong found = new AtomicLong();

  /** What is asked of each packet. */
  interface Question extends Consumer<Packet> {
    /** Asks it of all packets. */
    default void ask(Burst burst) {
      burst.forEach(this);
    }

    /** The sum of all answers. */
    long sum();
  }

  private DecodeLoop(FrameSlots frames, Question question, int burst) {
    this.frames = frames;
    this.question = question;
    this.burst = burst;
  }

  public static void main(String[] arguments) throws IOException {
    FrameSlots frames = FrameSlots.read(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    DecodeLoop loop =
        new DecodeLoop(frames, Questions.of(arguments[2]), Integer.parseInt(arguments[3]));
    OrderTaker.serve(loop::run, loop.done, () -> digest(frames, Questions.of(arguments[2])));
  }

  private void run() {
    OwnedBurst packets = new OwnedBurst(new MbufArray(burst));
    int at = 0;
    for (long count = burst; ; count += burst) {
      frames.fill(packets, at, burst);
      question.ask(packets.burst());
      packets.clear();
      at = (at + burst) & (frames.count() - 1);
      found.setRelease(question.sum());
      done.setRelease(count);
    }
  }

  /** A byte for each port of TCP, then of UDP: which protocol it stands for. */
  static byte[] ports() {
    Protocols protocols = Protocols.standard();
    byte[] ports = new byte[2 * PORTS];
    for (int port = 0; port < PORTS; port++) {
      ports[port] = number(protocols, DispatchTable.TCP_PORT, port);
      ports[PORTS + port] = number(protocols, DispatchTable.UDP_PORT, port);
    }
    return ports;
  }

  private static byte number(Protocols protocols, DispatchTable table, int port) {
    Protocol bound = protocols.bindings().get(table.key(port));
    return bound == null ? 0 : (byte) Math.max(NAMES.indexOf(bound.fields().name()), 0);
  }

  /** Layers of all packets together. */
  static long layers(Path file, int slotBytes) throws IOException {
    FrameSlots frames = FrameSlots.read(file, slotBytes);
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    Decoder decoder = new Decoder(Protocols.standard());
    long layers = 0;
    for (int i = 0; i < frames.count(); i++) {
      frames.fill(one, i, 1);
      layers += decoder.decode(one.packet(0));
      one.clear();
    }
    return layers;
  }

  /** Of all layers of all packets, and of what is asked of them. */
  private static long digest(FrameSlots frames, Question question) {
    OwnedBurst one = new OwnedBurst(new MbufArray(1));
    Decoder decoder = new Decoder(Protocols.standard());
    List<Mark> marks = List.of(Mark.SOUND, Mark.CUT, Mark.MALFORMED);
    long digest = 0;
    for (int i = 0; i < frames.count(); i++) {
      frames.fill(one, i, 1);
      question.ask(one.burst());
      int count = decoder.decode(one.packet(0));
      for (int place = 0; place < count; place++) {
        Layer layer = decoder.at(place);
        for (int number :
            new int[] {
              NAMES.indexOf(layer.name()),
              marks.indexOf(layer.mark()),
              layer.offset(),
              layer.payloadOffset(),
              layer.end()
            }) {
          digest = digest * 31 + number;
        }
      }
      one.clear();
    }
    return digest * 31 + question.sum();
  }
}
