package io.linerate.bench.suite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One case with its contestants: a row of the report.
 *
 * <pre>{@code
 * Result.of("capture", "net_null 64 B", "Mpps")
 *     .contestant("java", java)         // the first and "c" are the two that a reader expects, if
 *     .contestant("c", c)               // there are such
 *     .contestant("c-usual", usual)
 *     .ratio("java", "c")               // pair by pair; the samples must be as many
 *     .heapBytesPerPacket(0)
 *     .theirs("thesis, section 7.3", "Java, packet objects", 2.4)
 *     .note("frames of one buffer only")
 *     .build()
 * }</pre>
 *
 * @param name of the benchmark
 * @param caseName what is special about this row, unique within the benchmark
 * @param unit of all figures: Mpps, ns, Gbit/s ...
 * @param contestants by name, {@code java} and {@code c} first
 * @param ratio of the first two that were named in {@code ratio}
 * @param ratioOf what was divided, such as {@code java/c}
 * @param jvms how many fresh JVMs the ratio is over: its samples are theirs, or pairs if it is one
 * @param heapBytesPerPacket what Java allocated for a packet or an operation
 * @param figures further figures by name, such as percentiles; written as they are
 * @param theirs what others measured, on other machines
 * @param notes sentences for the reader
 */
public record Result(
    String name,
    String caseName,
    String unit,
    Map<String, Spread> contestants,
    Optional<Spread> ratio,
    String ratioOf,
    int jvms,
    OptionalDouble heapBytesPerPacket,
    Map<String, Double> figures,
    List<Theirs> theirs,
    List<String> notes) {
  /**
   * A figure of the ancestor or of a peer.
   *
   * @param source where it is published, such as {@code thesis, fig 23}
   * @param what the program or variant that it is about
   * @param value in the unit of the row
   */
  public record Theirs(String source, String what, double value) {}

  public Result {
    contestants = Collections.unmodifiableMap(new LinkedHashMap<>(contestants));
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    theirs = List.copyOf(theirs);
    notes = List.copyOf(notes);
  }

  /**
   * The ratio for people: "0.953 (0.931 to 0.971)", median and extremes, and over several JVMs how
   * far they are apart.
   */
  public Optional<String> ratioText() {
    return ratio.map(over -> {
      String jvmsText =
          jvms == 1
              ? ""
              : String.format(
                  Locale.ROOT, " over %d JVMs, %.1f %%", jvms, 100 * over.relativeRange());
      return String.format(
          Locale.ROOT, "%.3f (%.3f to %.3f%s)", over.median(), over.min(), over.max(), jvmsText);
    });
  }

  public static Builder of(String name, String caseName, String unit) {
    return new Builder(name, caseName, unit);
  }

  /** Collects the parts of a {@link Result}. */
  public static final class Builder {
    private final String name;
    private final String caseName;
    private final String unit;
    private final Map<String, Spread> contestants = new LinkedHashMap<>();
    private final Map<String, Double> figures = new LinkedHashMap<>();
    private final List<Theirs> theirs = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Optional<Spread> ratio = Optional.empty();
    private String ratioOf = "";
    private int jvms = 1;
    private OptionalDouble heapBytesPerPacket = OptionalDouble.empty();

    private Builder(String name, String caseName, String unit) {
      this.name = name;
      this.caseName = caseName;
      this.unit = unit;
    }

    public Builder contestant(String contestant, Spread samples) {
      contestants.put(contestant, samples);
      return this;
    }

    /** The first divided by the second, pair by pair; both were added before. */
    public Builder ratio(String first, String second) {
      ratio = Optional.of(samples(first).dividedBy(samples(second)));
      ratioOf = first + "/" + second;
      return this;
    }

    /**
     * The same over several JVMs, each of which has as many samples, one JVM's after the other's:
     * the ratio of each is the median of its pairs.
     */
    public Builder ratio(String first, String second, int ofJvms) {
      ratio(first, second);
      jvms = ofJvms;
      ratio = ratio.map(pairs -> jvms > 1 ? pairs.medians(jvms) : pairs);
      return this;
    }

    private Spread samples(String contestant) {
      Spread samples = contestants.get(contestant);
      if (samples == null) {
        throw new IllegalArgumentException(
            "no such contestant: name=" + contestant + ", known=" + contestants.keySet());
      }
      return samples;
    }

    public Builder heapBytesPerPacket(double bytes) {
      heapBytesPerPacket = OptionalDouble.of(bytes);
      return this;
    }

    public Builder figure(String figure, double value) {
      figures.put(figure, value);
      return this;
    }

    public Builder theirs(String source, String what, double value) {
      theirs.add(new Theirs(source, what, value));
      return this;
    }

    public Builder note(String sentence) {
      notes.add(sentence);
      return this;
    }

    public Result build() {
      return new Result(
          name,
          caseName,
          unit,
          contestants,
          ratio,
          ratioOf,
          jvms,
          heapBytesPerPacket,
          figures,
          theirs,
          notes);
    }
  }
}
