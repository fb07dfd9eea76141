package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.time.TokenBucket;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Passes on packets up to a rate, by a token bucket (RFC 2697, with one color): what comes faster
 * is dropped, not delayed. The rate is that of each worker.
 *
 * <pre>
 * inputs      in
 * outputs     out; over (may be left unconnected: packets over the rate are dropped)
 * parameters  unit: packets, or bits of the frames as they are, without preamble and check sequence
 *             perSecond: 1 to 1e12
 *             burst: what may come at once after a pause, 1 to 8e9; a packet of more bits than this
 *             never passes: for bits at least 12112 for frames of 1514 bytes; a packet that stands
 *             for several counts as these, and passes a full bucket
 * drops       over_rate
 * reads       rate: per second
 * writes      rate
 * example     g.add("limit", RateLimit.bits(10_000_000, 100_000))
 * </pre>
 */
public record RateLimit(Unit unit, long perSecond, long burst) implements Element {
  public static final DropReason OVER_RATE = DropReason.named("over_rate");

  /** What is counted. */
  public enum Unit {
    PACKETS,
    BITS
  }

  public static RateLimit packets(long perSecond, long burst) {
    return new RateLimit(Unit.PACKETS, perSecond, burst);
  }

  public static RateLimit bits(long perSecond, long burst) {
    return new RateLimit(Unit.BITS, perSecond, burst);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("over").anyLink();
  }

  @Override
  public List<String> problems() {
    return Parameters.check()
        .range("perSecond", perSecond, 1, TokenBucket.MAX_RATE)
        .range("burst", burst, 1, TokenBucket.MAX_BURST)
        .problems();
  }

  @Override
  public void open(Wiring wiring) {
    Outlet out = wiring.output("out");
    Outlet over = wiring.output("over");
    TokenBucket bucket = new TokenBucket(perSecond, burst);
    boolean isBits = unit == Unit.BITS;
    wiring.input(
        "in",
        packets -> {
          bucket.fill(wiring.nowNs());
          for (Packet packet : packets) {
            if (!passes(bucket, packet, isBits)) {
              over.send(packet, OVER_RATE);
            }
          }
          out.push(packets);
        });
    wiring.read("rate", ValueType.NUMBER, bucket::perSecond);
    wiring.write("rate", ValueType.NUMBER, changed -> change(bucket, changed));
  }

  private static boolean passes(TokenBucket bucket, Packet packet, boolean isBits) {
    int eachBytes = packet.segmentBytes();
    long bits = 8L * packet.length();
    return eachBytes == 0
        ? bucket.take(isBits ? bits : 1)
        : bucket.takeOrOwe(isBits ? bits : Math.ceilDiv(packet.length(), eachBytes));
  }

  private static void change(TokenBucket bucket, long perSecond) {
    Parameters.check().range("perSecond", perSecond, 1, TokenBucket.MAX_RATE).require();
    bucket.perSecond(perSecond);
  }
}
