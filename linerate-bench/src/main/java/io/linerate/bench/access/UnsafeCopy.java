package io.linerate.bench.access;

/**
 * The thesis's Unsafe: native code leaves the struct's address in memory, Java copies the fields
 * into an object and back.
 */
final class UnsafeCopy implements Technique {
  @Override
  public long run(int packets) {
    AccessLibrary.useOwn();
    long pointer = RawMemory.allocate(Long.BYTES);
    try {
      for (int i = 0; i < packets; i++) {
        AccessLibrary.nextPointer(pointer);
        long address = RawMemory.pointer(pointer);
        PacketObject packet = new PacketObject();
        load(packet, address);
        packet.answer();
        store(packet, address);
      }
    } finally {
      RawMemory.free(pointer);
    }
    return AccessLibrary.finish();
  }

  private static void load(PacketObject packet, long address) {
    packet.source(RawMemory.i32(address + RecordLayout.SOURCE));
    packet.destination(RawMemory.i32(address + RecordLayout.DESTINATION));
    packet.sourcePort(RawMemory.u16(address + RecordLayout.SOURCE_PORT));
    packet.destinationPort(RawMemory.u16(address + RecordLayout.DESTINATION_PORT));
    packet.sequence(RawMemory.i32(address + RecordLayout.SEQUENCE));
    packet.ttl(RawMemory.u8(address + RecordLayout.TTL));
    packet.protocol(RawMemory.u8(address + RecordLayout.PROTOCOL));
    packet.checksum(RawMemory.u16(address + RecordLayout.CHECKSUM));
  }

  private static void store(PacketObject packet, long address) {
    RawMemory.i32(address + RecordLayout.SOURCE, packet.source());
    RawMemory.i32(address + RecordLayout.DESTINATION, packet.destination());
    RawMemory.u16(address + RecordLayout.SOURCE_PORT, packet.sourcePort());
    RawMemory.u16(address + RecordLayout.DESTINATION_PORT, packet.destinationPort());
    RawMemory.i32(address + RecordLayout.SEQUENCE, packet.sequence());
    RawMemory.u8(address + RecordLayout.TTL, packet.ttl());
    RawMemory.u8(address + RecordLayout.PROTOCOL, packet.protocol());
    RawMemory.u16(address + RecordLayout.CHECKSUM, packet.checksum());
  }
}
