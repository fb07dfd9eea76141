package io.linerate.graph.element;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.List;
import java.util.function.Consumer;

/**
 * Sends each packet to the output of the first pattern that its bytes match.
 *
 * <pre>
 * inputs      in
 * outputs     one for each pattern, by its name
 * parameters  patterns: NAME CLAUSE..., all of which have to match
 *               12/0800        the two bytes from offset 12 are 08 00
 *               23/06%0f       likewise, of the bits of mask 0f
 *               !12/86dd       not so; a packet that ends before has not these bytes
 *               -              everything
 * drops       no_match: no pattern matches
 * reads       patterns
 * example     Classifier.of("arp 12/0806", "tcp 12/0800 23/06", "rest -")
 * </pre>
 */
public record Classifier(List<String> patterns) implements Element {
  public static final DropReason NO_MATCH = DropReason.named("no_match");

  public Classifier {
    patterns = List.copyOf(patterns);
  }

  public static Classifier of(String... patterns) {
    return new Classifier(List.of(patterns));
  }

  @Override
  public Shape shape() {
    Shape shape = Shape.NONE.input("in").anyLink();
    for (String pattern : patterns) {
      shape = shape.output(name(pattern));
    }
    return shape;
  }

  @Override
  public List<String> problems() {
    if (patterns.isEmpty()) {
      return List.of("no pattern: patterns=; write one, such as \"rest -\"");
    }
    return patterns.stream().flatMap(pattern -> BytePattern.problems(pattern).stream()).toList();
  }

  private static String name(String pattern) {
    return pattern.strip().split("\\s+", 2)[0];
  }

  /**
   * @throws ConfigException if a pattern cannot be read
   */
  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Sorter(patterns, wiring));
    wiring.read("patterns", ValueType.TEXT, () -> String.join("; ", patterns));
  }

  /** The patterns on one worker. */
  private static final class Sorter implements BurstHandler, Consumer<Packet> {
    private static final int SEVERAL = -3;
    private static final int NONE_YET = -2;

    private final BytePattern[] patterns;
    private final Outlet[] outlets;

    /** The pattern that matched all packets. */
    private int common;

    /** For each packet of a burst the pattern that matched. */
    private final int[] matches;

    Sorter(List<String> texts, Wiring wiring) {
      patterns = texts.stream().map(BytePattern::parse).toArray(BytePattern[]::new);
      outlets = texts.stream().map(text -> wiring.output(name(text))).toArray(Outlet[]::new);
      matches = new int[wiring.maxBurst()];
    }

    @Override
    public void onBurst(Burst burst) {
      common = NONE_YET;
      burst.forEach(this);
      if (common >= 0) {
        outlets[common].push(burst);
        return;
      }
      for (Packet packet : burst) {
        int match = matches[packet.index()];
        if (match >= 0) {
          outlets[match].send(packet);
        } else {
          packet.drop(NO_MATCH);
        }
      }
    }

    /** Notes what matches. */
    @Override
    public void accept(Packet packet) {
      int match = match(packet);
      matches[packet.index()] = match;
      common = match == common || common == NONE_YET ? match : SEVERAL;
    }

    private int match(Packet packet) {
      for (int i = 0; i < patterns.length; i++) {
        if (patterns[i].matches(packet)) {
          return i;
        }
      }
      return -1;
    }
  }
}
