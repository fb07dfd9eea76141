package io.linerate.bench.access;

/** The same in C, called once for all packets. */
final class PlainC implements Technique {
  /** Where C has its packets. */
  enum Structs {
    OWN,
    BURST
  }

  private final Structs structs;

  PlainC(Structs structs) {
    this.structs = structs;
  }

  @Override
  public long run(int packets) {
    if (structs == Structs.OWN) {
      AccessLibrary.useOwn();
      return AccessLibrary.plain(packets);
    }
    try (Buffers _ = new Buffers(AccessLibrary.BURST)) {
      return AccessLibrary.plain(packets);
    }
  }
}
