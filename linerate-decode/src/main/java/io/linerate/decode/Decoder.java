package io.linerate.decode;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.DataProtocol;
import io.linerate.decode.protocol.FragmentProtocol;
import io.linerate.decode.protocol.FrameProtocol;
import io.linerate.decode.protocol.IcmpProtocol;
import io.linerate.decode.protocol.Icmpv6Protocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import io.linerate.decode.protocol.MalformedProtocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderScanner;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
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
  public static final int MAX_LAYERS = LayerTable.PLACES;

  private static final int NOWHERE = -1;
  private static final int WAITING = 4;

  private final Protocols protocols;
  private final LayerTable table;
  private final Each each = new Each();
  private final CommonLayers commonLayers;

  private final Scan scan;
  private final Frame frame;
  private final Dissection dissection = new Dissection(this);
  private final Layer frameLayer;
  private final Layer[] layers = new Layer[MAX_LAYERS];

  /** Views of the first layer of a protocol, made when they are first asked for. */
  private final @Nullable Layer[] firsts;

  private final int data;

  private final int ipv4;
  private final int ipv6;
  private final int icmp;
  private final int icmpv6;
  private final int fragmentHeader;
  private final int tcp;
  private final int malformed;

  /** Made when one is first asked for. */
  private @Nullable PacketStreams streams;

  /** Whether somebody puts together what fragments and segments carry. */
  private boolean leavesParts;

  /** Place of the layer that says that it is a fragment which was left, or {@link #NOWHERE}. */
  private int fragment = NOWHERE;

  /** Of each layer that waits for those before it: start, end, claimed end, protocol. */
  private final int[] waiting = new int[WAITING * MAX_LAYERS];

  private int waitingCount;

  /** What a segment carries that was left to that, or {@link Protocols#NONE}. */
  private int streamProtocol = Protocols.NONE;

  /** What the message answers whose layers are found; 0 if nothing. */
  private int question;

  /**
   * @throws IllegalArgumentException if these are without one that it needs: data, IPv4 and IPv6
   *     with its fragment header, ICMP and ICMPv6, TCP
   */
  public Decoder(Protocols protocols) {
    this.protocols = protocols;
    table = new LayerTable(protocols);
    frame = new Frame(table);
    commonLayers = new CommonLayers(protocols, table);
    scan = new Scan(protocols);
    Arrays.setAll(layers, i -> Layer.at(table, i));
    firsts = new Layer[protocols.all().size()];
    data = protocols.number(DataProtocol.DATA);
    ipv4 = protocols.number(Ipv4Protocol.IP);
    ipv6 = protocols.number(Ipv6Protocol.IPV6_HEADER);
    icmp = protocols.number(IcmpProtocol.ICMP);
    icmpv6 = protocols.number(Icmpv6Protocol.ICMPV6);
    fragmentHeader = protocols.number(FragmentProtocol.FRAGMENT);
    tcp = protocols.number(TcpProtocol.TCP);
    Protocol marks = protocols.named(MalformedProtocol.NAME);
    malformed = marks == null ? Protocols.NONE : protocols.number(marks.fields());
    frameLayer = Layer.at(table, LayerTable.PLACES);
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
   * Decodes each packet of a burst in turn, and shows it to a listener. Where a listener has little
   * to do, this is faster than {@link #decode(Packet)} from a loop of one's own: the compiler makes
   * one of all.
   *
   * @throws IllegalStateException if this is called by the listener itself
   */
  public void decode(Burst burst, DecodeListener listener) {
    each.begin(listener);
    try {
      burst.forEach(each);
    } finally {
      each.end();
    }
    listener.onEndOfBurst();
  }

  /** What is done with each packet of a burst. */
  private final class Each implements Consumer<Packet> {
    private @Nullable DecodeListener listener;

    void begin(DecodeListener newListener) {
      if (listener != null) {
        throw new IllegalStateException(
            "decoder is decoding a burst: frame=%d; give each loop a decoder of its own"
                .formatted(frame.number()));
      }
      listener = newListener;
    }

    void end() {
      listener = null;
    }

    @Override
    public void accept(Packet packet) {
      DecodeListener shown = listener;
      int _ = decode(packet);
      if (shown != null) {
        shown.onPacket(Decoder.this, packet);
      }
    }
  }

  /**
   * Finds the layers of a packet, which begins with what its link type says.
   *
   * @return how many there are
   * @throws IllegalStateException if the packet was sent or dropped
   */
  public int decode(Packet packet) {
    int length = packet.plainLength();
    if (length < CommonLayers.LEAST_BYTES || !table.isExpected(packet)) {
      return unexpected(packet);
    }
    frame.next(length, packet.index());
    int found = commonLayers.scan(packet, length);
    return found > 0 ? found : rest(packet, length, found);
  }

  private int unexpected(Packet packet) {
    forgetParts();
    int length = packet.plainLength();
    if (length < CommonLayers.LEAST_BYTES || !commonLayers.isStandard()) {
      return unusual(packet);
    }
    frame.nextPlain(packet, length);
    table.beginPlain(packet, !leavesParts && !frame.readsTimes());
    int found = commonLayers.scan(packet, length);
    return found > 0 ? found : rest(packet, length, found);
  }

  private int unusual(Packet packet) {
    int length = packet.length();
    int cutBytes = packet.cutBytes();
    frame.next(packet, length, cutBytes);
    return anything(packet, length, cutBytes);
  }

  private int rest(Packet packet, int length, int found) {
    if (found == CommonLayers.NOTHING) {
      return anything(packet, length, 0);
    }
    afterCommonLayers(packet);
    return table.count();
  }

  private int anything(Packet packet, int length, int cutBytes) {
    table.begin(packet, cutBytes != 0);
    long claimedEnd = Math.min((long) length + cutBytes, Integer.MAX_VALUE);
    int begin = protocols.find(DispatchTable.LINK_TYPE, packet.linkType().number());
    layers(packet, 0, length, (int) claimedEnd, begin);
    return table.count();
  }

  private void afterCommonLayers(Packet packet) {
    int next = commonLayers.next();
    if (leavesParts && table.number(table.count() - 1) == Protocols.TCP) {
      streamProtocol = next;
      return;
    }
    int end = commonLayers.end();
    layers(packet, commonLayers.start(), end, end, next);
  }

  /**
   * Finds the layers of bytes that are no packet.
   *
   * @param linkType what they begin with
   */
  public int decode(ByteView bytes, LinkType linkType, long timestampNs) {
    int length = bytes.length();
    frame.next(timestampNs, length, linkType);
    forgetParts();
    table.begin(bytes, false);
    layers(bytes, 0, length, length, protocols.find(DispatchTable.LINK_TYPE, linkType.number()));
    return table.count();
  }

  private void forgetParts() {
    streamProtocol = Protocols.NONE;
    fragment = NOWHERE;
  }

  /**
   * From now on leaves what fragments and segments of TCP carry to somebody who puts them together,
   * and appends what comes of that.
   */
  void leaveParts() {
    leavesParts = true;
    commonLayers.leaveParts();
  }

  /** Whether the packet is a fragment. */
  boolean isFragment() {
    return fragment != NOWHERE;
  }

  /** What the segment carries that was decoded last, and was left; null if nothing was. */
  @Nullable Protocol streamProtocol() {
    return streamProtocol == Protocols.NONE ? null : protocols.all().get(streamProtocol);
  }

  /**
   * Adds the layers of a message that is in other bytes than the packet.
   *
   * @param end of the bytes that it has
   * @param question that it answers, or 0
   */
  void append(ByteView bytes, int from, int end, Protocol begin, int question) {
    appendNumber(bytes, from, end, end, protocols.number(begin.fields()), question);
  }

  /** As {@link #append}, of a message whose rest never comes; if it is one, and not data. */
  void appendCut(ByteView bytes, int from, int end, Protocol begin, int question) {
    int place = table.count();
    int number = protocols.number(begin.fields());
    appendNumber(bytes, from, end, Integer.MAX_VALUE, number, question);
    boolean isMessage = table.count() > place && table.number(place) == number;
    if (isMessage && layers[place].mark() == Mark.SOUND) {
      layers[place].mark(Mark.CUT);
    }
  }

  /**
   * Adds the layers of a datagram in the place of what its last fragment carries.
   *
   * @param protocol of IP
   */
  void appendDatagram(ByteView bytes, int protocol) {
    table.removeLast();
    int begin = protocols.find(DispatchTable.IP_PROTOCOL, protocol);
    appendNumber(bytes, 0, bytes.length(), bytes.length(), begin, 0);
  }

  private void appendNumber(
      ByteView bytes, int from, int end, int claimedEnd, int begin, int newQuestion) {
    if (!table.isFull()) {
      leavesParts = false;
      question = newQuestion;
      try {
        layers(bytes, from, end, claimedEnd, begin);
      } finally {
        question = 0;
        leavesParts = true;
      }
    }
  }

  /**
   * What a protocol says of the length of its message.
   *
   * @param asked what it answers, or 0
   */
  int messageBytes(Protocol protocol, ByteView bytes, int from, int asked) {
    scan.begin(bytes, from, bytes.length(), Integer.MAX_VALUE, null);
    scan.question(asked);
    return protocol.messageBytes(scan);
  }

  /** What a protocol says that a message has to do with the other direction. */
  int exchange(Protocol protocol, ByteView bytes, int from, int end) {
    scan.begin(bytes, from, end, end, null);
    return protocol.exchange(scan);
  }

  private void layers(ByteView bytes, int from, int length, int claimed, int begin) {
    waitingCount = 0; // A scan that threw may have left some.
    chain(bytes, from, length, claimed, begin);
    while (waitingCount > 0) {
      int at = WAITING * --waitingCount;
      if (!table.isFull()) {
        chain(bytes, waiting[at], waiting[at + 1], waiting[at + 2], waiting[at + 3]);
      }
    }
  }

  /** A layer that stands beside the one that was found last waits until that one's layers are. */
  private void await() {
    int at = WAITING * waitingCount++;
    waiting[at] = scan.besideStart();
    waiting[at + 1] = scan.end();
    waiting[at + 2] = scan.claimedEnd();
    waiting[at + 3] = scan.beside();
  }

  /** Layers of which each carries the next. */
  private void chain(ByteView bytes, int from, int length, int claimed, int begin) {
    int start = from;
    int end = length;
    int claimedEnd = claimed;
    int number = begin;
    while (true) {
      int count = table.count();
      number = number == Protocols.NONE || count == MAX_LAYERS - 1 ? data : number;
      scan.begin(bytes, start, end, claimedEnd, count == 0 ? null : layers[count - 1]);
      Protocol protocol = protocols.at(number);
      scan.protocol(protocol, number);
      if (question != 0) {
        scan.question(question);
        question = 0; // The first layer answers; what it carries does not.
      }
      protocol.scan(scan);
      if (scan.isRefused() && number != data) {
        number = data;
        continue;
      }
      if (start == end && count != 0) {
        scan.lacksAll();
      }
      boolean isLast =
          !scan.hasHeader()
              || (scan.headerEnd() >= scan.payloadEnd()
                  && (!scan.lacksNext() || count + 1 >= MAX_LAYERS - 1));
      table.add(number, start, Math.min(scan.headerEnd(), scan.end()), scan.end());
      table.last(bytes, scan.claimedEnd(), scan.mark());
      if (scan.isUnusual()) {
        table.unusual(scan.payloadEnd(), scan.isPartial(), scan.isBegun());
        if (scan.beside() != Protocols.NONE) {
          await();
        }
      }
      boolean isStream = leavesParts && number == tcp && scan.hasNext() && !isQuoted();
      if (isStream && scan.hasHeader()) {
        streamProtocol = scan.next(); // Also of segments without bytes: they may be the last.
        return;
      }
      if (isLast || table.isFull()) {
        return;
      }
      start = scan.headerEnd();
      end = scan.payloadEnd();
      claimedEnd = scan.payloadClaimedEnd();
      boolean isLeft = leavesParts && isFragment(number, count) && !isQuoted();
      if (isLeft && start == end) {
        return;
      }
      number = isLeft ? data : scan.next();
      fragment = isLeft ? count : fragment;
    }
  }

  private boolean isFragment(int number, int place) {
    Layer layer = layers[place];
    if (number == ipv4) {
      return layer.value(Ipv4Protocol.MORE_FRAGMENTS) != 0
          || layer.value(Ipv4Protocol.FRAGMENT_OFFSET) != 0;
    }
    return number == fragmentHeader
        && (layer.value(FragmentProtocol.MORE) != 0 || layer.value(FragmentProtocol.OFFSET) != 0);
  }

  /**
   * Scans the innermost IP header of the packet, which carries the part that was left.
   *
   * @return whether there is one, and its headers are sound
   */
  boolean scan(Packet packet, HeaderScanner scanner) {
    for (int i = table.count() - 2; i >= 0; i--) {
      int number = table.number(i);
      if (number == ipv4 || number == ipv6) {
        int type = number == ipv4 ? EtherType.IPV4 : EtherType.IPV6;
        return scanner.scan(packet, type, table.offset(i));
      }
    }
    return false;
  }

  /** Whether the packet is one that an error of ICMP quotes. */
  private boolean isQuoted() {
    for (int i = 0; i < table.count(); i++) {
      int number = table.number(i);
      if (number == icmp || number == icmpv6) {
        return true;
      }
    }
    return false;
  }

  /** The bytes that were decoded last. */
  public ByteView bytes() {
    return table.bytes();
  }

  /** Layers that the packet has. */
  public int count() {
    return table.count();
  }

  /**
   * One of the packet's layers, from the outermost on.
   *
   * @throws IndexOutOfBoundsException unless it is below {@link #count}
   */
  public Layer at(int index) {
    return layers[Objects.checkIndex(index, table.count())];
  }

  /**
   * The layer of a protocol that is found first in packets that have it: always the same object.
   *
   * @throws IllegalArgumentException if the decoder does not know the protocol
   */
  public Layer layer(Fields protocol) {
    int number = protocols.number(protocol);
    Layer layer = firsts[number];
    if (layer == null) {
      layer = Layer.of(table, number);
      firsts[number] = layer;
    }
    return layer;
  }

  /** Whether the packet has a layer. */
  public boolean has(Layer layer) {
    return layer.isPresent();
  }

  /** What is wrong with the packet: the worst that is wrong with a layer, as far as looked at. */
  public Mark mark() {
    return table.worst();
  }

  /** See {@link Dissection#stream}. */
  long stream(Layer layer) {
    if (streams == null) {
      streams = new PacketStreams();
    }
    return streams.number(frame.count(), layer, carrier(layer.index()));
  }

  /** The layer of IP that carries another; null if none does. */
  private @Nullable Layer carrier(int index) {
    for (int i = index - 1; i >= 0; i--) {
      int number = table.number(i);
      if (number == ipv4 || number == ipv6) {
        return layers[i];
      }
    }
    return null;
  }

  /**
   * Says what all fields of the packet are, those of {@link FrameProtocol} first, and those of
   * {@link MalformedProtocol} last.
   */
  public void dissect(FieldSink sink) {
    table.frame(protocols.number(FrameProtocol.FRAME), table.bytes().length());
    dissect(frameLayer, sink);
    for (int i = 0; i < table.count(); i++) {
      dissect(layers[i], sink);
    }
    if (malformed != Protocols.NONE) {
      table.frame(malformed, table.bytes().length());
      dissect(frameLayer, sink);
    }
  }

  /** Says what the fields of a layer are. */
  public void dissect(Layer layer, FieldSink sink) {
    if (sink.wants(layer)) {
      dissection.run(layer, sink);
    }
  }
}
