package io.linerate.bench.decode;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.MappedBuffer;
import io.linerate.core.memory.Packet;
import io.linerate.decode.DecodeListener;
import io.linerate.decode.Decoder;
import io.linerate.decode.Layer;
import io.linerate.decode.Protocols;
import io.linerate.decode.protocol.TcpProtocol;

/** What is asked of packets, by name: each a class of its own, as a program has one. */
final class Questions {
  /** The frame alone: what going through packets costs. */
  static final String NOTHING = "nothing";

  /** An integer of the packet. */
  static final String READ = "read";

  /** How many layers there are. */
  static final String LAYERS = "layers";

  /** The destination port of TCP, once the packet is decoded. */
  static final String PORT = "port";

  /** Eight fields of TCP, once the packet is decoded. */
  static final String FIELDS = "fields";

  /** How many fields these are. */
  static final int FIELD_COUNT = 8;

  /** The packet is peered with a {@link MappedBuffer}. */
  static final String WRAP = "wrap";

  /** And an integer is read. */
  static final String WRAP_READ = "wrap-read";

  /** Two parts of the packet are. */
  static final String PARTS = "parts";

  /** And an integer in the first of them is read. */
  static final String PARTS_INSIDE = "parts-inside";

  /** And one that lies in both. */
  static final String PARTS_SEAM = "parts-seam";

  private static final int ADDRESS = 26;
  private static final int SEAM = 36;

  private Questions() {}

  static DecodeLoop.Question of(String name) {
    return switch (name) {
      case NOTHING -> new Nothing();
      case READ -> new Read();
      case LAYERS -> new Layers();
      case PORT -> new Port();
      case FIELDS -> new EightFields();
      case WRAP -> new Wrap();
      case WRAP_READ -> new WrapRead();
      case PARTS -> new Parts();
      case PARTS_INSIDE -> new PartsInside();
      case PARTS_SEAM -> new PartsSeam();
      default ->
          throw new IllegalArgumentException(
              "no such question: name=%s; take a constant of Questions".formatted(name));
    };
  }

  private static final class Nothing implements DecodeLoop.Question {
    private long sum;

    @Override
    public void accept(Packet packet) {
      sum += packet.length();
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  private static final class Read implements DecodeLoop.Question {
    private long sum;

    @Override
    public void accept(Packet packet) {
      sum += packet.u32(ADDRESS);
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  /** Of packets that are decoded. */
  private abstract static sealed class Decoded implements DecodeLoop.Question, DecodeListener {
    private final Decoder decoder = new Decoder(Protocols.standard());
    final Layer tcp = decoder.layer(TcpProtocol.TCP);
    long sum;

    @Override
    public void ask(Burst burst) {
      decoder.decode(burst, this);
    }

    @Override
    public void accept(Packet packet) {
      int _ = decoder.decode(packet);
      onPacket(decoder, packet);
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  private static final class Layers extends Decoded {
    @Override
    public void onPacket(Decoder decoder, Packet packet) {
      sum += decoder.count();
    }
  }

  private static final class Port extends Decoded {
    @Override
    public void onPacket(Decoder decoder, Packet packet) {
      if (decoder.has(tcp)) {
        sum += tcp.value(TcpProtocol.DESTINATION_PORT);
      }
    }
  }

  private static final class EightFields extends Decoded {
    @Override
    public void onPacket(Decoder decoder, Packet packet) {
      if (decoder.has(tcp)) {
        sum +=
            tcp.value(TcpProtocol.SOURCE_PORT)
                + tcp.value(TcpProtocol.DESTINATION_PORT)
                + tcp.value(TcpProtocol.SEQUENCE)
                + tcp.value(TcpProtocol.ACKNOWLEDGMENT)
                + tcp.value(TcpProtocol.FLAGS)
                + tcp.value(TcpProtocol.WINDOW)
                + tcp.value(TcpProtocol.CHECKSUM)
                + tcp.value(TcpProtocol.URGENT_POINTER);
      }
    }
  }

  private static final class Wrap implements DecodeLoop.Question {
    private final MappedBuffer buffer = new MappedBuffer();
    private long sum;

    @Override
    public void accept(Packet packet) {
      buffer.wrap(packet);
      sum += buffer.length();
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  private static final class WrapRead implements DecodeLoop.Question {
    private final MappedBuffer buffer = new MappedBuffer();
    private long sum;

    @Override
    public void accept(Packet packet) {
      buffer.wrap(packet);
      sum += buffer.u32(ADDRESS);
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  /** Two parts of a packet, and what is read of them. */
  private static void inParts(MappedBuffer buffer, Packet packet) {
    buffer.clear();
    buffer.append(packet, 0, SEAM);
    buffer.append(packet, SEAM, packet.length() - SEAM);
  }

  private static final class Parts implements DecodeLoop.Question {
    private final MappedBuffer buffer = new MappedBuffer();
    private long sum;

    @Override
    public void accept(Packet packet) {
      inParts(buffer, packet);
      sum += buffer.length();
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  private static final class PartsInside implements DecodeLoop.Question {
    private final MappedBuffer buffer = new MappedBuffer();
    private long sum;

    @Override
    public void accept(Packet packet) {
      inParts(buffer, packet);
      sum += buffer.u32(ADDRESS);
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  private static final class PartsSeam implements DecodeLoop.Question {
    private final MappedBuffer buffer = new MappedBuffer();
    private long sum;

    @Override
    public void accept(Packet packet) {
      inParts(buffer, packet);
      sum += buffer.u32(SEAM - 2);
    }

    @Override
    public long sum() {
      return sum;
    }
  }
}
