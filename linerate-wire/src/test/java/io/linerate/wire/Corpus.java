package io.linerate.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;

/** The packets of {@code corpus.txt}, with what a scanner must find in each. */
final class Corpus {
  private static final List<Sample> SAMPLES = read();

  private Corpus() {}

  /** A packet and what is in it. */
  record Sample(
      String name,
      int etherType,
      int vlanTags,
      int ipVersion,
      int ipProtocol,
      int l3Offset,
      int l4Offset,
      String fragment,
      String hex) {
    /** A copy of the bytes. */
    byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Sample> samples() {
    return SAMPLES;
  }

  static Sample sample(String name) {
    return SAMPLES.stream()
        .filter(sample -> sample.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no such packet: name=" + name));
  }

  static byte[] bytes(String name) {
    return sample(name).bytes();
  }

  private static List<Sample> read() {
    try (InputStream in =
        Objects.requireNonNull(Corpus.class.getResourceAsStream("corpus.txt"), "corpus.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(Corpus::sampleOf)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Sample sampleOf(String line) {
    String[] words = line.split(" ", -1);
    return new Sample(
        words[0],
        Integer.decode(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        Integer.parseInt(words[4]),
        Integer.parseInt(words[5]),
        Integer.parseInt(words[6]),
        words[7],
        words[8]);
  }
}
