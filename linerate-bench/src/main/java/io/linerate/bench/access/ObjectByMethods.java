package io.linerate.bench.access;

/** The thesis's object: native code finds and calls a setter and a getter for each field. */
final class ObjectByMethods implements Technique {
  @Override
  public long run(int packets) {
    AccessLibrary.useOwn();
    for (int i = 0; i < packets; i++) {
      PacketObject packet = new PacketObject();
      AccessLibrary.nextBySetters(packet);
      packet.answer();
      AccessLibrary.saveByGetters(packet);
    }
    return AccessLibrary.finish();
  }
}
