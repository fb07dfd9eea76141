package io.linerate.decode.protocol;

import io.linerate.decode.Dissection;
import io.linerate.decode.Field;
import org.jspecify.annotations.Nullable;

/**
 * What is behind the packet in a frame of Ethernet: padding up to 60 bytes (IEEE 802.3, clause
 * 3.2.8), what devices append, and the frame check sequence, if it was captured. Nothing in the
 * frame says which of it is what: the same is assumed as tshark does.
 */
final class EthernetTrailer {
  private static final int LEAST_BYTES = 60;
  private static final int FCS_BYTES = 4;

  private EthernetTrailer() {}

  /**
   * Adds it, where the layer carries one that says that it has less than what is there.
   *
   * @param fcs null: there is none
   */
  static void add(Dissection dissection, Field padding, Field trailer, @Nullable Field fcs) {
    dissection.padding();
    int left = dissection.left();
    if (left <= 0) {
      return;
    }
    int padded = paddingBytes(dissection, left);
    if (padded > 0) {
      dissection.add(padding, padded);
    }
    left -= padded;
    boolean hasFcs = fcs != null && mayHaveFcs(dissection) && left >= FCS_BYTES;
    int appended = hasFcs ? left - FCS_BYTES : left;
    if (appended > 0) {
      dissection.add(trailer, appended);
    }
    if (hasFcs && fcs != null) {
      dissection.add(fcs);
    }
  }

  /** Of bytes of 0, in frames that are not shorter than allowed. */
  private static int paddingBytes(Dissection dissection, int left) {
    long length = dissection.frame().lengthBytes();
    long wanted = LEAST_BYTES - (length - left);
    if (length < LEAST_BYTES || wanted <= 0 || wanted > left) {
      return 0;
    }
    for (int i = 0; i < wanted; i++) {
      if (dissection.u8(i) != 0) {
        return 0;
      }
    }
    return (int) wanted;
  }

  private static boolean mayHaveFcs(Dissection dissection) {
    return dissection.layer().index() == 0
        && dissection.frame().lengthBytes() >= LEAST_BYTES + FCS_BYTES;
  }
}
