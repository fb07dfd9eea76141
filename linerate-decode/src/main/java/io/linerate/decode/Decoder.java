package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.DataProtocol;
import io.linerate.decode.protocol.FrameProtocol;
import io.linerate.decode.protocol.TcpProtocol;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the layers of packets: which protocols are in them, where, and whether they are sound. What
 * is deeper in a layer is looked at only where it is asked for, by {@link #dissect}.
 *
 * <pre>{@code
 * Decoder decoder = new Decoder(Protocols.standard());
 * Layer tcp = decoder.layer(TcpProtocol.TCP);
 * ...
 * decoder.decode(packet);
 * if (decoder.has(tcp)) {
 *   count(tcp.value(TcpProtocol.DESTINATION_PORT));
 * }
 * }</pre>
 *
 * <p>It makes no object for a packet, does a bounded amount of work, believes no length and throws
 * for no content. One thread's own.
 */
public final class Decoder {
  /** Layers of one packet at most: what is deeper is data. */
  public static final int MAX_LAYERS = 64;

  private final Protocols protocols;
  private final Scan scan;
  private final Frame frame = new Frame();
  private final Dissection dissection = new Dissection(this);
  private final Layer frameLayer;
  private final int data;

  /** Of each protocol the layer that is found first. */
  private final Layer[] first;

  /** Of each protocol those that are found after that, as many as there were so far. */
  private final @Nullable Layer[][] further;

  private final int[] found;

  /** A bit for each protocol that the packet has. */
  private final long[] present;

  private final Layer[] layers = new Layer[MAX_LAYERS];
  private int count;

  /** Number of TCP if its streams are put together by somebody, or else {@link Protocols#NONE}. */
  private int tcp = Protocols.NONE;

  /** What a segment carries that was left to that, or {@link Protocols#NONE}. */
  private int streamProtocol = Protocols.NONE;

  public Decoder(Protocols protocols) {
    this.protocols = protocols;
    scan = new Scan(protocols);
    int size = protocols.all().size();
    first = new Layer[size];
    Arrays.setAll(first, i -> new Layer(protocols.all().get(i), i));
    further = new Layer[size][];
    found = new int[size];
    present = new long[(size + Long.SIZE - 1) / Long.SIZE];
    data = protocols.number(DataProtocol.DATA);
    frameLayer = first[protocols.number(FrameProtocol.FRAME)];
  }

  /** Which protocols it knows. */
  public Protocols protocols() {
    return protocols;
  }

  /** What is known of the packet beside its bytes. */
  public Frame frame() {
    return frame;
  }

  /**
   * Finds the layers of a packet, which begins with what its link type says.
   *
   * @return how many there are
   * @throws IllegalStateException if the packet was sent or dropped
   */
  public int decode(Packet packet) {
    frame.next(packet);
    return decode(packet, packet.cutBytes(), packet.linkType());
  }

  /**
   * Finds the layers of bytes that are no packet.
   *
   * @param linkType what they begin with
   */
  public int decode(ByteView bytes, LinkType linkType, long timestampNs) {
    frame.next(timestampNs, bytes.length(), 0, linkType);
    return decode(bytes, 0, linkType);
  }

  private int decode(ByteView bytes, int cutBytes, LinkType linkType) {
    forget();
    int length = bytes.length();
    frameLayer.bytes = bytes;
    frameLayer.offset = 0;
    frameLayer.headerEnd = length;
    frameLayer.end = length;
    frameLayer.claimedEnd = length;
    frameLayer.mark = Mark.SOUND;
    long claimedEnd = Math.min((long) length + cutBytes, Integer.MAX_VALUE);
    layers(
        bytes,
        0,
        length,
        (int) claimedEnd,
        protocols.find(DispatchTable.LINK_TYPE, linkType.number()));
    return count;
  }

  /**
   * From now on leaves what TCP carries to somebody who puts its streams together, and appends
   * their messages.
   */
  void leaveStreams() {
    tcp = protocols.number(TcpProtocol.TCP);
  }

  /** What the segment carries that was decoded last, and was left; null if nothing was. */
  @Nullable Protocol streamProtocol() {
    return streamProtocol == Protocols.NONE ? null : first[streamProtocol].protocol;
  }

  /**
   * Adds layers that are in other bytes than the packet.
   *
   * @param end of the bytes that the first of them has
   */
  void append(ByteView bytes, int from, int end, Protocol begin) {
    if (count < MAX_LAYERS) {
      layers(bytes, from, end, end, protocols.number(begin.fields()));
    }
  }

  /** A view of bytes from which a protocol says how long its message is. */
  int messageBytes(Protocol protocol, ByteView bytes, int from) {
    scan.begin(bytes, from, bytes.length(), Integer.MAX_VALUE, null);
    return protocol.messageBytes(scan);
  }

  private void forget() {
    streamProtocol = Protocols.NONE;
    for (int i = 0; i < count; i++) {
      layers[i].index = -1;
      found[layers[i].number] = 0;
    }
    count = 0;
    Arrays.fill(present, 0);
  }

  private void layers(ByteView bytes, int from, int length, int claimed, int begin) {
    int start = from;
    int end = length;
    int claimedEnd = claimed;
    int protocol = begin;
    while (true) {
      Layer layer = add(count == MAX_LAYERS - 1 || protocol == Protocols.NONE ? data : protocol);
      scan.begin(bytes, start, end, claimedEnd, count < 2 ? null : layers[count - 2]);
      layer.protocol.scan(scan);
      layer.bytes = bytes;
      layer.offset = start;
      layer.headerEnd = scan.headerEnd();
      layer.end = scan.end();
      layer.claimedEnd = scan.claimedEnd();
      layer.mark = scan.mark();
      if (!scan.hasHeader() || layer.headerEnd >= layer.end || count == MAX_LAYERS) {
        layer.headerEnd = Math.min(layer.headerEnd, layer.end);
        return;
      }
      if (layer.number == tcp && scan.hasNext() && !isQuoted()) {
        streamProtocol = scan.next();
        return;
      }
      start = layer.headerEnd;
      end = layer.end;
      claimedEnd = layer.claimedEnd;
      protocol = scan.next();
    }
  }

  /** Whether the packet is one that an error of ICMP quotes. */
  private boolean isQuoted() {
    for (int i = 0; i < count; i++) {
      if (layers[i].fields.name().startsWith("icmp")) {
        return true;
      }
    }
    return false;
  }

  private Layer add(int number) {
    int before = found[number]++;
    Layer layer = before == 0 ? first[number] : further(number, before - 1);
    present[number >>> 6] |= 1L << number;
    layer.index = count;
    layers[count++] = layer;
    return layer;
  }

  private Layer further(int number, int index) {
    Layer[] made = further[number];
    if (made == null || index == made.length) {
      int before = made == null ? 0 : made.length;
      made = made == null ? new Layer[1] : Arrays.copyOf(made, before + 1);
      made[before] = new Layer(first[number].protocol, number);
      further[number] = made;
    }
    return made[index];
  }

  /** The bytes that were decoded last. */
  public ByteView bytes() {
    return frameLayer.bytes;
  }

  /** Layers that the packet has. */
  public int count() {
    return count;
  }

  /**
   * One of the packet's layers, from the outermost on.
   *
   * @throws IndexOutOfBoundsException unless it is below {@link #count}
   */
  public Layer at(int index) {
    return layers[Objects.checkIndex(index, count)];
  }

  /**
   * The layer of a protocol that is found first in packets that have it: always the same object.
   *
   * @throws IllegalArgumentException if the decoder does not know the protocol
   */
  public Layer layer(Fields protocol) {
    return first[protocols.number(protocol)];
  }

  /** Whether the packet has a layer of the protocol that a layer is of. */
  public boolean has(Layer layer) {
    return (present[layer.number >>> 6] & (1L << layer.number)) != 0;
  }

  /** What is wrong with the packet: the worst that is wrong with a layer, as far as looked at. */
  public Mark mark() {
    Mark worst = Mark.SOUND;
    for (int i = 0; i < count; i++) {
      worst = layers[i].mark.compareTo(worst) > 0 ? layers[i].mark : worst;
    }
    return worst;
  }

  /** Says what all fields of the packet are, those of {@link FrameProtocol} first. */
  public void dissect(FieldSink sink) {
    dissect(frameLayer, sink);
    for (int i = 0; i < count; i++) {
      dissect(layers[i], sink);
    }
  }

  /** Says what the fields of a layer are. */
  public void dissect(Layer layer, FieldSink sink) {
    if (sink.wants(layer)) {
      dissection.run(layer, sink);
    }
  }
}
