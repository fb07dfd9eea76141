package io.linerate.decode;

import io.linerate.decode.text.FieldColumns;
import io.linerate.decode.text.TextBuffer;
import io.linerate.testkit.LoadedCapture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The fields of a capture as tshark prints them, and as the decoder does. */
final class TsharkComparison {
  /** Arguments of one process are not longer than this. */
  private static final int FIELDS_AT_ONCE = 4_000;

  private final Protocols protocols;
  private final List<String> names;

  /**
   * What the file beside a capture says that has its name and ends in {@code .options}: lines
   * {@code tshark ARGUMENT...}, and {@code bind TABLE NUMBER PROTOCOL} for what the decoder is to
   * know beside what is standard.
   */
  record Options(List<String> tshark, List<String[]> bindings) {
    boolean isEmpty() {
      return tshark.isEmpty() && bindings.isEmpty();
    }

    static Options of(Path capture) {
      Path file =
          capture.resolveSibling(
              capture.getFileName().toString().replaceFirst("\\.pcap(ng)?$", ".options"));
      Options options = new Options(new ArrayList<>(), new ArrayList<>());
      if (Files.exists(file)) {
        lines(file).map(line -> line.split(" ", -1)).forEach(options::add);
      }
      return options;
    }

    private static Stream<String> lines(Path file) {
      try {
        return Files.readAllLines(file).stream();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void add(String... words) {
      switch (words[0]) {
        case "tshark" -> tshark.addAll(List.of(words).subList(1, words.length));
        case "bind" -> bindings.add(words);
        default -> throw new IllegalArgumentException("no such option: line=" + words[0]);
      }
    }

    Protocols bind(Protocols standard) {
      Protocols bound = standard;
      for (String[] words : bindings) {
        bound = bound.bind(new DispatchTable(words[1]).key(Long.parseLong(words[2])), words[3]);
      }
      return bound;
    }
  }

  /**
   * What differs.
   *
   * @param packet number of it, from 1 on
   */
  record Difference(int packet, String field, String theirs, String ours) {
    @Override
    public String toString() {
      return "packet "
          + packet
          + "  "
          + field
          + "\n    tshark: "
          + theirs
          + "\n    here:   "
          + ours;
    }
  }

  TsharkComparison(Protocols protocols) {
    this.protocols = protocols;
    Set<String> known = new LinkedHashSet<>();
    for (String line : run(List.of("tshark", "-G", "fields"))) {
      String[] parts = line.split("\t", -1);
      if (parts[0].equals("F")) {
        known.add(parts[2]);
      }
    }
    names = protocols.fieldNames().stream().filter(known::contains).toList();
  }

  /** The names of fields that both know. */
  List<String> names() {
    return names;
  }

  /** Compares all packets of a capture. */
  List<Difference> compare(Path file) {
    Options options = Options.of(file);
    List<Difference> differences = new ArrayList<>();
    for (List<String> some : someAtOnce()) {
      List<String> theirs = ask(file, some, options);
      compare(theirs, columns(file, some, options.bind(protocols)), some, differences);
    }
    return differences;
  }

  /**
   * Compares many captures, which tshark is given as one: it starts once. What it knows of one
   * capture may change what it says of another, so that what differs is to be compared alone.
   * Fields that count packets or streams of a capture are left out.
   *
   * @param files without options
   * @return the fields of each file that differ
   */
  Map<Path, Set<String>> compareTogether(List<Path> files, Path folder) {
    Path merged = folder.resolve("merged.pcapng");
    List<String> merge = new ArrayList<>(List.of("mergecap", "-a", "-w", merged.toString()));
    files.forEach(file -> merge.add(file.toString()));
    run(merge);
    Map<Path, Set<String>> differing = new LinkedHashMap<>();
    files.forEach(file -> differing.put(file, new LinkedHashSet<>()));
    for (List<String> some : someAtOnce()) {
      List<String> theirs = ask(merged, some, new Options(List.of(), List.of()));
      int at = 0;
      for (Path file : files) {
        List<String> ours = columns(file, some, protocols);
        List<Difference> differences = new ArrayList<>();
        int end = Math.min(at + ours.size(), theirs.size());
        compare(theirs.subList(at, end), ours, some, differences);
        at = end;
        differences.stream()
            .map(Difference::field)
            .filter(field -> !field.startsWith("frame.") && !field.endsWith(".stream"))
            .forEach(differing.get(file)::add);
      }
    }
    return differing;
  }

  private List<List<String>> someAtOnce() {
    List<List<String>> all = new ArrayList<>();
    for (int from = 0; from < names.size(); from += FIELDS_AT_ONCE) {
      all.add(names.subList(from, Math.min(from + FIELDS_AT_ONCE, names.size())));
    }
    return all;
  }

  private static List<String> ask(Path file, List<String> some, Options options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "tshark",
                "-n",
                "-r",
                file.toString(),
                "-T",
                "fields",
                "-o",
                "tcp.desegment_tcp_streams:FALSE",
                "-o",
                "ip.defragment:FALSE",
                "-o",
                "ipv6.defragment:FALSE"));
    command.addAll(options.tshark());
    some.forEach(name -> command.addAll(List.of("-e", name)));
    return run(command);
  }

  private static void compare(
      List<String> theirs, List<String> ours, List<String> some, List<Difference> differences) {
    int lines = Math.max(theirs.size(), ours.size());
    for (int i = 0; i < lines; i++) {
      String[] left = line(theirs, i, some.size());
      String[] right = line(ours, i, some.size());
      for (int j = 0; j < some.size(); j++) {
        if (!left[j].equals(right[j])) {
          differences.add(new Difference(i + 1, some.get(j), left[j], right[j]));
        }
      }
    }
  }

  private static String[] line(List<String> lines, int index, int fields) {
    String[] parts = index < lines.size() ? lines.get(index).split("\t", -1) : new String[0];
    String[] all = new String[fields];
    for (int i = 0; i < fields; i++) {
      all[i] = i < parts.length ? parts[i] : "";
    }
    return all;
  }

  private static List<String> columns(Path file, List<String> some, Protocols protocols) {
    FieldColumns columns = new FieldColumns(protocols, some);
    Decoder decoder = new Decoder(protocols);
    TextBuffer out = new TextBuffer();
    try (LoadedCapture capture = LoadedCapture.of("pcap:rx=" + file + ",linktype=any")) {
      capture.forEach(packet -> {
        decoder.decode(packet);
        columns.print(decoder, out);
      });
    }
    return out.toString().lines().toList();
  }

  static List<String> run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      byte[] output = process.getInputStream().readAllBytes();
      return new String(output, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prints what differs, of files that are named: for whoever adds a protocol. */
  static void main(String... files) {
    var comparison = new TsharkComparison(Protocols.standard());
    for (String file : files) {
      List<Difference> differences = comparison.compare(Path.of(file));
      Map<String, Integer> byField = new LinkedHashMap<>();
      differences.forEach(difference -> byField.merge(difference.field(), 1, Integer::sum));
      System.out.println(file + ": " + differences.size() + " differ " + byField);
      Set<String> shown = new LinkedHashSet<>();
      for (Difference difference : differences) {
        if (shown.add(difference.field())) {
          System.out.println(difference);
        }
      }
    }
  }
}
