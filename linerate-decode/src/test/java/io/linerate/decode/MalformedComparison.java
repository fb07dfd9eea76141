package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.LinkType;
import io.linerate.core.memory.Packet;
import io.linerate.testkit.LoadedCapture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which packets are malformed, and at which layer, as tshark says and as the decoder does: a mark
 * of tshark's is found only at the layer that it names, the same one of several of a protocol.
 */
final class MalformedComparison {
  private static final int FILE_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;

  /** What tshark prints of a packet is some 10,000 bytes. */
  private static final int PACKETS_AT_ONCE = 8_000;

  /** Each packet alone, as it is. */
  private static final List<String> OPTIONS =
      List.of(
          "-o",
          "tcp.desegment_tcp_streams:FALSE",
          "-o",
          "ip.defragment:FALSE",
          "-o",
          "ipv6.defragment:FALSE");

  /** Protocols that are one in tshark, and of which the parts are layers here. */
  private static final Map<String, List<String>> PARTS =
      Map.of(
          "sctp", List.of("sctp.chunk"),
          "mpls", List.of("mpls"),
          "dtls", List.of("dtls"),
          "ieee8021ad", List.of("ieee8021ad"),
          "wlan", List.of("wlan.mgt", "wlan_aggregate"),
          "mdns", List.of("dns"),
          "llmnr", List.of("dns"),
          "ssdp", List.of("http"));

  /** What tshark calls by one name: of each the other name here. */
  private static final Map<String, String> SAME =
      Map.of("sll", "sll2", "mptcp", "tcp", "wlan_rsna_eapol", "eapol");

  private final Path folder;
  private final TsharkMarks tshark = new TsharkMarks();
  private final int mutations;
  private final int cuts;

  /** By link type. */
  private final Map<Integer, List<Sample>> samples = new TreeMap<>();

  private final List<String> options = new ArrayList<>();
  private Protocols protocols;

  /** By protocol marks of tshark's, of these those that are here, and those that are only here. */
  private final Map<String, int[]> counts = new TreeMap<>();

  /** By protocol marks of tshark's at protocols that are not known here. */
  private final Map<String, Integer> unknown = new TreeMap<>();

  private final List<String> missed = new ArrayList<>();
  private final List<String> more = new ArrayList<>();
  private int packets;

  /** A packet, and from which capture it was made. */
  private static final class Sample {
    private final String origin;
    private final byte[] bytes;

    private Sample(String origin, byte[] bytes) {
      this.origin = origin;
      this.bytes = bytes;
    }
  }

  /**
   * @param mutations of each packet
   * @param cuts of each packet, at lengths by chance
   */
  MalformedComparison(Path folder, Protocols standard, int mutations, int cuts) {
    this.folder = folder;
    this.protocols = standard;
    this.mutations = mutations;
    this.cuts = cuts;
  }

  /** Makes mutations of all packets of a capture, from a seed. */
  void add(Path capture, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TsharkComparison.Options of = TsharkComparison.Options.of(capture);
    if (!options.containsAll(of.tshark())) {
      options.addAll(of.tshark());
    }
    protocols = of.bind(protocols);
    try (LoadedCapture loaded = LoadedCapture.of("pcap:rx=" + capture + ",linktype=any")) {
      loaded.forEach(packet -> add(capture.getFileName().toString(), packet, random));
    }
  }

  private void add(String origin, Packet packet, SplittableRandom random) {
    byte[] bytes = packet.toBytes();
    List<Sample> ofType =
        samples.computeIfAbsent(packet.linkType().number(), _ -> new ArrayList<>());
    for (int i = 0; i < mutations; i++) {
      ofType.add(new Sample(origin, DecoderTest.mutated(bytes, random)));
    }
    for (int i = 0; i < cuts && bytes.length > 0; i++) {
      ofType.add(new Sample(origin, Arrays.copyOf(bytes, random.nextInt(bytes.length))));
    }
  }

  /** Compares all that were made. */
  void run() throws IOException {
    for (Map.Entry<Integer, List<Sample>> ofType : samples.entrySet()) {
      List<Sample> all = ofType.getValue();
      for (int from = 0; from < all.size(); from += PACKETS_AT_ONCE) {
        List<Sample> some = all.subList(from, Math.min(from + PACKETS_AT_ONCE, all.size()));
        run(ofType.getKey(), some);
      }
    }
  }

  private void run(int linkType, List<Sample> some) throws IOException {
    Path file = folder.resolve("mutated.pcap");
    write(file, linkType, some);
    List<String> all = new ArrayList<>(OPTIONS);
    all.addAll(options);
    compare(tshark.of(file.toString(), all), some, LinkType.of(linkType));
    Files.delete(file);
  }

  private static void write(Path file, int linkType, List<Sample> some) throws IOException {
    int bytes = some.stream().mapToInt(one -> one.bytes.length + RECORD_HEADER_BYTES).sum();
    ByteBuffer out = ByteBuffer.allocate(FILE_HEADER_BYTES + bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putInt(0).putInt(0);
    out.putInt(262_144).putInt(linkType);
    for (Sample one : some) {
      int length = one.bytes.length;
      out.putInt(1_700_000_000).putInt(0).putInt(length).putInt(length).put(one.bytes);
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int _ = channel.write(out.flip());
    }
  }

  private void compare(List<TsharkMarks.Malformed> marks, List<Sample> some, LinkType type) {
    Map<Integer, List<TsharkMarks.Malformed>> byPacket = new HashMap<>();
    marks.forEach(
        mark -> byPacket.computeIfAbsent(mark.packet(), _ -> new ArrayList<>()).add(mark));
    Decoder decoder = new Decoder(protocols);
    FieldSink nothing = new Nothing();
    for (int i = 0; i < some.size(); i++) {
      byte[] bytes = some.get(i).bytes;
      decoder.decode(ByteView.of(bytes, bytes.length), type, 0);
      decoder.dissect(nothing);
      compare(decoder, byPacket.getOrDefault(i, List.of()), some.get(i));
      packets++;
    }
  }

  private void compare(Decoder decoder, List<TsharkMarks.Malformed> theirs, Sample sample) {
    Set<Integer> said = new HashSet<>();
    Set<String> nowhere = new HashSet<>();
    for (TsharkMarks.Malformed mark : theirs) {
      String name = known(mark);
      if (name == null) {
        unknown.merge(mark.within().getFirst(), 1, Integer::sum);
        continue;
      }
      Layer layer = layer(decoder, mark, name);
      if (layer == null ? nowhere.add(name) : said.add(layer.index())) {
        int[] count = counts.computeIfAbsent(name, _ -> new int[3]);
        count[0]++;
        if (layer != null && layer.mark() == Mark.MALFORMED) {
          count[1]++;
        } else {
          missed.add(line(name, mark.why(), decoder, mark.protocols(), sample));
        }
      }
    }
    String all = theirs.isEmpty() ? "" : theirs.getFirst().protocols();
    for (int i = 0; i < decoder.count(); i++) {
      Layer layer = decoder.at(i);
      if (layer.mark() == Mark.MALFORMED && !said.contains(i)) {
        counts.computeIfAbsent(layer.name(), _ -> new int[3])[2]++;
        more.add(line(layer.name(), "only here", decoder, all, sample));
      }
    }
  }

  private static String line(String name, String why, Decoder decoder, String all, Sample sample) {
    StringBuilder text = new StringBuilder(name).append('\t').append(why).append('\t').append(all);
    text.append('\t');
    for (int i = 0; i < decoder.count(); i++) {
      boolean isMarked = decoder.at(i).mark() == Mark.MALFORMED;
      text.append(i == 0 ? "" : ":").append(decoder.at(i).name()).append(isMarked ? "!" : "");
    }
    return text.append('\t')
        .append(sample.origin)
        .append('\t')
        .append(HexFormat.of().formatHex(sample.bytes))
        .toString();
  }

  /** The layer that a mark stands at. */
  private @Nullable Layer layer(Decoder decoder, TsharkMarks.Malformed mark, String name) {
    int from = mark.positions().get(mark.within().indexOf(name));
    Layer found = null;
    for (int i = 0; i < decoder.count(); i++) {
      Layer layer = decoder.at(i);
      if (isOne(layer, name) && (from < 0 || layer.offset() <= from)) {
        found = layer;
      }
    }
    if (found == null) {
      return from < 0 ? null : first(decoder, name); // In bytes that were put together.
    }
    return deepest(decoder, found, mark, name);
  }

  private static @Nullable Layer first(Decoder decoder, String name) {
    for (int i = 0; i < decoder.count(); i++) {
      if (isOne(decoder.at(i), name)) {
        return decoder.at(i);
      }
    }
    return null;
  }

  /** Of layers that are one protocol in tshark, that which the mark stands at. */
  private static Layer deepest(
      Decoder decoder, Layer outermost, TsharkMarks.Malformed mark, String name) {
    List<String> parts = PARTS.getOrDefault(name, List.of());
    Layer found = outermost;
    for (int i = outermost.index() + 1; i < decoder.count() && !parts.isEmpty(); i++) {
      Layer layer = decoder.at(i);
      if (isOne(layer, name) && !parts.contains(name)) {
        break;
      }
      if (parts.contains(layer.name())
          && (mark.position() < 0 || layer.offset() <= mark.position())) {
        found = layer;
        if (mark.position() < 0 && layer.mark() == Mark.MALFORMED) {
          break; // It ends where something is not there.
        }
      }
    }
    return found;
  }

  private static boolean isOne(Layer layer, String name) {
    return layer.name().equals(name) || layer.name().equals(SAME.get(name));
  }

  private boolean isKnown(String name) {
    return protocols.named(name) != null || SAME.containsKey(name);
  }

  private @Nullable String known(TsharkMarks.Malformed mark) {
    return mark.within().stream().filter(this::isKnown).findFirst().orElse(null);
  }

  /** Packets that were compared. */
  int packets() {
    return packets;
  }

  /** Marks of tshark's at protocols that are known here. */
  int marked() {
    return counts.values().stream().mapToInt(count -> count[0]).sum();
  }

  /** Of these, those that are here. */
  int agreed() {
    return counts.values().stream().mapToInt(count -> count[1]).sum();
  }

  /** A line for each protocol: marks of tshark's, of these those here, and those only here. */
  String table() {
    StringBuilder text = new StringBuilder();
    counts.forEach((protocol, count) ->
        text.append(
            "%-16s %6d %6d  %5.1f %%  only here %d%n"
                .formatted(
                    protocol,
                    count[0],
                    count[1],
                    100.0 * count[1] / Math.max(count[0], 1),
                    count[2])));
    return text.append("not known here: ").append(unknown).toString();
  }

  List<String> missed() {
    return missed;
  }

  List<String> more() {
    return more;
  }

  private static final class Nothing implements FieldSink {
    @Override
    public void number(Layer layer, Field field, long value, int offset, int bytes) {}

    @Override
    public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {}

    @Override
    public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {}
  }

  /** Prints how files that are named compare: for whoever mends a protocol. */
  static void main(String... files) throws IOException {
    Path folder = Files.createTempDirectory("malformed");
    int mutations = Integer.getInteger("mutations", 24);
    int cuts = Integer.getInteger("cuts", 8);
    var comparison = new MalformedComparison(folder, Protocols.standard(), mutations, cuts);
    for (String file : files) {
      comparison.add(Path.of(file), Long.getLong("seed", 1));
    }
    comparison.run();
    Files.delete(folder);
    comparison.missed().forEach(System.out::println);
    comparison.more().forEach(System.out::println);
    System.out.println(comparison.table());
    System.out.println(
        comparison.agreed() + " of " + comparison.marked() + ", packets=" + comparison.packets());
  }
}
