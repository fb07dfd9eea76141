package io.linerate.bench.access;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The thesis's byte buffer: native code copies the struct into a direct buffer, Java copies the
 * fields into an object, and both copy back.
 */
final class BufferCopy implements Technique {
  // A final field of the object: a constant would not be what a program with many buffers has.
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(RecordLayout.BYTES);
  private final long address = MemorySegment.ofBuffer(buffer).address();

  @Override
  public long run(int packets) {
    AccessLibrary.useOwn();
    for (int i = 0; i < packets; i++) {
      AccessLibrary.nextIntoBuffer(address);
      PacketObject packet = new PacketObject();
      load(packet);
      packet.answer();
      store(packet);
      AccessLibrary.saveFromBuffer(address);
    }
    return AccessLibrary.finish();
  }

  private void load(PacketObject packet) {
    packet.source(buffer.getInt(RecordLayout.SOURCE));
    packet.destination(buffer.getInt(RecordLayout.DESTINATION));
    packet.sourcePort(buffer.getChar(RecordLayout.SOURCE_PORT));
    packet.destinationPort(buffer.getChar(RecordLayout.DESTINATION_PORT));
    packet.sequence(buffer.getInt(RecordLayout.SEQUENCE));
    packet.ttl(buffer.get(RecordLayout.TTL) & 0xFF);
    packet.protocol(buffer.get(RecordLayout.PROTOCOL) & 0xFF);
    packet.checksum(buffer.getChar(RecordLayout.CHECKSUM));
  }

  private void store(PacketObject packet) {
    buffer.putInt(RecordLayout.SOURCE, packet.source());
    buffer.putInt(RecordLayout.DESTINATION, packet.destination());
    buffer.putChar(RecordLayout.SOURCE_PORT, (char) packet.sourcePort());
    buffer.putChar(RecordLayout.DESTINATION_PORT, (char) packet.destinationPort());
    buffer.putInt(RecordLayout.SEQUENCE, packet.sequence());
    buffer.put(RecordLayout.TTL, (byte) packet.ttl());
    buffer.put(RecordLayout.PROTOCOL, (byte) packet.protocol());
    buffer.putChar(RecordLayout.CHECKSUM, (char) packet.checksum());
  }
}
