package io.linerate.bench.access;

/** The object as one does it with care: native code sets and gets fields that it looked up once. */
final class ObjectByFields implements Technique {
  @Override
  public long run(int packets) {
    AccessLibrary.useOwn();
    AccessLibrary.findFields(PacketObject.class);
    for (int i = 0; i < packets; i++) {
      PacketObject packet = new PacketObject();
      AccessLibrary.nextByFields(packet);
      packet.answer();
      AccessLibrary.saveByFields(packet);
    }
    return AccessLibrary.finish();
  }
}
