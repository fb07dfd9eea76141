package io.linerate.apps.generate;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The sizes of a stream's frames in bytes, the 4 of the frame check sequence included, as RFC 2544
 * counts: a frame of 64 has 60 bytes in memory and in a capture file.
 */
final class SizeMix {
  static final int FCS_BYTES = 4;
  static final int MIN = 64;

  /** The largest frame of an Ethernet MTU of 9,500, with a VLAN tag. */
  static final int MAX = 9_522;

  /**
   * The simple Internet mix of 7 : 4 : 1 (RFC 6985 calls such a mix an IMIX; the sizes are those
   * that Cisco and TRex use), in an order that spreads the sizes.
   */
  private static final int[] IMIX = {64, 594, 1_518};

  private static final int[] IMIX_ORDER = {0, 1, 0, 0, 1, 0, 2, 0, 1, 0, 1, 0};

  private final int[] sizes;
  private final int[] order;
  private final boolean isRandom;

  /**
   * @param sizes each size once
   * @param order the indices of sizes that packets take in turn, or draw from
   */
  private SizeMix(int[] sizes, int[] order, boolean isRandom) {
    this.sizes = sizes;
    this.order = order;
    this.isRandom = isRandom;
  }

  /**
   * Reads sizes.
   *
   * @param leastBytes what headers and stamps need; the smallest of an imix grows to it
   */
  static SizeMix parse(String text, int leastBytes) {
    int least = Math.max(MIN, leastBytes);
    if (text.equals("imix")) {
      int[] sizes = IMIX.clone();
      sizes[0] = least;
      return new SizeMix(sizes, IMIX_ORDER, false);
    }
    ValueRange range = ValueRange.numbers("size", text, 1, MAX);
    if (range.low() < least) {
      String remedy = "at least " + least + ", for headers, stamps and frame check sequence";
      throw ValueRange.wrong("size", text, "size is under the headers: write " + remedy);
    }
    int count = (int) ((range.count() + range.step() - 1) / range.step());
    int[] sizes =
        IntStream.range(0, count).map(i -> (int) (range.low() + i * range.step())).toArray();
    return new SizeMix(sizes, IntStream.range(0, count).toArray(), range.isRandom());
  }

  /** Number of different sizes. */
  int count() {
    return sizes.length;
  }

  /** Bytes of the size of that number. */
  int bytes(int size) {
    return sizes[size];
  }

  /** Number of the size at a place of the order. */
  int sizeAt(int place) {
    return order[place];
  }

  /** Mean bytes of a frame. */
  double meanBytes() {
    return Arrays.stream(order).map(index -> sizes[index]).average().orElseThrow();
  }

  int largest() {
    return Arrays.stream(sizes).max().orElseThrow();
  }

  /** The range that places of the order are taken from. */
  ValueRange places() {
    return new ValueRange(0, 0, order.length, 1, isRandom);
  }
}
