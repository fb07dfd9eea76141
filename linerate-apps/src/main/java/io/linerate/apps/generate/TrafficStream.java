package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packets of one kind. {@code docs/generate.md} has all keys.
 *
 * <pre>{@code
 * TrafficStream.of("dns", "protocol=udp size=64-512 dst=192.0.2.0/24 dstport=53")
 * }</pre>
 */
public final class TrafficStream {
  private final String name;
  private final long seed;
  private final @Nullable FrameSpec frames;
  private final @Nullable FrameImages images;
  private final @Nullable Replay replay;
  private final Rate rate;
  private final double speed;
  private final @Nullable PacketEdit edit;

  /**
   * @param frames what it makes, or null for a replay
   * @param speed of a replay in multiples of the recorded speed; 0: as {@code rate} says
   */
  TrafficStream(
      String name,
      long seed,
      @Nullable FrameSpec frames,
      @Nullable FrameImages images,
      @Nullable Replay replay,
      Rate rate,
      double speed,
      @Nullable PacketEdit edit) {
    this.name = name;
    this.seed = seed;
    this.frames = frames;
    this.images = images;
    this.replay = replay;
    this.rate = rate;
    this.speed = speed;
    this.edit = edit;
  }

  /**
   * Reads a description, and makes the frames ready.
   *
   * @param name in reports
   * @param text {@code key=value} pairs with blanks between
   * @throws ConfigException if it is wrong, or a file cannot be read
   */
  public static TrafficStream of(String name, String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : text.strip().split("\\s+", -1)) {
      int equals = part.indexOf('=');
      if (part.isEmpty()) {
        continue;
      }
      if (equals < 0 || values.put(part.substring(0, equals), part.substring(equals + 1)) != null) {
        throw new ConfigException(
            "not a setting of a stream: stream=%s, text=%s; write each key=value once"
                .formatted(name, part));
      }
    }
    return StreamText.read(name, values);
  }

  /** The same stream, each packet changed by a program. */
  public TrafficStream edit(PacketEdit newEdit) {
    return new TrafficStream(name, seed, frames, images, replay, rate, speed, newEdit);
  }

  /** The same stream at another rate. */
  TrafficStream at(Rate newRate) {
    return new TrafficStream(name, seed, frames, images, replay, newRate, 0, edit);
  }

  public String name() {
    return name;
  }

  /** The rate that it has unless its plan says another. */
  public Rate rate() {
    return rate;
  }

  /** Multiples of the recorded speed; 0 when the rate counts. */
  double speed() {
    return speed;
  }

  @Nullable FrameSpec frames() {
    return frames;
  }

  @Nullable Replay replay() {
    return replay;
  }

  /** Whether its packets can be recognized when they come back. */
  boolean isSequenced() {
    return frames != null && frames.isSequenced();
  }

  /** Whether its packets are of several flows. A program may make any of them. */
  boolean hasManyFlows() {
    return edit != null || frames == null || frames.addressesVary() || frames.portsVary();
  }

  boolean isTimed() {
    return frames != null && frames.isTimed();
  }

  FrameSource source(int stream, int worker, int workers) {
    if (replay != null) {
      return new ReplayedFrames(replay, edit, worker, workers);
    }
    if (frames == null || images == null) {
      throw new IllegalStateException("stream has neither frames nor a replay: stream=" + name);
    }
    return new MadeFrames(frames, images, edit, seed, stream, worker, workers);
  }
}
