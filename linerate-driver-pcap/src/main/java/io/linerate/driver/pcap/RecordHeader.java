package io.linerate.driver.pcap;

import java.nio.charset.StandardCharsets;

/**
 * What a capture file says of a packet whose bytes are written beside it.
 *
 * @param linkType its number
 * @param lengthBytes of the whole packet
 * @param comment where the format has comments; "" for none
 */
record RecordHeader(int linkType, long epochNs, int lengthBytes, String comment) {
  byte[] commentBytes() {
    return comment.getBytes(StandardCharsets.UTF_8);
  }
}
