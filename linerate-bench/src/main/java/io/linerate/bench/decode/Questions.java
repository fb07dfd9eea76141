package io.linerate.bench.decode;

import io.linerate.core.memory.MappedBuffer;
import io.linerate.core.memory.Packet;
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

  private static final class Layers implements DecodeLoop.Question {
    private final Decoder decoder = new Decoder(Protocols.standard());
    private long sum;

    @Override
    public void accept(Packet packet) {
      sum += decoder.decode(packet);
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  private static final class Port implements DecodeLoop.Question {
    private final Decoder decoder = new Decoder(Protocols.standard());
    private final Layer tcp = decoder.layer(TcpProtocol.TCP);
    private long sum;

    @Override
    public void accept(Packet packet) {
      int _ = decoder.decode(packet);
      if (decoder.has(tcp)) {
        sum += tcp.value(TcpProtocol.DESTINATION_PORT);
      }
    }

    @Override
    public long sum() {
      return sum;
    }
  }

  private static final class EightFields implements DecodeLoop.Question {
    private final Decoder decoder = new Decoder(Protocols.standard());
    private final Layer tcp = decoder.layer(TcpProtocol.TCP);
    private long sum;

    @Override
    public void accept(Packet packet) {
      int _ = decoder.decode(packet);
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

    @Override
    public long sum() {
      return sum;
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
