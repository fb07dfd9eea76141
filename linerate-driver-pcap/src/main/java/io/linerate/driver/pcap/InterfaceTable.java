package io.linerate.driver.pcap;

import java.util.Arrays;

/**
 * The interfaces of a pcapng section by their number, each with its own clock
 * (draft-ietf-opsawg-pcapng, section 4.2). Kept and reused from pass to pass.
 */
final class InterfaceTable {
  private static final long NS_PER_SECOND = 1_000_000_000L;

  /** Powers of ten that fit 64 unsigned bits. */
  private static final long[] POWERS_OF_10 = powersOf10();

  private int size;
  private int[] linkTypes = new int[4];
  private int[] snapLengths = new int[4];
  private int[] resolutions = new int[4];

  /** ns of a unit of the clock; 0 where that is no whole number. */
  private long[] nsPerUnit = new long[4];

  private long[] offsetsNs = new long[4];

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  /**
   * Adds an interface.
   *
   * @param resolution if_tsresol: the exponent of 10, or with the highest bit of 2, both negative
   * @param offsetSeconds if_tsoffset
   */
  void add(int linkType, int snapLengthBytes, int resolution, long offsetSeconds) {
    if (size == linkTypes.length) {
      grow();
    }
    linkTypes[size] = linkType;
    snapLengths[size] = snapLengthBytes;
    resolutions[size] = resolution;
    nsPerUnit[size] = resolution <= 9 ? POWERS_OF_10[9 - resolution] : 0;
    offsetsNs[size] = offsetSeconds * NS_PER_SECOND;
    size++;
  }

  int linkType(int id) {
    return linkTypes[id];
  }

  /** Bytes of a packet that the interface captures at most; 0 for no limit, unsigned. */
  int snapLengthBytes(int id) {
    return snapLengths[id];
  }

  /** A time of the interface's clock, in ns since the epoch. */
  long epochNs(int id, long units) {
    long ns = nsPerUnit[id];
    return (ns != 0 ? units * ns : convert(resolutions[id], units)) + offsetsNs[id];
  }

  private static long convert(int resolution, long units) {
    int exponent = resolution & 0x7F;
    if ((resolution & 0x80) == 0) {
      int tooFine = exponent - 9;
      return tooFine < POWERS_OF_10.length ? Long.divideUnsigned(units, POWERS_OF_10[tooFine]) : 0;
    }
    if (exponent == 0) {
      return units * NS_PER_SECOND;
    }
    if (exponent >= 64) {
      return Math.unsignedMultiplyHigh(units, NS_PER_SECOND) >>> (exponent - 64);
    }
    long fraction = units & ((1L << exponent) - 1);
    long high = Math.unsignedMultiplyHigh(fraction, NS_PER_SECOND);
    long low = fraction * NS_PER_SECOND;
    return (units >>> exponent) * NS_PER_SECOND + ((high << (64 - exponent)) | (low >>> exponent));
  }

  private void grow() {
    int capacity = 2 * size;
    linkTypes = Arrays.copyOf(linkTypes, capacity);
    snapLengths = Arrays.copyOf(snapLengths, capacity);
    resolutions = Arrays.copyOf(resolutions, capacity);
    nsPerUnit = Arrays.copyOf(nsPerUnit, capacity);
    offsetsNs = Arrays.copyOf(offsetsNs, capacity);
  }

  private static long[] powersOf10() {
    long[] powers = new long[20];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = 10 * powers[i - 1];
    }
    return powers;
  }
}
