package io.linerate.bench.language;

/** A packet as an object. Native code finds its fields by their names, which are the thesis's. */
final class FivePacket {
  private int a;
  private int b;
  private int c;
  private int d;
  private int e;
  private int result;

  void populate(XorShift random) {
    a = random.nextInt();
    b = random.nextInt();
    c = random.nextInt();
    d = random.nextInt();
    e = random.nextInt();
  }

  void process() {
    result = a * b * c * d * e;
  }

  int result() {
    return result;
  }
}
