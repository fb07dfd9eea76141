package io.linerate.bench.access;

import io.linerate.core.memory.Handles;

/** What {@link CheckedPackets} does, without the checks. */
final class UncheckedPackets implements Technique {
  private final int burst;
  private final UncheckedPacket packet = new UncheckedPacket();

  /**
   * @param burst packets that a native call brings
   */
  UncheckedPackets(int burst) {
    this.burst = burst;
  }

  @Override
  public long run(int packets) {
    try (Buffers buffers = new Buffers(burst)) {
      long handles = buffers.burst().handles();
      for (int done = 0; done < packets; done += burst) {
        AccessLibrary.next();
        for (int i = 0; i < burst; i++) {
          packet.attach(Handles.get(handles, i));
          answer(packet);
        }
      }
      return AccessLibrary.finish();
    }
  }

  private static void answer(UncheckedPacket packet) {
    int source = packet.i32(RecordLayout.SOURCE);
    packet.i32(RecordLayout.SOURCE, packet.i32(RecordLayout.DESTINATION));
    packet.i32(RecordLayout.DESTINATION, source);
    int sourcePort = packet.u16(RecordLayout.SOURCE_PORT);
    packet.u16(RecordLayout.SOURCE_PORT, packet.u16(RecordLayout.DESTINATION_PORT));
    packet.u16(RecordLayout.DESTINATION_PORT, sourcePort);
    packet.i32(RecordLayout.SEQUENCE, packet.i32(RecordLayout.SEQUENCE) + 1);
    packet.u8(RecordLayout.TTL, packet.u8(RecordLayout.TTL) - 1);
    packet.u16(
        RecordLayout.CHECKSUM,
        packet.u16(RecordLayout.CHECKSUM) + packet.u8(RecordLayout.PROTOCOL));
  }
}
