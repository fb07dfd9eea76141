package io.linerate.stream.net;

import java.util.zip.CRC32C;

/** Against what networks damage, not against people: CRC32C (RFC 3720, appendix B.4). */
final class ChecksumSeal implements DatagramSeal {
  private final CRC32C crc = new CRC32C();

  @Override
  public int bytes() {
    return Integer.BYTES;
  }

  @Override
  public void seal(long number, Datagram datagram) {
    int end = datagram.length();
    datagram.i32(end, sum(datagram, end));
    datagram.length(end + Integer.BYTES);
  }

  @Override
  public boolean open(long number, Datagram datagram) {
    int end = datagram.length() - Integer.BYTES;
    if (end < Wire.HEADER_BYTES || sum(datagram, end) != datagram.i32(end)) {
      return false;
    }
    datagram.length(end);
    return true;
  }

  private int sum(Datagram datagram, int end) {
    crc.reset();
    crc.update(datagram.buffer(0, end));
    return (int) crc.getValue();
  }

  @Override
  public void release() {}

  @Override
  public void close() {}
}
