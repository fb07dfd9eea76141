package io.linerate.apps.generate;

import io.linerate.core.config.ConfigException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How fast packets leave: {@code 1Mpps}, {@code 500Mbps}, {@code 10GbpsL1} or {@code max}.
 *
 * <p>Bits are those of layer 2 unless {@code L1} follows: of the frame with its frame check
 * sequence. Layer 1 adds the 20 bytes that each frame takes on an Ethernet wire besides: preamble,
 * start delimiter and the gap between frames (IEEE 802.3, clause 4.4.2).
 *
 * @param unit what is counted
 * @param perSecond how many of them; infinite for {@link Unit#MAX}
 */
public record Rate(Unit unit, double perSecond) {
  /** What a rate counts. */
  public enum Unit {
    /** Packets. */
    PPS,
    /** Bits of frames, frame check sequence included. */
    BPS,
    /** Bits on the wire: preamble and gap included. */
    BPS_L1,
    /** As fast as the port takes them. */
    MAX
  }

  /** As fast as the port takes them. */
  public static final Rate UNLIMITED = new Rate(Unit.MAX, Double.POSITIVE_INFINITY);

  /** Bytes of a frame that layer 1 adds: preamble 7, start delimiter 1, gap 12. */
  public static final int LAYER_1_BYTES = 20;

  static final double NS_PER_S = 1e9;

  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?)([kMG]?)(pps|bps|bpsL2|bpsL1)");
  private static final double MAX_PER_SECOND = 1e12;

  /** A number of packets in a second. */
  public static Rate pps(double packetsPerSecond) {
    return new Rate(Unit.PPS, packetsPerSecond);
  }

  /**
   * Reads a rate.
   *
   * @throws ConfigException if it is none, or 0
   */
  public static Rate parse(String text) {
    if (text.equals("max")) {
      return UNLIMITED;
    }
    Matcher matcher = TEXT.matcher(text);
    double perSecond = 0;
    if (matcher.matches()) {
      perSecond = Double.parseDouble(matcher.group(1)) * factor(matcher.group(2));
    }
    if (perSecond <= 0 || perSecond > MAX_PER_SECOND) {
      throw new ConfigException(
          "not a rate: rate="
              + text
              + "; write a number above 0 with pps, bps or bpsL1, such as 1Mpps, 1.5kpps, 500Mbps"
              + " or 10GbpsL1, or max");
    }
    Unit unit =
        switch (matcher.group(3)) {
          case "pps" -> Unit.PPS;
          case "bpsL1" -> Unit.BPS_L1;
          default -> Unit.BPS;
        };
    return new Rate(unit, perSecond);
  }

  private static double factor(String prefix) {
    return switch (prefix) {
      case "k" -> 1e3;
      case "M" -> 1e6;
      case "G" -> 1e9;
      default -> 1;
    };
  }

  /** Time in ns that a frame takes at this rate, of so many bytes with its check sequence. */
  double costNs(double frameBytes) {
    return switch (unit) {
      case PPS -> NS_PER_S / perSecond;
      case BPS -> frameBytes * 8 * NS_PER_S / perSecond;
      case BPS_L1 -> (frameBytes + LAYER_1_BYTES) * 8 * NS_PER_S / perSecond;
      case MAX -> 0;
    };
  }

  /** Whether it is {@link Unit#MAX}. */
  public boolean isMax() {
    return unit == Unit.MAX;
  }

  @Override
  public String toString() {
    return switch (unit) {
      case PPS -> number() + "pps";
      case BPS -> number() + "bps";
      case BPS_L1 -> number() + "bpsL1";
      case MAX -> "max";
    };
  }

  private String number() {
    double scale = perSecond >= 1e9 ? 1e9 : perSecond >= 1e6 ? 1e6 : perSecond >= 1e3 ? 1e3 : 1;
    String prefix = scale == 1e9 ? "G" : scale == 1e6 ? "M" : scale == 1e3 ? "k" : "";
    String digits = String.format(Locale.ROOT, "%.6f", perSecond / scale);
    return digits.replaceAll("\\.?0+$", "") + prefix;
  }
}
