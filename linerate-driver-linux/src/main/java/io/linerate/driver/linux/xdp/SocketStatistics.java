package io.linerate.driver.linux.xdp;

/**
 * What the kernel has counted of a socket: XDP_STATISTICS.
 *
 * @param rxDropped frames without a buffer to copy them to, or longer than one
 * @param rxInvalid bad addresses in the fill ring
 * @param txInvalid bad entries of the transmit ring
 * @param rxRingFull frames for which the receive ring had no slot
 * @param fillRingEmpty times that the fill ring was found empty
 * @param txRingEmpty times that the transmit ring was found empty
 */
record SocketStatistics(
    long rxDropped,
    long rxInvalid,
    long txInvalid,
    long rxRingFull,
    long fillRingEmpty,
    long txRingEmpty) {
  static final SocketStatistics NONE = new SocketStatistics(0, 0, 0, 0, 0, 0);

  SocketStatistics plus(SocketStatistics other) {
    return new SocketStatistics(
        rxDropped + other.rxDropped,
        rxInvalid + other.rxInvalid,
        txInvalid + other.txInvalid,
        rxRingFull + other.rxRingFull,
        fillRingEmpty + other.fillRingEmpty,
        txRingEmpty + other.txRingEmpty);
  }
}
