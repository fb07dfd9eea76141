package io.linerate.stream.net;

import static io.linerate.core.driver.NativeMemory.ALL;

import io.linerate.core.driver.RangeOperation;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.ObjectOutlet;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.TokenType;
import io.linerate.graph.Wiring;
import io.linerate.stream.Bytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes a token of the payload of each datagram of UDP to a port, whoever has sent it, as it comes.
 *
 * <pre>
 * inputs      in: frames of IPv4 and IPv6
 * outputs     out: Bytes, the same object for each
 *             rest (may be left unconnected: such packets are dropped): what is for other ports
 * parameters  port: of UDP, whatever the address
 *             codec: what UdpOut has done to payloads: PayloadCodec.plain()
 *             mostBytes: of a message
 * drops       consumed: datagrams of which a token was made; not_udp: of rest
 *             bad_payload: not what the codec makes, of another key, or there before
 * reads       messages
 * example     g.add("in", new UdpIn(5000, PayloadCodec.plain(), 9000))
 * </pre>
 */
public record UdpIn(int port, PayloadCodec codec, int mostBytes) implements Element {
  public static final DropReason NOT_UDP = DropReason.named("not_udp");
  public static final DropReason BAD_PAYLOAD = DropReason.named("bad_payload");

  private static final int MOST_PORT = 65_535;
  private static final int MOST_MESSAGE_BYTES = 1 << 24;

  @Override
  public Shape shape() {
    return Shape.NONE
        .input("in")
        .tokenOutput("out", TokenType.of(Bytes.class))
        .optionalOutput("rest");
  }

  @Override
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (port < 1 || port > MOST_PORT) {
      problems.add("no port of UDP: port=%d; write 1 to %d".formatted(port, MOST_PORT));
    }
    if (mostBytes < 1 || mostBytes > MOST_MESSAGE_BYTES) {
      problems.add(
          "no length of a message: mostBytes=%d; write 1 to %d"
              .formatted(mostBytes, MOST_MESSAGE_BYTES));
    }
    return problems;
  }

  @Override
  public void open(Wiring wiring) {
    Receiver receiver = new Receiver(this, wiring);
    wiring.linkEach(
        "in",
        links -> {
          ObjectOutlet<Bytes> tokens = links.objects("out", Bytes.class);
          return packet -> receiver.take(packet, tokens);
        },
        receiver.rest);
    wiring.count("messages", () -> receiver.messages);
    wiring.onClose(receiver.work);
  }

  /** On one worker. */
  private static final class Receiver implements RangeOperation {
    private final Outlet rest;
    private final UdpDatagrams datagrams;
    private final PathView path = new PathView();
    private final PayloadWork work;
    private final int port;
    private final int mostBytes;
    private final MemorySegment message;
    private final MemorySegment view;
    private final Bytes token = new Bytes();

    /** For packets of several segments. */
    private final MemorySegment apart = Arena.ofAuto().allocate(1 << 16, Long.BYTES);

    private long messages;

    Receiver(UdpIn element, Wiring wiring) {
      rest = wiring.output("rest", NOT_UDP);
      datagrams = new UdpDatagrams(rest);
      work = element.codec.open();
      port = element.port;
      mostBytes = element.mostBytes;
      message = Arena.ofAuto().allocate(mostBytes, Long.BYTES);
      view = message.asReadOnly();
    }

    void take(Packet packet, Consumer<Bytes> tokens) {
      if (!datagrams.readPath(packet, path) || path.localPort != port) {
        return; // It goes on by rest.
      }
      int bytes = read(packet);
      if (bytes == PayloadWork.FAILED) {
        packet.drop(BAD_PAYLOAD);
        return;
      }
      messages++;
      packet.drop(DropReason.CONSUMED);
      token.wrap(view, 0, bytes);
      try {
        tokens.accept(token);
      } finally {
        token.end();
      }
    }

    private int read(Packet packet) {
      int at = datagrams.payloadAt();
      int bytes = datagrams.payloadBytes();
      if (packet.isInOneSegment(at, bytes)) {
        return packet.apply(at, bytes, this);
      }
      packet.get(at, apart, 0, bytes);
      return work.read(apart, 0, bytes, message, 0, mostBytes);
    }

    @Override
    public int apply(long address, int bytes) {
      return work.read(ALL, address, bytes, message, 0, mostBytes);
    }
  }
}
