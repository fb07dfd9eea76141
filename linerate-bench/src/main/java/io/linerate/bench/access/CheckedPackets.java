package io.linerate.bench.access;

import io.linerate.core.memory.Packet;

/** Linerate's cursor, as every program uses it: each access is checked against the packet. */
final class CheckedPackets implements Technique {
  private final int burst;

  /**
   * @param burst packets that a native call brings
   */
  CheckedPackets(int burst) {
    this.burst = burst;
  }

  @Override
  public long run(int packets) {
    try (Buffers buffers = new Buffers(burst)) {
      for (int done = 0; done < packets; done += burst) {
        AccessLibrary.next();
        for (Packet packet : buffers.burst()) {
          answer(packet);
        }
      }
      return AccessLibrary.finish();
    }
  }

  private static void answer(Packet packet) {
    int source = packet.i32(RecordLayout.SOURCE);
    packet.i32(RecordLayout.SOURCE, packet.i32(RecordLayout.DESTINATION));
    packet.i32(RecordLayout.DESTINATION, source);
    int sourcePort = packet.u16(RecordLayout.SOURCE_PORT);
    packet.u16(RecordLayout.SOURCE_PORT, packet.u16(RecordLayout.DESTINATION_PORT));
    packet.u16(RecordLayout.DESTINATION_PORT, sourcePort);
    packet.i32(RecordLayout.SEQUENCE, packet.i32(RecordLayout.SEQUENCE) + 1);
    packet.u8(RecordLayout.TTL, packet.u8(RecordLayout.TTL) - 1 & 0xFF);
    int sum = packet.u16(RecordLayout.CHECKSUM) + packet.u8(RecordLayout.PROTOCOL);
    packet.u16(RecordLayout.CHECKSUM, sum & 0xFFFF);
  }
}
