package io.linerate.bench.access;

/**
 * One way to get at the fields of a native struct.
 *
 * <p>Each packet is retrieved from native code, its addresses and ports change places, sequence
 * number, time to live and checksum change, and the result is back in the struct when the next one
 * is retrieved.
 */
interface Technique {
  /**
   * Handles packets from the first one that there is.
   *
   * @param packets a multiple of {@link AccessLibrary#BURST}
   * @return the checksum over what was written back, the same for all techniques
   */
  long run(int packets);
}
