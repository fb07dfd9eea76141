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
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Which packets are malformed, and at which layer, as tshark says and as the decoder does. */
final class MalformedComparison {
  private static final int MUTATIONS = 24;
  private static final int FILE_HEADER_BYTES = 24;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final List<String> COMMAND =
      List.of(
          "-T",
          "fields",
          "-e",
          "_ws.malformed",
          "-e",
          "frame.protocols",
          "-o",
          "tcp.desegment_tcp_streams:FALSE",
          "-o",
          "ip.defragment:FALSE",
          "-o",
          "ipv6.defragment:FALSE");

  private final Path folder;

  /** By protocol those that tshark marks, and of these those that are marked here. */
  private final Map<String, int[]> counts = new TreeMap<>();

  private final List<String> missed = new ArrayList<>();

  MalformedComparison(Path folder) {
    this.folder = folder;
  }

  /** Compares mutations of all packets of a capture, from a seed. */
  void add(Path capture, Protocols standard, long seed) throws IOException {
    Map<Integer, List<byte[]>> packets = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(seed);
    try (LoadedCapture loaded = LoadedCapture.of("pcap:rx=" + capture + ",linktype=any")) {
      loaded.forEach(packet -> add(packets, packet, random));
    }
    TsharkComparison.Options options = TsharkComparison.Options.of(capture);
    Protocols protocols = options.bind(standard);
    for (Map.Entry<Integer, List<byte[]>> ofType : packets.entrySet()) {
      Path file = folder.resolve("mutated.pcap");
      write(file, ofType.getKey(), ofType.getValue());
      List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
      command.addAll(COMMAND);
      command.addAll(options.tshark());
      List<String> theirs = TsharkComparison.run(command);
      compare(capture, theirs, ofType.getValue(), LinkType.of(ofType.getKey()), protocols);
      Files.delete(file);
    }
  }

  private static void add(
      Map<Integer, List<byte[]>> packets, Packet packet, SplittableRandom random) {
    byte[] bytes = packet.toBytes();
    List<byte[]> ofType =
        packets.computeIfAbsent(packet.linkType().number(), _ -> new ArrayList<>());
    for (int i = 0; i < MUTATIONS; i++) {
      ofType.add(DecoderTest.mutated(bytes, random));
    }
  }

  private static void write(Path file, int linkType, List<byte[]> packets) throws IOException {
    int bytes = packets.stream().mapToInt(packet -> packet.length + RECORD_HEADER_BYTES).sum();
    ByteBuffer out = ByteBuffer.allocate(FILE_HEADER_BYTES + bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putInt(0).putInt(0);
    out.putInt(262_144).putInt(linkType);
    for (byte[] packet : packets) {
      out.putInt(1_700_000_000).putInt(0).putInt(packet.length).putInt(packet.length).put(packet);
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int _ = channel.write(out.flip());
    }
  }

  private void compare(
      Path capture, List<String> theirs, List<byte[]> packets, LinkType type, Protocols protocols) {
    Decoder decoder = new Decoder(protocols);
    FieldSink nothing = new Nothing();
    for (int i = 0; i < theirs.size(); i++) {
      String[] parts = theirs.get(i).split("\t", -1);
      if (!parts[0].contains("_ws.malformed")) {
        continue;
      }
      String[] layers = parts[1].split(":", -1);
      String last = layers[layers.length - 1];
      byte[] bytes = packets.get(i);
      decoder.decode(ByteView.of(bytes, bytes.length), type, 0);
      decoder.dissect(nothing);
      if (protocols.named(last) == null) {
        continue; // A protocol that is not known here.
      }
      int[] count = counts.computeIfAbsent(last, _ -> new int[2]);
      count[0]++;
      if (decoder.mark() == Mark.MALFORMED) {
        count[1]++;
      } else {
        missed.add(capture.getFileName() + " " + i + " " + theirs.get(i));
      }
    }
  }

  /** Packets that tshark marks at a protocol that is known here. */
  int marked() {
    return counts.values().stream().mapToInt(count -> count[0]).sum();
  }

  /** Of these, those that are marked here. */
  int agreed() {
    return counts.values().stream().mapToInt(count -> count[1]).sum();
  }

  /** A line for each protocol. */
  String table() {
    StringBuilder text = new StringBuilder();
    counts.forEach((protocol, count) -> {
      if (count[1] < count[0]) {
        text.append("%s %d of %d%n".formatted(protocol, count[1], count[0]));
      }
    });
    return text.toString();
  }

  List<String> missed() {
    return missed;
  }

  private static final class Nothing implements FieldSink {
    @Override
    public void number(Layer layer, Field field, long value, int offset, int bytes) {}

    @Override
    public void bytes(Layer layer, Field field, ByteView source, int offset, int bytes) {}

    @Override
    public void text(Layer layer, Field field, CharSequence value, int offset, int bytes) {}
  }

  static void main(String... files) throws IOException {
    var comparison = new MalformedComparison(Files.createTempDirectory("malformed"));
    for (String file : files) {
      comparison.add(Path.of(file), Protocols.standard(), 1);
    }
    comparison.missed().stream().limit(60).forEach(System.out::println);
    System.out.println(comparison.table());
    System.out.println(comparison.agreed() + " of " + comparison.marked());
  }
}
