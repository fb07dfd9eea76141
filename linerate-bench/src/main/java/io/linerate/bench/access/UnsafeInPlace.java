package io.linerate.bench.access;

/** The thesis's "direct", which it chose: fields are read and written in the struct, by address. */
final class UnsafeInPlace implements Technique {
  @Override
  public long run(int packets) {
    AccessLibrary.useOwn();
    long pointer = RawMemory.allocate(Long.BYTES);
    try {
      for (int i = 0; i < packets; i++) {
        AccessLibrary.nextPointer(pointer);
        answer(RawMemory.pointer(pointer));
      }
    } finally {
      RawMemory.free(pointer);
    }
    return AccessLibrary.finish();
  }

  private static void answer(long at) {
    int source = RawMemory.i32(at + RecordLayout.SOURCE);
    RawMemory.i32(at + RecordLayout.SOURCE, RawMemory.i32(at + RecordLayout.DESTINATION));
    RawMemory.i32(at + RecordLayout.DESTINATION, source);
    int sourcePort = RawMemory.u16(at + RecordLayout.SOURCE_PORT);
    RawMemory.u16(at + RecordLayout.SOURCE_PORT, RawMemory.u16(at + RecordLayout.DESTINATION_PORT));
    RawMemory.u16(at + RecordLayout.DESTINATION_PORT, sourcePort);
    RawMemory.i32(at + RecordLayout.SEQUENCE, RawMemory.i32(at + RecordLayout.SEQUENCE) + 1);
    RawMemory.u8(at + RecordLayout.TTL, RawMemory.u8(at + RecordLayout.TTL) - 1);
    int sum = RawMemory.u16(at + RecordLayout.CHECKSUM) + RawMemory.u8(at + RecordLayout.PROTOCOL);
    RawMemory.u16(at + RecordLayout.CHECKSUM, sum);
  }
}
